/// A text in Kokoro's symbols.
package struct EnglishReading: Equatable, Sendable {
    /// The source of a word's phonemes.
    package enum Source: Equatable, Sendable {
        /// The word is listed.
        case list
        /// The word without its ending is listed.
        case inflected
        /// The context selected them.
        case context
        /// The word is spelled out.
        case spelled
        /// The word is not listed, so the net guessed from its letters.
        case letters
    }

    /// A word of the text and its symbols.
    package struct Word: Equatable, Sendable {
        /// The range in the UTF-8 of the text, without the punctuation around the word.
        package var bytes: Range<Int>
        /// The range in `symbols`.
        package var symbols: Range<Int>
        package var source: Source
    }

    /// Phonemes, stress marks, punctuation and single spaces, all in Kokoro's vocabulary.
    package var symbols: [Unicode.Scalar] = []
    /// The words in order.
    package var words: [Word] = []
    /// Words that have no symbols because they contain letters or digits of other scripts, as ranges in the UTF-8 of the text.
    package var unreadable: [Range<Int>] = []

    package init() {}

    mutating func append(_ symbol: Unicode.Scalar) {
        if symbol == " ", symbols.isEmpty || symbols.last == " " { return }
        // The common version of Kokoro has different symbols for tap and glottal stop.
        symbols.append(symbol == "ɾ" ? "T" : symbol == "ʔ" ? "t" : symbol)
    }

    mutating func append(_ sounds: Sounds, from bytes: Range<Int>, _ source: Source) {
        let start = symbols.count
        for symbol in sounds { append(symbol) }
        if symbols.count > start { words.append(Word(bytes: bytes, symbols: start..<symbols.count, source: source)) }
    }
}
