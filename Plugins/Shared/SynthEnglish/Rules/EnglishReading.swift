/// The result of converting English text to Kokoro's symbols.
package struct EnglishReading: Equatable, Sendable {
    /// The source of a word's phonemes.
    package enum Source: Equatable, Sendable {
        /// A list contains the word.
        case list
        /// A list contains the word without its ending (-s, -ed or -ing).
        case inflected
        /// The context determines the phonemes.
        case context
        /// The word is spelled out.
        case spelled
        /// No list contains the word, so a neural net guessed the phonemes from the letters.
        case letters
    }

    /// A word of the text and its symbols.
    package struct Word: Equatable, Sendable {
        /// The word's UTF-8 range in the text, without adjacent punctuation.
        package var bytes: Range<Int>
        /// The range of the word's symbols in `symbols`.
        package var symbols: Range<Int>
        package var source: Source
    }

    /// Phonemes, stress marks, punctuation and single spaces, all in Kokoro's vocabulary.
    package var symbols: [Unicode.Scalar] = []
    /// The words in order.
    package var words: [Word] = []
    /// The UTF-8 ranges of words that get no symbols because they contain letters or digits from other scripts.
    package var unreadable: [Range<Int>] = []

    package init() {}

    mutating func append(_ symbol: Unicode.Scalar) {
        if symbol == " ", symbols.isEmpty || symbols.last == " " { return }
        // Kokoro 1.0 and the word lists use different symbols for the tap and the glottal stop.
        symbols.append(symbol == "ɾ" ? "T" : symbol == "ʔ" ? "t" : symbol)
    }

    mutating func append(_ sounds: Sounds, from bytes: Range<Int>, _ source: Source) {
        let start = symbols.count
        for symbol in sounds { append(symbol) }
        if symbols.count > start { words.append(Word(bytes: bytes, symbols: start..<symbols.count, source: source)) }
    }
}
