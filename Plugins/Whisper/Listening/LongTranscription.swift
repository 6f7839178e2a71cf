import EngineKit
import SynthRecognizerParts

/// What understands a window: a model, or a script in tests.
protocol WindowListener {
    /// The most samples of a window.
    var longest: Int { get }
    var table: TokenTable { get }

    /// - Parameter progress: Called before each token; throws to stop.
    mutating func hear(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, progress: (Int) throws -> Void
    ) throws -> WindowText
}

/// Understands sound of any length, window by window.
///
/// A window ends in a pause, so that no word is cut. If there is none in 30 s, it ends at the quietest place of its last third, and
/// what the model has not closed there with a time is heard again at the beginning of the next one.
struct LongTranscription<Listener: WindowListener> {
    /// Between two partials, in samples: each reads the whole window again.
    private static var partialStep: Int { LogMel.rate }
    /// A pause of a long window in which it is cut, in samples from its beginning: what is shorter costs as much as 30 s.
    private static var leastWindow: Int { 5 * LogMel.rate }
    /// Loud sound after the last words for which a window is read again from there, in samples.
    private static var leastUnheard: Int { LogMel.rate }
    private static var mostLeading: Int { 223 }
    private static var mostHints: Int { 100 }

    var listener: Listener
    let options: DecodingOptions
    /// Pauses in some samples, as ranges of their indices.
    let pauses: (ArraySlice<Float>) -> [Range<Int>]

    /// Sound that is not understood yet.
    private var waiting: [Float] = []
    /// Of its first sample.
    private var offset = 0
    private var language: String?
    private let hints: [Int]
    private let phrases: PhraseTree?
    /// Words of the windows before.
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
    ///   - read: waits for at least one sample, and returns no more than the number that it gets; none = the sound has ended.
    ///   - ready: How many it would give without waiting.
    ///   - isComplete: Whether all of the sound has come. A partial is given up then: its reader waits for the final text.
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
                // Who is late needs no partial.
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

    /// Says that a partial is given up.
    private struct NotNeeded: Error {}

    private mutating func tellPartial(_ isComplete: () -> Bool, _ report: (TranscriptionEvent) -> Bool) throws {
        guard !isComplete(), !QuietPlaces.isSilent(waiting[...]) else { return }
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

    /// Understands the next window of what waits.
    ///
    /// - Parameter isLast: Whether nothing comes after what waits.
    private mutating func understand(
        isLast: Bool, _ report: (TranscriptionEvent) -> Bool
    ) throws {
        guard !waiting.isEmpty else { return }
        let isWhole = isLast && waiting.count <= listener.longest
        let (length, isPause) = isWhole ? (waiting.count, true) : windowEnd()
        let window = waiting[..<length]
        guard !QuietPlaces.isSilent(window) else { return pass(length) }
        var request = request
        // Without times nobody knows what of a word was cut.
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
        // With their times, without which the next window would have none either.
        let end = parts.last?.places.last.map { $0 + 1 } ?? 0
        let words = text.tokens[..<end] + text.tokens[end...].prefix { listener.table.isTime($0) }.prefix(1)
        leading = text.isDoubtful || !options.leadsOn ? [] : Array((leading + words).suffix(Self.mostLeading))
        pass(next)
    }

    private mutating func pass(_ count: Int) {
        waiting.removeFirst(count)
        offset += count
    }

    /// Where the window ends, and whether that is in a pause.
    private func windowEnd() -> (end: Int, isPause: Bool) {
        let longest = min(listener.longest, waiting.count)
        let middles = pauses(waiting[..<longest]).map { $0.lowerBound + $0.count / 2 }
            .filter { $0 > 0 && $0 <= longest }
        if let late = middles.last(where: { $0 >= Self.leastWindow }) ?? middles.last { return (late, true) }
        let third = longest * 2 / 3
        return (max(1, min(longest, QuietPlaces.quietest(in: waiting[third..<longest]))), false)
    }

    /// Where the next window begins, in samples of this one. Takes away what will be heard again.
    private func nextStart(
        _ text: WindowText, _ parts: inout [SegmentMaker.Part], end: Int, isPause: Bool
    ) -> Int {
        let table = listener.table
        let isFull = text.tokens.count >= TokenSearch.mostTokens
        // Closed words only: the others may be cut.
        if let last = parts.last, last.end == nil, !isPause || isFull, parts.count > 1 { parts.removeLast() }
        guard let closed = parts.last?.end.map({ Int($0 * Double(LogMel.rate)) }), closed >= LogMel.rate, closed < end
        else { return end }
        let wasDropped = parts.last.map { part in
            text.tokens[((part.places.last ?? 0) + 1)...].contains(where: table.isText)
        }
        if wasDropped == true { return closed }
        // As the published decoder has it: after two times something follows; a single one at the end closes the window.
        if !isPause, text.tokens.suffix(2).allSatisfy(table.isTime) { return closed }
        // A small model ends too early now and then. Noise after the words is none of them.
        let rest = waiting[closed..<end]
        let loud = QuietPlaces.loudCount(in: closed..<end, of: waiting[..<end])
        return loud >= Self.leastUnheard && !QuietPlaces.isSilent(rest) ? closed : end
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
