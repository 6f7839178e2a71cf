package import EngineWire

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

    package init(kind: EventKinds, frame: Int, source: Range<Int>, label: String? = nil) {
        self.kind = kind
        self.frame = frame
        self.source = source
        self.label = label
    }
}
