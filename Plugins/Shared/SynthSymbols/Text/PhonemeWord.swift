/// A word of the text and the symbols that say it.
package struct PhonemeWord: Equatable, Sendable {
    /// In the sentence's `scalars`.
    package var symbols: Range<Int>
    /// In the UTF-8 of the text, without the punctuation around the word.
    package var bytes: Range<Int>

    package init(symbols: Range<Int>, bytes: Range<Int>) {
        self.symbols = symbols
        self.bytes = bytes
    }
}
