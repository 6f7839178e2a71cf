import EngineKit
import SynthRecognizerParts

/// Transcribes one window: a model, or a script in tests.
protocol WindowTranscriber {
    /// The largest window in samples.
    var longest: Int { get }
    var table: TokenTable { get }

    /// - Parameter progress: Called before each token; throws to stop.
    mutating func hear(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, progress: (Int) throws -> Void
    ) throws -> WindowText
}

/// Transcribes audio of any length, window by window.
///
/// A window ends in a pause, so that no word is cut. If 30 s contain no pause, it ends at the quietest point of its last third.
/// Whatever the model did not close with a timestamp before that point is read again at the start of the next window.
struct LongTranscription<Listener: WindowTranscriber> {
    /// Samples between two partial texts: each partial reads the whole window again.
    private static var partialStep: Int { LogMel.rate }
    /// The earliest pause, in samples from the start, at which a long window is cut. Shorter windows cost as much as 30 s.
    private static var leastWindow: Int { 5 * LogMel.rate }
    /// Loud audio after the last word, in samples, that makes the next window start right after that word.
    private static var minimumUnread: Int { LogMel.rate }
    private static var mostLeading: Int { 223 }
    private static var mostHints: Int { 100 }

    var listener: Listener
    let options: DecodingOptions
    /// Finds the pauses in some samples, as ranges of indices.
    let pauses: (ArraySlice<Float>) -> [Range<Int>]

    /// Audio that has not been transcribed yet.
    private var waiting: [Float] = []
    /// The position of its first sample.
    private var offset = 0
    private var language: String?
    private let hints: [Int]
    private let phrases: PhraseTree?
    /// Tokens of the preceding windows.
    private var leading: [Int] = []
    private var transcript = Transcript()

    init(
        _ listener: Listener, _ options: DecodingOptions, pauses: @escaping (ArraySlice<Float>) -> [Range<Int>]
    ) {
        self.listener = listener
        self.options = options
        self.pauses = pauses
        language = options.language.map { WhisperLanguage.code(of: $0) }
        let text = options.hints?.split { $0.isWhitespace }.joined(separator: " ") ?? ""
        let encoder = TokenEncoder(listener.table)
        hints = text.isEmpty ? [] : encoder.tokens(of: " " + text).suffix(Self.mostHints)
        var tree = PhraseTree(token: options.phraseBonus.token, letter: options.phraseBonus.letter)
        for phrase in options.phrases {
            tree.add(phrase, tokens: { encoder.tokens(of: $0) }, bytes: listener.table.bytes)
        }
        phrases = tree.isEmpty ? nil : tree
    }

    /// - Parameters:
    ///   - read: Waits for at least one sample, and returns at most the given number; an empty result ends the audio.
    ///   - ready: The number of samples that `read` returns without waiting.
    ///   - isComplete: Whether all audio has arrived. If so, partial texts are abandoned, because the client waits for the
    ///     final text.
    ///   - report: Returns false to stop.
    mutating func run(
        read: (_ most: Int) throws -> [Float], ready: () -> Int, isComplete: () -> Bool = { false },
        report: (TranscriptionEvent) -> Bool
    ) throws -> Transcript {
        var hasEnded = false
        while !hasEnded || !waiting.isEmpty {
            var sinceLast = 0
            while !hasEnded, waiting.count < listener.longest {
                let piece = try read(min(Self.partialStep, listener.longest - waiting.count))
                hasEnded = piece.isEmpty
                waiting += piece
                sinceLast += piece.count
                // No partial text is needed when transcription is behind.
                guard options.wantsPartials, sinceLast >= Self.partialStep, !hasEnded, waiting.count < listener.longest,
                    ready() < Self.partialStep / 2
                else { continue }
                sinceLast = 0
                try tellPartial(isComplete, report)
            }
            try understand(isLast: hasEnded, report)
        }
        return transcript
    }

    /// Thrown to abandon a partial text.
    private struct NotNeeded: Error {}

    private mutating func tellPartial(_ isComplete: () -> Bool, _ report: (TranscriptionEvent) -> Bool) throws {
        guard !isComplete(), !PauseFinder.isSilent(waiting[...]) else { return }
        var request = request
        (request.isTimed, request.wantsWords, request.width) = (false, false, 1)
        request.isBrief = true
        let heard: WindowText
        do {
            heard = try hear(waiting[...], request) { event in
                if isComplete() { throw NotNeeded() }
                try Self.tell(event, report)
            }
        } catch is NotNeeded {
            return
        }
        let text = listener.table.text(heard.tokens.filter(listener.table.isText))
        let trimmed = String(text.drop { $0.isWhitespace })
        let range = Self.seconds(offset)...Self.seconds(offset + waiting.count)
        if !trimmed.isEmpty { try Self.tell(.partial(text: trimmed, seconds: range), report) }
    }

    /// Transcribes the next window of the waiting audio.
    ///
    /// - Parameter isLast: Whether no more audio follows.
    private mutating func understand(
        isLast: Bool, _ report: (TranscriptionEvent) -> Bool
    ) throws {
        guard !waiting.isEmpty else { return }
        let isWhole = isLast && waiting.count <= listener.longest
        let (length, isPause) = isWhole ? (waiting.count, true) : windowEnd()
        let window = waiting[..<length]
        guard !PauseFinder.isSilent(window) else { return pass(length) }
        var request = request
        // Only timestamps show which words were cut.
        if !isPause { request.isTimed = true }
        let text = try hear(window, request) { try Self.tell($0, report) }
        if text.isDropped {
            try Self.tell(.dropped(seconds: Self.seconds(offset)...Self.seconds(offset + length)), report)
        }
        language = text.language ?? language
        let maker = SegmentMaker(table: listener.table, offset: Self.seconds(offset), length: Self.seconds(length))
        var parts = maker.parts(text.tokens)
        let next = nextStart(text, &parts, end: length, isPause: isPause)
        for part in parts {
            guard let segment = maker.segment(part, of: text) else { continue }
            transcript.segments.append(segment)
            try Self.tell(.segment(segment), report)
        }
        // The context includes timestamps; without them the model would write none in the next window.
        let end = parts.last?.places.last.map { $0 + 1 } ?? 0
        let words = text.tokens[..<end] + text.tokens[end...].prefix { listener.table.isTime($0) }.prefix(1)
        leading = text.isDoubtful || !options.leadsOn ? [] : Array((leading + words).suffix(Self.mostLeading))
        pass(next)
    }

    private mutating func pass(_ count: Int) {
        waiting.removeFirst(count)
        offset += count
    }

    /// The end of the window, and whether it is in a pause.
    private func windowEnd() -> (end: Int, isPause: Bool) {
        let longest = min(listener.longest, waiting.count)
        let middles = pauses(waiting[..<longest]).map { $0.lowerBound + $0.count / 2 }
            .filter { $0 > 0 && $0 <= longest }
        if let late = middles.last(where: { $0 >= Self.leastWindow }) ?? middles.last { return (late, true) }
        let third = longest * 2 / 3
        return (max(1, min(longest, PauseFinder.quietest(in: waiting[third..<longest]))), false)
    }

    /// The start of the next window, in samples of this one. Removes the parts that will be read again.
    private func nextStart(
        _ text: WindowText, _ parts: inout [SegmentMaker.Part], end: Int, isPause: Bool
    ) -> Int {
        let table = listener.table
        let isFull = text.tokens.count >= TokenSearch.mostTokens
        // Keep only words that a timestamp closes; the others may be cut.
        if let last = parts.last, last.end == nil, !isPause || isFull, parts.count > 1 { parts.removeLast() }
        guard let closed = parts.last?.end.map({ Int($0 * Double(LogMel.rate)) }), closed >= LogMel.rate, closed < end
        else { return end }
        let wasDropped = parts.last.map { part in
            text.tokens[((part.places.last ?? 0) + 1)...].contains(where: table.isText)
        }
        if wasDropped == true { return closed }
        // As in the published decoder, two timestamps mean that more follows; a single one at the end closes the window.
        if !isPause, text.tokens.suffix(2).allSatisfy(table.isTime) { return closed }
        // A small model sometimes stops too early. Noise after the words does not count.
        let rest = waiting[closed..<end]
        let loud = PauseFinder.loudCount(in: closed..<end, of: waiting[..<end])
        return loud >= Self.minimumUnread && !PauseFinder.isSilent(rest) ? closed : end
    }

    private var request: WindowRequest {
        WindowRequest(
            language: language, toEnglish: options.toEnglish, isTimed: options.isTimed, wantsWords: options.wantsWords,
            isBrief: options.isBrief,
            width: options.width, previous: hints + leading.suffix(Self.mostLeading - hints.count), phrases: phrases)
    }

    private mutating func hear(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, _ tell: (TranscriptionEvent) throws -> Void
    ) throws -> WindowText {
        let done = Double(offset) / Double(max(1, offset + waiting.count))
        return try listener.hear(samples, request) { _ in try tell(.progress(done)) }
    }

    private static func tell(_ event: TranscriptionEvent, _ report: (TranscriptionEvent) -> Bool) throws {
        if !report(event) { throw Stopped() }
    }

    private static func seconds(_ samples: Int) -> Double { Double(samples) / Double(LogMel.rate) }
}
