package import EngineWire
package import SpeechScript

/// A word, a sentence or a phoneme begins to sound, or a mark is reached.
package struct SpokenEvent: Equatable, Sendable {
    /// One bit.
    package var kind: EventKinds
    /// Its first frame in the sound as it comes out, counted from the beginning of the whole speech.
    package var frame: Int
    /// Its bytes in the source.
    package var source: Range<Int>
    /// Its bytes in the text of its utterance; nil = not in a text.
    package var text: Range<Int>?
    /// The IPA of a phoneme, the name of a mark.
    package var label: String?
    /// What is spoken from a sentence's event on.
    package var utterance: Utterance?

    package init(
        kind: EventKinds, frame: Int, source: Range<Int>, text: Range<Int>? = nil, label: String? = nil,
        utterance: Utterance? = nil
    ) {
        self.kind = kind
        self.frame = frame
        self.source = source
        self.text = text
        self.label = label
        self.utterance = utterance
    }
}

extension EventKinds {
    /// A mark of a script. The host's own: no engine knows of it.
    package static let mark = EventKinds(rawValue: 1 << 31)
}
