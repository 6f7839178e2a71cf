/// Puts sentences together, or cuts them, so that each run of the model has a good length.
///
/// The model hurries through rows that come near its limit and reads single words oddly.
struct ChunkPlan {
    /// The most symbols in a row, but for a few that would be alone otherwise.
    static let limit = 250
    /// Enough for a run of its own.
    static let enough = 175
    /// Fewer than this sound odd alone: about five words.
    static let few = 40
    /// With something short that joins.
    static let hardLimit = limit + few

    private struct Piece {
        var sentence: SpokenSentence
        var isBeginning: Bool
        var isEnd: Bool
    }

    /// Cut and not yet given out, the next one first.
    private var pieces: [Piece] = []

    /// The next row of symbols, made of what `read` gives, one sentence after the other.
    mutating func next<Failure>(
        _ read: () throws(Failure) -> SpokenSentence?
    ) throws(Failure) -> Chunk? {
        var chunk = Chunk()
        var endsSentence = true
        while true {
            if pieces.isEmpty {
                guard let sentence = try read() else { break }
                pieces = Self.pieces(of: sentence)
            }
            guard let piece = pieces.first else { continue }
            let count = piece.sentence.symbols.count
            if chunk.count > 0, !Self.joins(chunk.count, count, endsSentence: endsSentence) {
                guard count < Self.few, chunk.count + 1 + count <= Self.hardLimit, pieces.count == 1 else { break }
                // Something short stays behind alone only if there is nothing to come that it can lead.
                if let sentence = try read() {
                    pieces += Self.pieces(of: sentence)
                    break
                }
            }
            chunk.append(piece.sentence, isBeginning: piece.isBeginning)
            endsSentence = piece.isEnd
            pieces.removeFirst()
        }
        return chunk.count > 0 ? chunk : nil
    }

    private static func joins(_ count: Int, _ next: Int, endsSentence: Bool) -> Bool {
        let sum = count + 1 + next
        if sum > limit { return count < few && sum <= hardLimit }
        // Once there is enough, the end of a sentence is the best place to stop.
        return count < enough || !endsSentence
    }

    private static func pieces(of sentence: SpokenSentence) -> [Piece] {
        let cuts = cuts(of: sentence.symbols)
        let parts = cuts.map { sentence.part($0) }.filter { !$0.symbols.isEmpty }
        return parts.enumerated().map { index, part in
            Piece(sentence: part, isBeginning: index == 0, isEnd: index == parts.count - 1)
        }
    }

    /// Cuts a row into parts of about equal length, none longer than the limit: behind a comma or its like, else at a
    /// space, else where it must be.
    static func cuts(of symbols: [Unicode.Scalar]) -> [Range<Int>] {
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
