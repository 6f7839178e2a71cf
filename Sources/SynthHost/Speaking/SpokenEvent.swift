package import EngineWire
package import SpeechScript

/// A word, a sentence or a phoneme begins to sound.
package struct SpokenEvent: Equatable, Sendable {
    /// One bit.
    package var kind: EventKinds
    /// Its first frame in the sound as it comes out, counted from the beginning of the whole speech.
    package var frame: Int
    /// Its bytes in the source.
    package var source: Range<Int>
    /// The IPA of a phoneme.
    package var label: String?
    /// What is spoken from a sentence's event on.
    package var utterance: Utterance?

    package init(
        kind: EventKinds, frame: Int, source: Range<Int>, label: String? = nil, utterance: Utterance? = nil
    ) {
        self.kind = kind
        self.frame = frame
        self.source = source
        self.label = label
        self.utterance = utterance
    }
}
