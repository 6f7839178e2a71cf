import Phonemes

/// What is said of one sentence: symbols of the vocabulary, and where in the text the words come from.
struct SpokenSentence: Equatable {
    /// Phonemes, stress marks, punctuation and spaces in the order in which they sound.
    var symbols: [Unicode.Scalar] = []
    /// In order. Ranges in `symbols`.
    var words: [PhonemeWord] = []
    /// In the UTF-8 of the text.
    var bytes: Range<Int> = 0..<0

    static let space: Unicode.Scalar = " "

    /// Punctuation alone is not worth a run of the model.
    var isSilent: Bool { !symbols.contains { $0.properties.isAlphabetic } }

    /// Never two spaces, and none at the beginning.
    mutating func append(_ symbol: Unicode.Scalar) {
        if symbol == Self.space, symbols.isEmpty || symbols.last == Self.space { return }
        symbols.append(symbol)
    }

    /// - Parameter bytes: The word's place in the text; `nil` where it has none of its own.
    mutating func append(word: [Unicode.Scalar], from bytes: Range<Int>?) {
        let start = symbols.count
        for symbol in word { append(symbol) }
        guard let bytes, symbols.count > start else { return }
        words.append(PhonemeWord(symbols: start..<symbols.count, bytes: bytes))
    }

    mutating func removeTrailingSpace() {
        if symbols.last == Self.space { symbols.removeLast() }
    }

    /// The same with the places of the text as it was; words that say one of its words together are one.
    func written(in text: SpelledText) -> SpokenSentence {
        var written = self
        written.bytes = text.written(bytes)
        written.words = []
        for word in words {
            let bytes = text.written(word.bytes)
            if let last = written.words.last, bytes.lowerBound < last.bytes.upperBound {
                written.words[written.words.count - 1] = PhonemeWord(
                    symbols: last.symbols.lowerBound..<word.symbols.upperBound,
                    bytes: last.bytes.lowerBound..<max(last.bytes.upperBound, bytes.upperBound))
            } else {
                written.words.append(PhonemeWord(symbols: word.symbols, bytes: bytes))
            }
        }
        return written
    }

    /// The same where the text that it was read from stands that many bytes further behind.
    func shifted(by shift: Int) -> SpokenSentence {
        guard shift != 0 else { return self }
        func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + shift..<range.upperBound + shift }
        return SpokenSentence(
            symbols: symbols, words: words.map { PhonemeWord(symbols: $0.symbols, bytes: moved($0.bytes)) },
            bytes: moved(bytes))
    }

    /// A part of the sentence with the words that begin in it; spaces at its ends are left out.
    func part(_ range: Range<Int>) -> SpokenSentence {
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
