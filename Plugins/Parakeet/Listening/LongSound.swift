import EngineKit
import SynthRecognizerParts

/// Transcribes audio of any length in windows that end at pauses.
///
/// The model processes a complete window in one run and normalizes each band over the whole window. Therefore, audio
/// longer than 30 s is cut at the last pause or, if there is no pause, at the quietest point in the last third.
struct LongSound {
    enum Update {
        /// The first `stable` bytes are final: all later texts begin with them.
        case partial(RecognizedText, stable: Int)
        case final(RecognizedText)
    }

    typealias Transcribe = (ArraySlice<Float>) throws -> [FoundToken]

    /// The maximum window length in samples.
    static let longest = 30 * PauseFinder.rate
    private static let least = 5 * PauseFinder.rate
    /// The number of samples between consecutive partial texts. For each partial text, the entire window is processed
    /// again.
    private static let partialStep = PauseFinder.rate
    /// The minimum length in samples, which is shorter than any word.
    private static let shortest = PauseFinder.rate / 10

    let text: TokenText
    /// Whether a window produces a single text instead of one text per sentence.
    let isOneText: Bool
    let wantsPartials: Bool

    private var waiting: [Float] = []
    /// The stream position of the first waiting sample.
    private var offset = 0
    /// The tokens at the beginning of the waiting audio that have been reported as stable.
    private var stable: [FoundToken] = []
    /// The tokens of the last partial text.
    private var reading: [FoundToken] = []

    init(_ text: TokenText, isOneText: Bool = false, wantsPartials: Bool = false) {
        (self.text, self.isOneText, self.wantsPartials) = (text, isOneText, wantsPartials)
    }

    /// - Parameters:
    ///   - read: Waits for at least one sample and returns at most the given number. An empty result marks the end of
    ///     the audio.
    ///   - ready: The number of samples that `read` can return without waiting.
    ///   - transcribe: Returns the tokens of a window.
    mutating func run(
        read: (_ most: Int) throws -> [Float], ready: () -> Int, transcribe: Transcribe, tell: (Update) throws -> Void
    ) throws {
        var hasEnded = false
        while !hasEnded || !waiting.isEmpty {
            var sinceLast = 0
            // Read one more sample to find out whether the audio ends here.
            while !hasEnded, waiting.count <= Self.longest {
                let piece = try read(min(Self.partialStep, Self.longest + 1 - waiting.count))
                hasEnded = piece.isEmpty
                waiting += piece
                sinceLast += piece.count
                // Partial texts are skipped if transcription cannot keep up.
                guard wantsPartials, sinceLast >= Self.partialStep, !hasEnded, ready() < Self.partialStep / 2 else {
                    continue
                }
                sinceLast = 0
                let tokens = try tokens(of: waiting[...], transcribe)
                note(tokens)
                let range = offset..<offset + waiting.count
                let known = text.texts(stable, in: range, isOne: true).first?.text.utf8.count ?? 0
                for heard in text.texts(tokens, in: range, isOne: true) { try tell(.partial(heard, stable: known)) }
            }
            let end = hasEnded && waiting.count <= Self.longest ? waiting.count : cut()
            let rest = takeStable(from: end)
            let tokens = try tokens(of: waiting[..<end], transcribe)
            for heard in text.texts(tokens, in: offset..<offset + end, isOne: isOneText) { try tell(.final(heard)) }
            (stable, reading) = (rest, [])
            waiting.removeFirst(end)
            offset += end
        }
    }

    /// Returns the tokens of a window, beginning with the stable tokens.
    private func tokens(of window: ArraySlice<Float>, _ transcribe: Transcribe) throws -> [FoundToken] {
        guard window.count >= Self.shortest, !PauseFinder.isSilent(window) else { return stable }
        let found = try transcribe(window)
        guard let last = stable.last, !found.map(\.token).starts(with: stable.map(\.token)) else { return found }
        // The model may now place the same word one frame later.
        let later = found.drop { $0.frame <= last.frame + 1 }
        return stable + later.drop { !text.beginsWord($0) }
    }

    /// Updates the stable tokens from `tokens`, the tokens of all waiting audio.
    private mutating func note(_ tokens: [FoundToken]) {
        let count = StableBeginning.count(of: reading.map(\.token), tokens.map(\.token)) {
            text.beginsWord(tokens[$0])
        }
        if count > stable.count { stable = Array(tokens[..<count]) }
        reading = tokens
    }

    /// Removes the stable tokens of words that begin at or after this sample.
    ///
    /// - Returns: The removed tokens, with frames relative to that sample.
    private mutating func takeStable(from end: Int) -> [FoundToken] {
        let frame = end / text.samplesPerFrame
        guard let first = stable.firstIndex(where: { $0.frame >= frame && text.beginsWord($0) }) else { return [] }
        defer { stable.removeSubrange(first...) }
        return stable[first...].map { token in
            var token = token
            token.frame -= frame
            return token
        }
    }

    /// Returns the end of the next window.
    private func cut() -> Int {
        let window = waiting[..<Self.longest]
        let middles = PauseFinder.pauses(in: window).map { $0.lowerBound + $0.count / 2 }
        if let last = middles.last(where: { $0 >= Self.least }) { return last }
        return max(1, PauseFinder.quietest(in: window[(Self.longest * 2 / 3)...]))
    }
}
