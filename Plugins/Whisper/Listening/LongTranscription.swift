import EngineKit
import Glibc
import SynthRecognizerParts

/// Transcribes a window. The implementations are the Whisper model and, in tests, a scripted replacement.
protocol WindowTranscriber {
    /// The maximum window length in samples.
    var longest: Int { get }
    var table: TokenTable { get }

    /// - Parameter progress: Called before each token. It throws to stop.
    mutating func transcribeWindow(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, progress: (Int) throws -> Void
    ) throws -> WindowText
}

/// Transcribes audio of any length, window by window.
///
/// A window ends in a pause so that no word is cut in two. If 30 s of audio contain no pause, the window ends at the
/// quietest point in its last third, and the audio after the last closing timestamp is transcribed again with the next
/// window.
struct LongTranscription<Listener: WindowTranscriber> {
    /// The number of samples between consecutive partial texts. For each partial text, the entire window is transcribed
    /// again.
    private static var partialStep: Int { LogMel.rate }
    /// The earliest position at which a window may end in a pause, in samples from its start. A shorter window would
    /// take as long to transcribe as one of 30 s.
    private static var minimumWindow: Int { 5 * LogMel.rate }
    /// If the last word is followed by at least this number of loud samples, the next window starts directly after that
    /// word.
    private static var minimumUnread: Int { LogMel.rate }
    /// If the pause after a word is followed by at least this number of loud samples without text, the next window
    /// starts in that pause.
    private static var minimumUtterance: Int { LogMel.rate / 2 }
    /// The lengths, in samples, that a pause between utterances and the word before it may have.
    private static var pauseLengths: PartialRangeFrom<Int> { (LogMel.rate * 3 / 10)... }
    private static var wordLengths: ClosedRange<Int> { LogMel.rate / 10...LogMel.rate }
    private static var maximumLeadingTokens: Int { 223 }
    private static var maximumHints: Int { 100 }
    /// The maximum number of stable tokens. The model's context must also have space for the prompt and for the window's
    /// remaining tokens.
    private static var maximumStableTokens: Int { 192 }

    var listener: Listener
    let options: DecodingOptions
    /// Finds pauses, as ranges of sample indices.
    let pauses: (ArraySlice<Float>) -> [Range<Int>]

    private var waiting: [Float] = []
    /// The stream position of the first waiting sample.
    private var offset = 0
    private var language: String?
    private let hints: [Int]
    private let phrases: PhraseTree?
    /// The tokens of the preceding windows.
    private var leading: [Int] = []
    private var transcript = Transcript()
    /// The tokens at the beginning of the waiting audio that have been reported as stable.
    private var stable: [Int] = []
    /// The tokens of the last partial text.
    private var reading: [Int] = []

    init(
        _ listener: Listener, _ options: DecodingOptions, pauses: @escaping (ArraySlice<Float>) -> [Range<Int>]
    ) {
        self.listener = listener
        self.options = options
        self.pauses = pauses
        language = options.language.map { WhisperLanguage.code(of: $0) }
        let text = options.hints?.split { $0.isWhitespace }.joined(separator: " ") ?? ""
        let encoder = TokenEncoder(listener.table)
        hints = text.isEmpty ? [] : encoder.tokens(of: " " + text).suffix(Self.maximumHints)
        var tree = PhraseTree(token: options.phraseBonus.token, letter: options.phraseBonus.letter)
        for phrase in options.phrases {
            tree.add(phrase, tokens: { encoder.tokens(of: $0) }, bytes: listener.table.bytes)
        }
        phrases = tree.isEmpty ? nil : tree
    }

    /// - Parameters:
    ///   - read: Waits for at least one sample and returns at most the given number. An empty result marks the end of
    ///     the audio.
    ///   - ready: The number of samples that `read` can return without waiting.
    ///   - isComplete: Whether all audio has arrived. If so, partial texts are abandoned because the client is waiting
    ///     for the final text.
    ///   - report: Called for each event. It returns false to stop.
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
                // Partial texts are skipped if transcription cannot keep up.
                guard options.wantsPartials, sinceLast >= Self.partialStep, !hasEnded, waiting.count < listener.longest,
                    ready() < Self.partialStep / 2
                else { continue }
                sinceLast = 0
                try tellPartial(isComplete, report)
            }
            try transcribeWaiting(isLast: hasEnded, report)
        }
        return transcript
    }

    /// Thrown to abandon the transcription of a partial text.
    private struct NotNeeded: Error {}

    private mutating func tellPartial(_ isComplete: () -> Bool, _ report: (TranscriptionEvent) -> Bool) throws {
        guard !isComplete(), !PauseFinder.isSilent(waiting[...]) else { return }
        var request = request
        (request.isTimed, request.wantsWords, request.width) = (false, false, 1)
        (request.isBrief, request.beginning) = (true, stable)
        let recognized: WindowText
        do {
            recognized = try transcribeWindow(waiting[...], request) { event in
                if isComplete() { throw NotNeeded() }
                try Self.tell(event, report)
            }
        } catch is NotNeeded {
            return
        }
        note(recognized)
        let (text, stable) = (trimmed(recognized.tokens), trimmed(stable).utf8.count)
        let range = Self.seconds(offset)...Self.seconds(offset + waiting.count)
        if !text.isEmpty { try Self.tell(.partial(text: text, stable: stable, seconds: range), report) }
    }

    /// Updates the stable tokens from `recognized`, the text for all of the waiting audio.
    private mutating func note(_ recognized: WindowText) {
        let tokens = recognized.tokens.filter(listener.table.isText)
        let count = StableBeginning.count(of: reading, tokens) { isBorder($0, of: tokens, recognized.language) }
        if count > stable.count, count <= Self.maximumStableTokens {
            stable = Array(tokens[..<count])
            language = recognized.language ?? language
        }
        reading = recognized.isDoubtful ? [] : tokens
    }

    /// Whether the token at this index begins a word.
    private func isBorder(_ place: Int, of tokens: [Int], _ language: String?) -> Bool {
        guard WhisperLanguage.hasNoSpaces(language ?? "en") else {
            return place == 0 || listener.table.bytes(tokens[place]).first == UInt8(ascii: " ")
        }
        return String(validating: tokens[..<place].flatMap(listener.table.bytes), as: UTF8.self) != nil
    }

    /// Returns the event for text that was omitted from a window; `nil` if no text was omitted.
    private func leftOut(of text: WindowText, _ length: Int) -> TranscriptionEvent? {
        guard let (tokens, reason) = text.leftOut else { return nil }
        let words = trimmed(tokens)
        guard !words.isEmpty else { return nil }
        var segment = TranscribedSegment(
            text: words, seconds: Self.seconds(offset)...Self.seconds(offset + length),
            confidence: min(1, exp(text.mean)), language: WhisperLanguage.tag(of: text.language ?? "en"))
        segment.probabilityOfQuiet = text.probabilityOfQuiet
        (segment.repetition, segment.temperature) = (text.repetition, text.temperature)
        return .leftOut(segment, reason)
    }

    private func trimmed(_ tokens: [Int]) -> String {
        String(listener.table.text(tokens.filter(listener.table.isText)).drop { $0.isWhitespace })
    }

    /// Transcribes the next window of the waiting audio.
    ///
    /// - Parameter isLast: Whether no more audio follows.
    private mutating func transcribeWaiting(
        isLast: Bool, _ report: (TranscriptionEvent) -> Bool
    ) throws {
        guard !waiting.isEmpty else { return }
        let isWhole = isLast && waiting.count <= listener.longest
        var (length, isPause) = isWhole ? (waiting.count, true) : windowEnd()
        var rest: [Int] = []
        if !stable.isEmpty, length < waiting.count {
            if let count = try stableCount(before: length, report) {
                (stable, rest) = (Array(stable[..<count]), Array(stable[count...]))
            } else {
                // A window that contains all waiting audio is certain to contain the stable tokens.
                (length, isPause) = (min(waiting.count, listener.longest), false)
            }
        }
        let window = waiting[..<length]
        var request = request
        request.beginning = stable
        (stable, reading) = (rest, [])
        guard !request.beginning.isEmpty || !PauseFinder.isSilent(window) else { return pass(length) }
        // Only timestamps reveal which words were cut.
        if !isPause { request.isTimed = true }
        let agreed = options.showsSearch ? AgreedText() : nil
        request.agreed = agreed
        let (table, range) = (listener.table, Self.seconds(offset)...Self.seconds(offset + length))
        let text = try transcribeWindow(window, request) { event in
            try Self.tell(event, report)
            guard let agreed, let beginning = Self.newBeginning(of: agreed, table) else { return }
            try Self.tell(.partial(text: beginning, stable: beginning.utf8.count, seconds: range), report)
        }
        if let leftOut = leftOut(of: text, length) { try Self.tell(leftOut, report) }
        language = text.language ?? language
        let maker = SegmentMaker(table: listener.table, offset: Self.seconds(offset), length: Self.seconds(length))
        var parts = maker.parts(text.tokens)
        let next = rest.isEmpty ? nextStart(text, &parts, end: length, isPause: isPause) : length
        if let agreed {
            // The next window must begin with the reported tokens that this window does not contain.
            let reported = agreed.tokens.prefix(agreed.reported).filter(listener.table.isText)
            stable += reported.dropFirst(parts.reduce(0) { $0 + $1.places.count })
        }
        for part in parts {
            guard let segment = maker.segment(part, of: text) else { continue }
            transcript.segments.append(segment)
            try Self.tell(.segment(segment), report)
        }
        // The context includes timestamps; otherwise, the model would produce none in the next window.
        let end = parts.last?.places.last.map { $0 + 1 } ?? 0
        let words = text.tokens[..<end] + text.tokens[end...].prefix { listener.table.isTime($0) }.prefix(1)
        leading = text.isDoubtful || !options.leadsOn ? [] : Array((leading + words).suffix(Self.maximumLeadingTokens))
        pass(next)
    }

    /// Returns the complete words at the beginning of a text while the search is running; `nil` if there are no new
    /// words since the last call.
    private static func newBeginning(of agreed: AgreedText, _ table: TokenTable) -> String? {
        let tokens = agreed.tokens
        // Text in a language without spaces is reported only when it is complete.
        let end = tokens.indices.last { table.isText(tokens[$0]) && table.bytes(tokens[$0]).first == UInt8(ascii: " ") }
        guard let end, end > agreed.reported, tokens[..<end].contains(where: table.isText) else { return nil }
        agreed.reported = end
        return String(table.text(tokens[..<end].filter(table.isText)).drop { $0.isWhitespace })
    }

    /// Returns the number of stable tokens, in complete words, that were spoken before the given sample; `nil` if the
    /// model cannot align words.
    private mutating func stableCount(
        before end: Int, _ report: (TranscriptionEvent) -> Bool
    ) throws -> Int? {
        var request = request
        (request.isTimed, request.wantsWords, request.width) = (false, true, 1)
        (request.beginning, request.maximumTokens) = (stable, stable.count)
        let window = waiting.prefix(listener.longest)
        let text = try transcribeWindow(window, request) { try Self.tell($0, report) }
        guard let spans = text.spans, spans.count >= stable.count else { return nil }
        let later = spans.prefix(stable.count).firstIndex { $0.lowerBound >= Self.seconds(end) } ?? stable.count
        return (0...later).last { $0 == stable.count || isBorder($0, of: stable, text.language) }
    }

    private mutating func pass(_ count: Int) {
        waiting.removeFirst(count)
        offset += count
    }

    /// Returns the end of the window and whether the end is in a pause.
    private func windowEnd() -> (end: Int, isPause: Bool) {
        let longest = min(listener.longest, waiting.count)
        let middles = pauses(waiting[..<longest]).map { $0.lowerBound + $0.count / 2 }
            .filter { $0 > 0 && $0 <= longest }
        if let late = middles.last(where: { $0 >= Self.minimumWindow }) ?? middles.last { return (late, true) }
        let third = longest * 2 / 3
        return (max(1, min(longest, PauseFinder.quietest(in: waiting[third..<longest]))), false)
    }

    /// Returns the start of the next window, in samples from the start of this one. Removes the parts that will be
    /// transcribed again.
    private func nextStart(
        _ text: WindowText, _ parts: inout [SegmentMaker.Part], end: Int, isPause: Bool
    ) -> Int {
        for (place, next) in parts.dropFirst().enumerated() {
            guard let start = missed(after: parts[place], of: text, before: min(Self.samples(next.start), end)) else {
                continue
            }
            // The model skipped an utterance, which it often recognizes if the window starts there.
            parts.removeSubrange((place + 1)...)
            return start
        }
        let table = listener.table
        let isFull = text.tokens.count >= TokenSearch.maximumTokens
        // Keep only words that are followed by a closing timestamp, because the others may be incomplete.
        if let last = parts.last, last.end == nil, !isPause || isFull, parts.count > 1 { parts.removeLast() }
        guard let closed = parts.last?.end.map({ Self.samples($0) }), closed >= LogMel.rate, closed < end
        else { return end }
        let wasDropped = parts.last.map { part in
            text.tokens[((part.places.last ?? 0) + 1)...].contains(where: table.isText)
        }
        if wasDropped == true { return closed }
        // As in the published decoder, two timestamps at the end mean that more text follows, whereas a single one
        // closes the window.
        if !isPause, text.tokens.suffix(2).allSatisfy(table.isTime) { return closed }
        // If the model stops too early, as small models sometimes do, the next window starts where it stopped. Noise
        // after the words must not be mistaken for missed speech.
        guard !PauseFinder.isSilent(waiting[closed..<end]) else { return end }
        if PauseFinder.loudCount(in: closed..<end, of: waiting[..<end]) >= Self.minimumUnread { return closed }
        return parts.last.flatMap { missed(after: $0, of: text, before: end) } ?? end
    }

    /// Returns the middle of the pause before an utterance without text; `nil` if there is none.
    ///
    /// The last word of the preceding part is followed by a pause. The model's attention covers all audio, so the model
    /// assigns the utterance to that word. A timestamp closes the word, but small models often round it to whole
    /// seconds.
    private func missed(after part: SegmentMaker.Part, of text: WindowText, before limit: Int) -> Int? {
        guard let word = lastWord(of: part, text), word < limit, !PauseFinder.isSilent(waiting[word..<limit]),
            let pause = pauses(waiting[word..<limit]).first, Self.wordLengths.contains(pause.lowerBound - word),
            Self.pauseLengths.contains(pause.count)
        else { return nil }
        let loud = PauseFinder.loudCount(in: pause.upperBound..<limit, of: waiting[..<limit])
        return loud >= Self.minimumUtterance ? pause.lowerBound + pause.count / 2 : nil
    }

    /// Returns the first sample of the last word.
    private func lastWord(of part: SegmentMaker.Part, _ text: WindowText) -> Int? {
        guard let first = part.places.first,
            let last = part.places.last(where: {
                listener.table.bytes(text.tokens[$0]).first == UInt8(ascii: " ") || $0 == first
            })
        else { return nil }
        let index = text.tokens[..<last].count(where: listener.table.isText)
        if let spans = text.spans, spans.indices.contains(index) { return Self.samples(spans[index].lowerBound) }
        return part.end.map { max(0, Self.samples($0) - Self.wordLengths.lowerBound) }
    }

    private var request: WindowRequest {
        var request = WindowRequest(
            language: language, toEnglish: options.toEnglish, isTimed: options.isTimed, wantsWords: options.wantsWords,
            isBrief: options.isBrief,
            width: options.width, previous: hints + leading.suffix(Self.maximumLeadingTokens - hints.count))
        (request.phrases, request.place) = (phrases, offset)
        return request
    }

    private mutating func transcribeWindow(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, _ tell: (TranscriptionEvent) throws -> Void
    ) throws -> WindowText {
        let done = Double(offset) / Double(max(1, offset + waiting.count))
        return try listener.transcribeWindow(samples, request) { _ in try tell(.progress(done)) }
    }

    private static func tell(_ event: TranscriptionEvent, _ report: (TranscriptionEvent) -> Bool) throws {
        if !report(event) { throw Stopped() }
    }

    private static func seconds(_ samples: Int) -> Double { Double(samples) / Double(LogMel.rate) }
    private static func samples(_ seconds: Double) -> Int { Int(seconds * Double(LogMel.rate)) }
}
