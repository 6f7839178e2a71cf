/// What is said for a piece of a text.
package struct Replacement: Sendable, Equatable {
    package enum Sound: Sendable, Equatable {
        /// Said as if it were written.
        case text(String)
        /// Phonemes in IPA. Holds no brackets.
        case ipa(String)
    }

    /// UTF-8 bytes of the text, whole characters.
    package let range: Range<Int>
    package let sound: Sound

    package init(range: Range<Int>, sound: Sound) {
        self.range = range
        self.sound = sound
    }
}
