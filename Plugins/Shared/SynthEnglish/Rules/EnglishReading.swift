/// A text as Kokoro's symbols.
package struct EnglishReading: Equatable, Sendable {
    /// Where the sounds of a word come from.
    package enum Source: Equatable, Sendable {
        /// A list has the word.
        case list
        /// A list has the word without its ending.
        case inflected
        /// The words around it decide.
        case context
        /// The names of its letters.
        case spelled
        /// No list has it: the net has read its letters.
        case letters
    }

    package struct Word: Equatable, Sendable {
        /// In the UTF-8 of the text, without the punctuation around the word.
        package var bytes: Range<Int>
        /// In `symbols`.
        package var symbols: Range<Int>
        package var source: Source
    }

    /// Sounds, stress marks, punctuation and single spaces, all in Kokoro's vocabulary.
    package var symbols: [Unicode.Scalar] = []
    /// In order.
    package var words: [Word] = []
    /// Words with letters or digits of other scripts, for which no symbol stands: ranges in the UTF-8 of the text.
    package var unreadable: [Range<Int>] = []

    package init() {}

    mutating func append(_ symbol: Unicode.Scalar) {
        if symbol == " ", symbols.isEmpty || symbols.last == " " { return }
        // A tap and a glottal stop have other symbols in the version of Kokoro that people use.
        symbols.append(symbol == "ɾ" ? "T" : symbol == "ʔ" ? "t" : symbol)
    }

    mutating func append(_ sounds: Sounds, from bytes: Range<Int>, _ source: Source) {
        let start = symbols.count
        for symbol in sounds { append(symbol) }
        if symbols.count > start { words.append(Word(bytes: bytes, symbols: start..<symbols.count, source: source)) }
    }
}
