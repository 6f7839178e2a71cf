import Phonemes

/// What one run of the model speaks: sentences, or a part of one.
struct Chunk: Equatable {
    private(set) var symbols: [Unicode.Scalar] = []
    /// Ranges in `symbols`.
    private(set) var words: [PhonemeWord] = []
    /// The index in `symbols` of each sentence's beginning, with the sentence's place in the text.
    private(set) var sentences: [(symbol: Int, bytes: Range<Int>)] = []

    var count: Int { symbols.count }
    var tokens: [Int64] { symbols.compactMap { Vocabulary.ids[$0] } }

    mutating func append(_ sentence: SpokenSentence, isBeginning: Bool) {
        if !symbols.isEmpty { symbols.append(SpokenSentence.space) }
        let shift = symbols.count
        symbols += sentence.symbols
        words += sentence.words.map {
            PhonemeWord(
                symbols: $0.symbols.lowerBound + shift..<$0.symbols.upperBound + shift, bytes: $0.bytes)
        }
        if isBeginning { sentences.append((shift, sentence.bytes)) }
    }

    static func == (first: Chunk, second: Chunk) -> Bool {
        first.symbols == second.symbols && first.words == second.words
            && first.sentences.map(\.bytes) == second.sentences.map(\.bytes)
    }
}
