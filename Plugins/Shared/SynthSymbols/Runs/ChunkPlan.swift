/// Limits on the lengths of a model's runs, measured in symbols.
package struct RunLengths: Sendable {
    /// The maximum length of a run, unless a short sentence would otherwise need a separate run.
    package let limit: Int
    /// The length at which no more sentences are added to a run.
    package let enough: Int
    /// The minimum length. Shorter text sounds unnatural if it is synthesized on its own.
    package let few: Int
    /// The maximum length of a run that includes a short sentence.
    package var hardLimit: Int { limit + few }

    package init(limit: Int, enough: Int, few: Int) {
        self.limit = limit
        self.enough = enough
        self.few = few
    }
}

/// Joins or cuts sentences so that each run of the model has a suitable length.
package struct ChunkPlan {
    private let lengths: RunLengths

    private struct Piece {
        var sentence: SpokenSentence
        var isBeginning: Bool
        var isEnd: Bool
    }

    /// Pieces that have been cut but not returned yet, in order.
    private var pieces: [Piece] = []

    package init(_ lengths: RunLengths) { self.lengths = lengths }

    /// Returns the next run, composed of sentences that `read` returns one at a time.
    package mutating func next<Failure>(
        _ read: () throws(Failure) -> SpokenSentence?
    ) throws(Failure) -> Chunk? {
        var chunk = Chunk()
        var endsSentence = true
        while true {
            if pieces.isEmpty {
                guard let sentence = try read() else { break }
                pieces = pieces(of: sentence)
            }
            guard let piece = pieces.first else { continue }
            let count = piece.sentence.symbols.count
            if chunk.count > 0, !joins(chunk.count, count, endsSentence: endsSentence) {
                guard count < lengths.few, chunk.count + 1 + count <= lengths.hardLimit, pieces.count == 1 else {
                    break
                }
                // Move a short piece to the run for the next sentence. If there are no more sentences, add the piece to
                // this run.
                if let sentence = try read() {
                    pieces += pieces(of: sentence)
                    break
                }
            }
            chunk.append(piece.sentence, isBeginning: piece.isBeginning)
            endsSentence = piece.isEnd
            pieces.removeFirst()
        }
        return chunk.count > 0 ? chunk : nil
    }

    private func joins(_ count: Int, _ next: Int, endsSentence: Bool) -> Bool {
        let sum = count + 1 + next
        if sum > lengths.limit { return count < lengths.few && sum <= lengths.hardLimit }
        // If the run is long enough, end it at a sentence boundary.
        return count < lengths.enough || !endsSentence
    }

    private func pieces(of sentence: SpokenSentence) -> [Piece] {
        let cuts = Self.cuts(of: sentence.symbols, limit: lengths.limit)
        let parts = cuts.map { sentence.part($0) }.filter { !$0.symbols.isEmpty }
        return parts.enumerated().map { index, part in
            Piece(sentence: part, isBeginning: index == 0, isEnd: index == parts.count - 1)
        }
    }

    /// Cuts symbols into parts of similar length up to the limit: after a comma or a similar mark if possible, otherwise
    /// at a space, otherwise at the limit.
    package static func cuts(of symbols: [Unicode.Scalar], limit: Int) -> [Range<Int>] {
        var cuts: [Range<Int>] = []
        var start = 0
        while symbols.count - start > limit {
            let rest = symbols.count - start
            let parts = (rest + limit - 1) / limit
            let goal = start + rest / parts
            let window = start + limit / 3..<start + limit
            func nearest(_ isGood: (Int) -> Bool) -> Int? {
                window.filter(isGood).min { abs($0 - goal) < abs($1 - goal) }
            }
            let end =
                nearest { isSpace(symbols, $0) && isClauseEnd(symbols, $0 - 1) }
                ?? nearest { isSpace(symbols, $0) } ?? start + limit
            cuts.append(start..<end)
            start = end
        }
        if start < symbols.count { cuts.append(start..<symbols.count) }
        return cuts
    }

    private static func isSpace(_ symbols: [Unicode.Scalar], _ index: Int) -> Bool {
        symbols[index] == SpokenSentence.space
    }

    private static func isClauseEnd(_ symbols: [Unicode.Scalar], _ index: Int) -> Bool {
        index >= 0 && [",", ";", ":", "—", "…", ")", "”"].contains(symbols[index])
    }
}

/// The input for a run of the model: sentences, or part of a sentence.
package struct Chunk: Sendable, Equatable {
    package private(set) var symbols: [Unicode.Scalar] = []
    /// The words, with ranges in `symbols`.
    package private(set) var words: [PhonemeWord] = []
    /// The start of each sentence in `symbols`, and its range in the text.
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
