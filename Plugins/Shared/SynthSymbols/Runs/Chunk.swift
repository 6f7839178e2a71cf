/// What one run of the model speaks: sentences, or a part of one.
package struct Chunk: Sendable, Equatable {
    package private(set) var symbols: [Unicode.Scalar] = []
    /// Ranges in `symbols`.
    package private(set) var words: [PhonemeWord] = []
    /// The index in `symbols` of each sentence's beginning, with the sentence's place in the text.
    package private(set) var sentences: [(symbol: Int, bytes: Range<Int>)] = []

    package init() {}

    package var count: Int { symbols.count }
    package var tokens: [Int64] { symbols.compactMap { SymbolTable.ids[$0] } }

    package mutating func append(_ sentence: SpokenSentence, isBeginning: Bool) {
        if !symbols.isEmpty { symbols.append(SpokenSentence.space) }
        let shift = symbols.count
        symbols += sentence.symbols
        words += sentence.words.map {
            PhonemeWord(
                symbols: $0.symbols.lowerBound + shift..<$0.symbols.upperBound + shift, bytes: $0.bytes)
        }
        if isBeginning { sentences.append((shift, sentence.bytes)) }
    }

    package static func == (first: Chunk, second: Chunk) -> Bool {
        first.symbols == second.symbols && first.words == second.words
            && first.sentences.map(\.bytes) == second.sentences.map(\.bytes)
    }
}
