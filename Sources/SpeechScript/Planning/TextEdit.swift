/// A stretch of a text that is said otherwise than it is written.
package struct TextEdit: Sendable, Equatable {
    package enum Replacement: Sendable, Equatable {
        /// Words that are said instead.
        case text(String)
        /// The written words, in IPA.
        case pronunciation(String, LexiconLine? = nil)
    }

    /// In bytes of the text, on borders of characters; not empty.
    package var range: Range<Int>
    package var replacement: Replacement

    package init(range: Range<Int>, replacement: Replacement) {
        self.range = range
        self.replacement = replacement
    }
}
