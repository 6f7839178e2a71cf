import SynthPhonemes

/// What one run of the model speaks: sentences, or a part of one.
struct Chunk: Equatable {
    private(set) var symbols: [Unicode.Scalar] = []
    /// Ranges in `symbols`.
    private(set) var words: [PhonemeWord] = []
    /// The index in `symbols` of each sentence's beginning, with the sentence's place in the text.
    private(set) var sentences: [(symbol: Int, bytes: Range<Int>)] = []

    var count: Int { symbols.count }
    var tokens: [Int64] { symbols.compactMap { SymbolTable.ids[$0] } }

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

/// Joins or cuts sentences so that each run of the model has a good length.
///
/// The model speaks too fast near its limit of symbols, and single words sound odd.
struct ChunkPlan {
    /// The most symbols in a run, unless a short sentence would otherwise be alone.
    static let limit = 250
    /// Enough for a run of its own.
    static let enough = 175
    /// Fewer symbols than this sound odd alone: about five words.
    static let few = 40
    /// The limit of a run that takes a short sentence along.
    static let hardLimit = limit + few

    private struct Piece {
        var sentence: SpokenSentence
        var isBeginning: Bool
        var isEnd: Bool
    }

    /// Pieces that were cut and not yet returned, in order.
    private var pieces: [Piece] = []

    /// The next run, made of the sentences that `read` returns one by one.
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
                // A short piece waits for the next sentence; if there is none, it joins this run.
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
        // If the run is long enough, the end of a sentence is the best place to stop.
        return count < enough || !endsSentence
    }

    private static func pieces(of sentence: SpokenSentence) -> [Piece] {
        let cuts = cuts(of: sentence.symbols)
        let parts = cuts.map { sentence.part($0) }.filter { !$0.symbols.isEmpty }
        return parts.enumerated().map { index, part in
            Piece(sentence: part, isBeginning: index == 0, isEnd: index == parts.count - 1)
        }
    }

    /// Cuts symbols into parts of about equal length, none longer than the limit: after a comma or a similar mark, else
    /// at a space, else at the limit.
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

/// The edges of a run of the model. It begins with about 0.27 s and ends with about 0.7 s of silence, 80 dB below the speech and
/// more: that is cut off, and the cut is faded. Where two runs meet, the pause that the punctuation asks for is put between.
/// The runs do not overlap.
enum ChunkEdges {
    /// Samples below this share of the loudest one count as silence (60 dB).
    private static let silence: Float = 0.001
    /// Frames of silence that stay beside the sound where another run is, because a breath or a soft consonant may be in them.
    private static let innerMargin = KokoroContract.sampleRate / 50
    /// The same where a text begins, and where it ends and sound dies away.
    private static let firstMargin = KokoroContract.sampleRate / 25
    private static let lastMargin = KokoroContract.sampleRate * 3 / 50
    /// Frames over which a cut edge is faded.
    private static let fadeLength = KokoroContract.sampleRate / 200

    /// Seconds of the pause after a symbol.
    private static let pauses: [Unicode.Scalar: Float] = [
        ".": 0.41, "?": 0.41, "!": 0.37, "…": 0.45, ":": 0.35, ";": 0.35, "—": 0.33, ",": 0.33,
    ]
    /// Seconds between two words of one clause.
    private static let shortest: Float = 0.06
    /// Symbols that may stand after the mark that decides the pause.
    private static let closing: Set<Unicode.Scalar> = ["”", "\"", ")", " "]

    /// Frames of silence after a run that ends with these symbols.
    static func pause(after symbols: [Unicode.Scalar]) -> Int {
        let mark = symbols.last { !closing.contains($0) }
        let seconds = mark.flatMap { pauses[$0] } ?? shortest
        return Int(seconds * Float(KokoroContract.sampleRate))
    }

    /// The range of a run without the silence at its edges.
    ///
    /// - Parameters:
    ///   - isFirst: Whether no run is before it.
    ///   - isLast: Whether none comes after it.
    static func audible(in samples: UnsafeBufferPointer<Float>, isFirst: Bool, isLast: Bool) -> Range<Int> {
        var peak: Float = 0
        for sample in samples { peak = max(peak, sample.magnitude) }
        let floor = peak * silence
        guard peak > 0, let first = samples.firstIndex(where: { $0.magnitude > floor }),
            let last = samples.lastIndex(where: { $0.magnitude > floor })
        else { return samples.startIndex..<samples.endIndex }
        return max(
            0, first - (isFirst ? firstMargin : innerMargin))..<min(
                samples.count, last + 1 + (isLast ? lastMargin : innerMargin))
    }

    /// Fades edges, so that they do not click.
    static func fade(_ samples: inout [Float], atBeginning: Bool, atEnd: Bool) {
        let count = min(fadeLength, samples.count / 2)
        for index in 0..<count {
            let level = Float(index) / Float(count)
            if atBeginning { samples[index] *= level }
            if atEnd { samples[samples.count - 1 - index] *= level }
        }
    }
}
