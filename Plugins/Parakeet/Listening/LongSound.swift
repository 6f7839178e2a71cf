import EngineKit
import SynthRecognizerParts

/// Transcribes audio of any length in windows that end in pauses.
///
/// A model processes a whole window at once and normalizes each band over it. So audio longer than 30 s is cut at the last pause or,
/// without a pause, at the quietest point of the last third.
struct LongSound {
    enum Told {
        case partial(RecognizedText)
        case final(RecognizedText)
    }

    typealias Hear = (ArraySlice<Float>) throws -> [FoundToken]

    /// The longest window in samples.
    static let longest = 30 * PauseFinder.rate
    private static let least = 5 * PauseFinder.rate
    /// Samples between two partial texts: each partial reads the whole window again.
    private static let partialStep = PauseFinder.rate
    /// Shorter than any word.
    private static let shortest = PauseFinder.rate / 10

    let text: TokenText
    /// Whether a window is one text instead of one for each sentence.
    let isOneText: Bool
    let wantsPartials: Bool

    /// Audio that has not been transcribed yet.
    private var waiting: [Float] = []
    /// The position of its first sample.
    private var offset = 0

    init(_ text: TokenText, isOneText: Bool = false, wantsPartials: Bool = false) {
        (self.text, self.isOneText, self.wantsPartials) = (text, isOneText, wantsPartials)
    }

    /// - Parameters:
    ///   - read: Waits for at least one sample and returns at most the given number; an empty result ends the audio.
    ///   - ready: The number of samples that `read` returns without waiting.
    ///   - hear: Returns the tokens of a window.
    mutating func run(
        read: (_ most: Int) throws -> [Float], ready: () -> Int, hear: Hear, tell: (Told) throws -> Void
    ) throws {
        var hasEnded = false
        while !hasEnded || !waiting.isEmpty {
            var sinceLast = 0
            // One more sample shows whether the audio ends here.
            while !hasEnded, waiting.count <= Self.longest {
                let piece = try read(min(Self.partialStep, Self.longest + 1 - waiting.count))
                hasEnded = piece.isEmpty
                waiting += piece
                sinceLast += piece.count
                // No partial text is needed when transcription is behind.
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

    private func texts(_ window: ArraySlice<Float>, isOne: Bool, _ hear: Hear) throws -> [RecognizedText] {
        guard window.count >= Self.shortest, !PauseFinder.isSilent(window) else { return [] }
        return text.texts(try hear(window), in: offset..<offset + window.count, isOne: isOne)
    }

    /// The end of the window.
    private func cut() -> Int {
        let window = waiting[..<Self.longest]
        let middles = PauseFinder.pauses(in: window).map { $0.lowerBound + $0.count / 2 }
        if let last = middles.last(where: { $0 >= Self.least }) { return last }
        return max(1, PauseFinder.quietest(in: window[(Self.longest * 2 / 3)...]))
    }
}
