import EngineKit
import Glibc
import SynthRecognizerParts

/// The text recognized in one window of at most 30 s.
struct WindowText {
    /// Words and, if requested, timestamps. Empty if the window contains no speech.
    var tokens: [Int] = []
    /// One logarithm per token.
    var logarithms: [Double] = []
    /// The language as Whisper's code; `nil` for English-only models.
    var language: String?
    /// The mean natural logarithm of a token's probability.
    var mean = 0.0
    var probabilityOfQuiet = 0.0
    /// The compression ratio of the text with zlib; 0 for an empty text.
    var repetition = 0.0
    /// The sampling temperature; above 0, the tokens were sampled.
    var temperature = 0.0
    /// The tokens of text that was left out because it was probably not spoken, and the reason.
    var leftOut: (tokens: [Int], reason: LeftOutReason)?
    /// Whether the first attempt was too poor for the text to serve as context for the next window.
    var isDoubtful = false
    /// The start and end of each text token in seconds, in order, if requested and supported by the model.
    var spans: [ClosedRange<Double>]?
}

/// The settings for one window.
struct WindowRequest {
    /// The language as Whisper's code; `nil` detects it.
    var language: String?
    var toEnglish = false
    var isTimed = true
    var wantsWords = false
    /// Whether a short response is wanted quickly, at some cost in accuracy.
    var isBrief = false
    var width = 1
    /// Tokens of the preceding text and of hints.
    var previous: [Int] = []
    /// The index of the window's first sample. Within a transcription, windows with the same first sample begin with the same audio.
    var place = 0
    /// The text tokens with which the window begins.
    var beginning: [Int] = []
    /// Receives the beginning of the text during the search; `nil` if it is not needed.
    var agreed: AgreedText?
    /// Names and terms to prefer; `nil` for none.
    var phrases: PhraseTree?
    var mostTokens = TokenSearch.mostTokens
    /// Whether to retry a doubtful text, and to remove silence and loops.
    var isChecked = true
}

/// Reads one window: detects the language, decodes, decides whether there was speech, and retries if the text is doubtful.
struct WindowReader<Scorer: TokenScorer> {
    /// The thresholds of the published decoder, except for repetition, where it uses 2.4. That misses a loop at the end of good
    /// text (2.36), whereas good windows stay below 1.7.
    private static var mostRepetition: Double { 2.0 }
    private static var leastMean: Double { -1 }
    /// Text with a lower mean is discarded: music and isolated sounds score lower, speech in loud noise scores higher.
    private static var leastMeanOfText: Double { -2 }
    private static var mostQuiet: Double { 0.6 }
    private static var secondWidth: Int { 5 }
    /// The temperatures of the sampling attempts, tried in order after a doubtful beam search.
    private static var temperatures: [Double] { [0.2, 0.4, 0.6, 0.8, 1] }
    /// Half of the context, minus the token that precedes the text.
    private static var mostPrevious: Int { 223 }

    let table: TokenTable
    let configuration: GenerationConfiguration
    var scorer: Scorer

    /// - Parameter progress: Called before each token with its number, from 1; throws to stop.
    mutating func read(
        _ request: WindowRequest, progress: (_ count: Int) throws -> Void = { _ in }
    ) throws -> WindowText {
        let rules = TokenRules(table: table, configuration: configuration, isTimed: request.isTimed)
        var text = WindowText()
        if configuration.isMultilingual { text.language = try language(request, rules) }
        let prompt = try prompt(request, language: text.language)
        var beginning = beginning(request)
        var search = TokenSearch(rules: rules, width: max(1, request.width))
        (search.mostTokens, search.phrases) = (request.mostTokens, request.phrases)
        (search.givesUpLoops, search.beginning) = (request.isChecked, beginning)
        search.agreed = request.agreed
        var found = try search.find(prompt, with: &scorer, progress: progress)
        if let agreed = request.agreed, agreed.reported > beginning.count {
            beginning = Array(agreed.tokens.prefix(agreed.reported))
            (search.agreed, search.beginning) = (nil, beginning)
        }
        if request.isChecked, isQuiet(found) { return only(beginning, of: found, text, .nobodySpeaks) }
        if request.isChecked, isDoubtful(found) {
            text.isDoubtful = true
            if search.width < Self.secondWidth {
                search = TokenSearch(rules: rules, width: Self.secondWidth)
                (search.mostTokens, search.phrases) = (request.mostTokens, request.phrases)
                search.beginning = beginning
                let second = try search.find(prompt, with: &scorer, progress: progress)
                if isBetter(second, than: found) { found = second }
            }
            for temperature in Self.temperatures where isDoubtful(found) {
                search.temperature = temperature
                let next = try search.find(prompt, with: &scorer, progress: progress)
                if !isDoubtful(next) || isBetter(next, than: found) { (found, text.temperature) = (next, temperature) }
            }
            if isQuiet(found) { return only(beginning, of: found, text, .nobodySpeaks) }
            found = withoutLoop(found, from: beginning.count)
            // Text that still repeats itself, or is hardly likelier than any other, was not spoken.
            if ratio(found) > Self.mostRepetition { return only(beginning, of: found, text, .repeatsItself) }
            if found.mean < Self.leastMeanOfText { return only(beginning, of: found, text, .hardlyLikely) }
        }
        (text.tokens, text.logarithms) = (found.tokens, found.logarithms)
        (text.mean, text.probabilityOfQuiet) = (found.mean, found.probabilityOfQuiet)
        text.repetition = ratio(found)
        return text
    }

    private mutating func language(_ request: WindowRequest, _ rules: TokenRules) throws -> String {
        if let code = request.language { return code }
        let rows = try scorer.begin([table.start])
        guard let found = rules.language(rows[0]) else {
            throw EngineError.decoder("cannot detect the language")
        }
        return found.code
    }

    /// [startofprev, preceding text] start, language, task, [notimestamps]. English-only models have no language and task.
    private func prompt(_ request: WindowRequest, language: String?) throws -> [Int] {
        var prompt: [Int] = []
        if let previous = table.previous, !request.previous.isEmpty {
            prompt = [previous] + request.previous.suffix(Self.mostPrevious)
        }
        prompt.append(table.start)
        if let language {
            guard let id = table.languages.first(where: { $0.code == language })?.id else {
                throw EngineError.request("does not support the language \"\(WhisperLanguage.tag(of: language))\"")
            }
            guard let task = request.toEnglish ? table.translate : table.transcribe else {
                throw EngineError.request("cannot translate")
            }
            prompt += [id, task]
        }
        if !request.isTimed { prompt.append(table.untimed) }
        return prompt
    }

    private func ratio(_ found: TokenSearch.Found) -> Double { Repetition.ratio(of: table.text(found.tokens)) }

    private func isDoubtful(_ found: TokenSearch.Found) -> Bool {
        found.isLoop || found.mean < Self.leastMean || ratio(found) > Self.mostRepetition
    }

    private func isQuiet(_ found: TokenSearch.Found) -> Bool {
        found.probabilityOfQuiet > Self.mostQuiet && found.mean < Self.leastMean
    }

    /// Leaves out the text after its stable beginning.
    private func only(
        _ beginning: [Int], of found: TokenSearch.Found, _ text: WindowText, _ reason: LeftOutReason
    ) -> WindowText {
        var text = text
        text.leftOut = (Array(found.tokens.dropFirst(beginning.count)), reason)
        text.repetition = ratio(found)
        (text.tokens, text.logarithms) = (beginning, Array(found.logarithms.prefix(beginning.count)))
        (text.mean, text.probabilityOfQuiet) = (found.mean, found.probabilityOfQuiet)
        return text
    }

    /// The tokens with which the text must begin. With timestamps, the first one is a timestamp.
    private func beginning(_ request: WindowRequest) -> [Int] {
        guard !request.beginning.isEmpty else { return [] }
        return (request.isTimed ? [table.zero] : []) + request.beginning
    }

    /// Prefers a text without repetition, and then the likelier one.
    private func isBetter(_ second: TokenSearch.Found, than first: TokenSearch.Found) -> Bool {
        let loops = [first, second].map { $0.isLoop || ratio($0) > Self.mostRepetition }
        return loops[0] == loops[1] ? second.mean > first.mean : loops[0]
    }

    /// Keeps only one repetition of a loop at the end.
    ///
    /// - Parameter first: The number of tokens to keep in any case.
    private func withoutLoop(_ found: TokenSearch.Found, from first: Int) -> TokenSearch.Found {
        let places = found.tokens.indices.filter { table.isText(found.tokens[$0]) }
        guard let loop = Repetition.loop(atEndOf: places.map { found.tokens[$0] }) else { return found }
        var found = found
        let kept = places.count - loop.length + loop.period
        let end = max(min(first, found.tokens.count), kept < places.count ? places[kept] : found.tokens.count)
        found.tokens.removeSubrange(end...)
        found.logarithms.removeSubrange(end...)
        return found
    }
}
