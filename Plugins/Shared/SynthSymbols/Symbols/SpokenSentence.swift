/// A sentence as symbols of the vocabulary, with the positions of its words in the text.
package struct SpokenSentence: Equatable, Sendable {
    /// Phonemes, stress marks, punctuation and spaces in spoken order.
    package var symbols: [Unicode.Scalar] = []
    /// The words in order, with ranges in `symbols`.
    package var words: [PhonemeWord] = []
    /// The sentence's UTF-8 range in the text.
    package var bytes: Range<Int> = 0..<0

    package init(symbols: [Unicode.Scalar] = [], words: [PhonemeWord] = [], bytes: Range<Int> = 0..<0) {
        self.symbols = symbols
        self.words = words
        self.bytes = bytes
    }

    package static let space: Unicode.Scalar = " "

    /// Whether the sentence consists only of punctuation and spaces, in which case the model need not run.
    package var isSilent: Bool { !symbols.contains { $0.properties.isAlphabetic } }

    /// Appends a symbol, unless it would be a second space or a leading space.
    package mutating func append(_ symbol: Unicode.Scalar) {
        if symbol == Self.space, symbols.isEmpty || symbols.last == Self.space { return }
        symbols.append(symbol)
    }

    /// - Parameter bytes: The word's range in the text; `nil` if it has none.
    package mutating func append(word: [Unicode.Scalar], from bytes: Range<Int>?) {
        let start = symbols.count
        for symbol in word { append(symbol) }
        guard let bytes, symbols.count > start else { return }
        words.append(PhonemeWord(symbols: start..<symbols.count, bytes: bytes))
    }

    /// Appends the remainder of the same sentence. At most one space is kept between the two parts.
    package mutating func append(_ other: SpokenSentence) {
        if symbols.isEmpty { bytes = other.bytes }
        let isSpaced = symbols.isEmpty || symbols.last == Self.space
        let dropped = isSpaced && other.symbols.first == Self.space ? 1 : 0
        let shift = symbols.count - dropped
        symbols += other.symbols.dropFirst(dropped)
        words += other.words.map {
            PhonemeWord(symbols: $0.symbols.lowerBound + shift..<$0.symbols.upperBound + shift, bytes: $0.bytes)
        }
        bytes = bytes.lowerBound..<max(bytes.upperBound, other.bytes.upperBound)
    }

    package mutating func removeTrailingSpace() {
        if symbols.last == Self.space { symbols.removeLast() }
    }

    /// Returns the sentence with all text positions shifted by `shift` bytes.
    package func shifted(by shift: Int) -> SpokenSentence {
        guard shift != 0 else { return self }
        func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + shift..<range.upperBound + shift }
        return SpokenSentence(
            symbols: symbols, words: words.map { PhonemeWord(symbols: $0.symbols, bytes: moved($0.bytes)) },
            bytes: moved(bytes))
    }

    /// Returns a part of the sentence and the words that start in it, without spaces at either end.
    package func part(_ range: Range<Int>) -> SpokenSentence {
        var range = range
        while let first = range.first, symbols[first] == Self.space { range = range.dropFirst() }
        while let last = range.last, symbols[last] == Self.space { range = range.dropLast() }
        var part = SpokenSentence(symbols: Array(symbols[range]), words: [], bytes: bytes)
        for word in words where range.contains(word.symbols.lowerBound) {
            let end = min(word.symbols.upperBound, range.upperBound)
            part.words.append(
                PhonemeWord(
                    symbols: word.symbols.lowerBound - range.lowerBound..<end - range.lowerBound, bytes: word.bytes))
        }
        return part
    }
}
