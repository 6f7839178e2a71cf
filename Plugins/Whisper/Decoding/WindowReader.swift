import EngineKit
import Glibc
import SynthRecognizerParts

/// The text recognized in one window of at most 30 s.
struct WindowText {
    /// Text tokens and, if requested, timestamps; empty if the window contains no speech.
    var tokens: [Int] = []
    /// The natural logarithm of each token's probability.
    var logarithms: [Double] = []
    /// Whisper's code for the language; `nil` for English-only models.
    var language: String?
    /// The mean of `logarithms`.
    var mean = 0.0
    /// The mean including the bonuses for phrases.
    var meanWithBonuses = 0.0
    var probabilityOfQuiet = 0.0
    /// The text's zlib compression ratio; 0 for an empty text.
    var repetition = 0.0
    /// The sampling temperature; 0 if the tokens were not sampled.
    var temperature = 0.0
    /// The tokens that were omitted because they were probably not spoken, and the reason.
    var leftOut: (tokens: [Int], reason: LeftOutReason)?
    /// Whether the first attempt was so poor that the text must not be used as context for the next window.
    var isDoubtful = false
    /// The start and end of each text token in seconds, in order, if requested and supported by the model.
    var spans: [ClosedRange<Double>]?
}

/// The settings for a window.
struct WindowRequest {
    /// Whisper's code for the language; if `nil`, the language is detected.
    var language: String?
    var toEnglish = false
    var isTimed = true
    var wantsWords = false
    /// Whether short audio is transcribed faster, at the cost of some accuracy.
    var isBrief = false
    var width = 1
    /// The tokens of the hints and of the preceding text.
    var previous: [Int] = []
    /// The index of the window's first sample. Within a transcription, windows with the same index begin with the same audio.
    var place = 0
    /// The text tokens with which the result must begin.
    var beginning: [Int] = []
    /// If not `nil`, receives the beginning of the text while the search is running.
    var agreed: AgreedText?
    /// Names and terms to prefer, if any.
    var phrases: PhraseTree?
    var maximumTokens = TokenSearch.maximumTokens
    /// Whether to retry doubtful text and to remove silence and loops.
    var isChecked = true
}

/// Transcribes one window: detects the language, decodes, decides whether there was speech, and retries if the text is
/// doubtful.
struct WindowReader<Scorer: TokenScorer> {
    /// The thresholds of the published decoder, except for the repetition ratio. Its published threshold of 2.4 is too
    /// high to detect a loop at the end of good text (ratio 2.36). Good windows usually have ratios below 1.7, or up to
    /// 2.03 if the speaker says several similar sentences.
    private static var maximumRepetition: Double { 2.2 }
    private static var minimumMean: Double { -1 }
    /// Text with a lower mean is discarded: music and isolated sounds score below this value, whereas speech in loud
    /// noise scores above it.
    private static var minimumTextMean: Double { -2 }
    private static var maximumQuietProbability: Double { 0.6 }
    private static var secondWidth: Int { 5 }
    /// The temperatures of the sampling attempts that follow a doubtful beam search, in order.
    private static var temperatures: [Double] { [0.2, 0.4, 0.6, 0.8, 1] }
    /// Half of the model's context, minus the token that precedes the previous text.
    private static var maximumPreviousTokens: Int { 223 }

    let table: TokenTable
    let configuration: GenerationConfiguration
    var scorer: Scorer

    /// - Parameter progress: Called before each token with the token's number, starting at 1. It throws to stop.
    mutating func read(
        _ request: WindowRequest, progress: (_ count: Int) throws -> Void = { _ in }
    ) throws -> WindowText {
        let rules = TokenRules(table: table, configuration: configuration, isTimed: request.isTimed)
        var text = WindowText()
        if configuration.isMultilingual { text.language = try language(request, rules) }
        let prompt = try prompt(request, language: text.language)
        var beginning = beginning(request)
        var search = TokenSearch(rules: rules, width: max(1, request.width))
        (search.maximumTokens, search.phrases) = (request.maximumTokens, request.phrases)
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
                (search.maximumTokens, search.phrases) = (request.maximumTokens, request.phrases)
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
            // If the text still repeats itself or is very unlikely, it was not spoken.
            if ratio(found) > Self.maximumRepetition { return only(beginning, of: found, text, .repeatsItself) }
            if found.mean < Self.minimumTextMean { return only(beginning, of: found, text, .hardlyLikely) }
        }
        (text.tokens, text.logarithms) = (found.tokens, found.logarithms)
        (text.mean, text.meanWithBonuses) = (found.mean, found.meanWithBonuses)
        text.probabilityOfQuiet = found.probabilityOfQuiet
        text.repetition = ratio(found)
        return text
    }

    private mutating func language(_ request: WindowRequest, _ rules: TokenRules) throws -> String {
        if let code = request.language { return code }
        let rows = try scorer.begin([table.start], scoresAt: [0])
        guard let found = rules.language(rows[0]) else {
            throw EngineError.decoder("cannot detect the language")
        }
        return found.code
    }

    /// Returns the prompt, which has the form [startofprev, preceding text] start, language, task, [notimestamps].
    /// English-only models have no language or task tokens.
    private func prompt(_ request: WindowRequest, language: String?) throws -> [Int] {
        var prompt: [Int] = []
        if let previous = table.previous, !request.previous.isEmpty {
            prompt = [previous] + request.previous.suffix(Self.maximumPreviousTokens)
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
        // Bonuses alone must not justify a name that was not spoken.
        found.isLoop || found.meanWithBonuses < Self.minimumMean || found.mean < Self.minimumTextMean
            || ratio(found) > Self.maximumRepetition
    }

    private func isQuiet(_ found: TokenSearch.Found) -> Bool {
        found.probabilityOfQuiet > Self.maximumQuietProbability && found.mean < Self.minimumMean
    }

    /// Omits the tokens after the stable beginning.
    private func only(
        _ beginning: [Int], of found: TokenSearch.Found, _ text: WindowText, _ reason: LeftOutReason
    ) -> WindowText {
        var text = text
        text.leftOut = (Array(found.tokens.dropFirst(beginning.count)), reason)
        text.repetition = ratio(found)
        (text.tokens, text.logarithms) = (beginning, Array(found.logarithms.prefix(beginning.count)))
        (text.mean, text.meanWithBonuses) = (found.mean, found.meanWithBonuses)
        text.probabilityOfQuiet = found.probabilityOfQuiet
        return text
    }

    /// Returns the tokens with which the text must begin. If timestamps are requested, the first token is a timestamp.
    private func beginning(_ request: WindowRequest) -> [Int] {
        guard !request.beginning.isEmpty else { return [] }
        return (request.isTimed ? [table.zero] : []) + request.beginning
    }

    /// Whether the second text is better than the first. If only one of them repeats itself, the other one is better;
    /// otherwise, the one with the higher mean, including bonuses.
    private func isBetter(_ second: TokenSearch.Found, than first: TokenSearch.Found) -> Bool {
        let loops = [first, second].map { $0.isLoop || ratio($0) > Self.maximumRepetition }
        return loops[0] == loops[1] ? second.meanWithBonuses > first.meanWithBonuses : loops[0]
    }

    /// If the text ends with a loop, keeps only the first occurrence of the repeated sequence.
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
