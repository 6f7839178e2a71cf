import EngineKit
import SynthRecognizerParts

/// Understands sound of any length in windows that end in pauses.
///
/// A model hears all of a window at once, and each band of it by its mean there. So what is longer than 30 s is cut at the last pause, or, if
/// there is none, at the quietest place of the last third.
struct LongSound {
    enum Told {
        case partial(HeardText)
        case final(HeardText)
    }

    typealias Hear = (ArraySlice<Float>) throws -> [FoundToken]

    /// In samples.
    static let longest = 30 * QuietPlaces.rate
    private static let least = 5 * QuietPlaces.rate
    /// Between two partials: each hears the whole window anew.
    private static let partialStep = QuietPlaces.rate
    /// Shorter than any word.
    private static let shortest = QuietPlaces.rate / 10

    let text: TokenText
    /// Whether a window is one text, and not one for each sentence.
    let isOneText: Bool
    let wantsPartials: Bool

    /// Sound that is not understood yet.
    private var waiting: [Float] = []
    /// Of its first sample.
    private var offset = 0

    init(_ text: TokenText, isOneText: Bool = false, wantsPartials: Bool = false) {
        (self.text, self.isOneText, self.wantsPartials) = (text, isOneText, wantsPartials)
    }

    /// - Parameters:
    ///   - read: Waits for at least one sample and gives at most so many; none = the sound has ended.
    ///   - ready: How many it would give without waiting.
    ///   - hear: The tokens of a window.
    mutating func run(
        read: (_ most: Int) throws -> [Float], ready: () -> Int, hear: Hear, tell: (Told) throws -> Void
    ) throws {
        var hasEnded = false
        while !hasEnded || !waiting.isEmpty {
            var sinceLast = 0
            // One sample more tells whether the sound ends here.
            while !hasEnded, waiting.count <= Self.longest {
                let piece = try read(min(Self.partialStep, Self.longest + 1 - waiting.count))
                hasEnded = piece.isEmpty
                waiting += piece
                sinceLast += piece.count
                // Who is late needs no partial.
                guard wantsPartials, sinceLast >= Self.partialStep, !hasEnded, ready() < Self.partialStep / 2 else {
                    continue
                }
                sinceLast = 0
                for heard in try texts(waiting[...], isOne: true, hear) { try tell(.partial(heard)) }
            }
            let end = hasEnded && waiting.count <= Self.longest ? waiting.count : cut()
            for heard in try texts(waiting[..<end], isOne: isOneText, hear) { try tell(.final(heard)) }
            waiting.removeFirst(end)
            offset += end
        }
    }

    private func texts(_ window: ArraySlice<Float>, isOne: Bool, _ hear: Hear) throws -> [HeardText] {
        guard window.count >= Self.shortest, !QuietPlaces.isSilent(window) else { return [] }
        return text.texts(try hear(window), in: offset..<offset + window.count, isOne: isOne)
    }

    /// Where the window ends.
    private func cut() -> Int {
        let window = waiting[..<Self.longest]
        let middles = QuietPlaces.pauses(in: window).map { $0.lowerBound + $0.count / 2 }
        if let last = middles.last(where: { $0 >= Self.least }) { return last }
        return max(1, QuietPlaces.quietest(in: window[(Self.longest * 2 / 3)...]))
    }
}
