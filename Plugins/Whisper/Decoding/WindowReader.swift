import EngineKit
import Glibc
import SynthRecognizerParts

/// What was understood of one window of at most 30 s.
struct WindowText: Equatable {
    /// Words and, if they were asked for, times. Empty if nothing was said.
    var tokens: [Int] = []
    /// One for each of them.
    var logarithms: [Double] = []
    /// In Whisper's code; `nil` for English-only models.
    var language: String?
    /// Natural logarithm, of a token on average.
    var mean = 0.0
    var probabilityOfQuiet = 0.0
    /// How many times smaller zlib makes the text; 0 = there is none.
    var repetition = 0.0
    /// Above 0, its tokens were drawn.
    var temperature = 0.0
    /// Whether there was a text that was not said for sure, and was left out.
    var isDropped = false
    /// Whether the first attempt was not good enough, so that the text should not lead the next window.
    var isDoubtful = false
    /// Seconds of each token of text, in order, if they were asked for and the model can tell.
    var spans: [ClosedRange<Double>]?
}

/// How a window is to be read.
struct WindowRequest {
    /// In Whisper's code; `nil` = find out.
    var language: String?
    var toEnglish = false
    var isTimed = true
    var wantsWords = false
    /// Whether somebody waits for a few words, which may be understood a little worse.
    var isBrief = false
    var width = 1
    /// Tokens of what was said before, and of hints.
    var previous: [Int] = []
    /// Names and terms that are found sooner; `nil` = none.
    var phrases: PhraseTree?
    var mostTokens = TokenSearch.mostTokens
    /// Whether a doubtful text is read again, and silence and loops are taken away.
    var isChecked = true
}

/// Reads one window: finds the language, decodes, decides whether anything was said, and tries again if the text is doubtful.
struct WindowReader<Scorer: TokenScorer> {
    /// Bounds of the published decoder, except that of repetition, which is 2.4 there: it misses a loop at the end of good text
    /// (2.36), and good windows lie below 1.7.
    private static var mostRepetition: Double { 2.0 }
    private static var leastMean: Double { -1 }
    /// Below it there is no text: music and single sounds have less, speech in loud noise more.
    private static var leastMeanOfText: Double { -2 }
    private static var mostQuiet: Double { 0.6 }
    private static var secondWidth: Int { 5 }
    /// Of the texts that are drawn where the likeliest ones are doubtful, one attempt after the other.
    private static var temperatures: [Double] { [0.2, 0.4, 0.6, 0.8, 1] }
    /// Half of the context, less the token before them.
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
        var search = TokenSearch(rules: rules, width: max(1, request.width))
        (search.mostTokens, search.phrases) = (request.mostTokens, request.phrases)
        search.givesUpLoops = request.isChecked
        var found = try search.find(prompt, with: &scorer, progress: progress)
        if request.isChecked, isQuiet(found) { return quiet(found, text) }
        if request.isChecked, isDoubtful(found) {
            text.isDoubtful = true
            if search.width < Self.secondWidth {
                search = TokenSearch(rules: rules, width: Self.secondWidth)
                (search.mostTokens, search.phrases) = (request.mostTokens, request.phrases)
                let second = try search.find(prompt, with: &scorer, progress: progress)
                if isBetter(second, than: found) { found = second }
            }
            for temperature in Self.temperatures where isDoubtful(found) {
                search.temperature = temperature
                let next = try search.find(prompt, with: &scorer, progress: progress)
                if !isDoubtful(next) || isBetter(next, than: found) { (found, text.temperature) = (next, temperature) }
            }
            if isQuiet(found) { return quiet(found, text) }
            found = withoutLoop(found)
            // What still repeats itself, or is hardly likelier than any other text, was not said.
            if ratio(found) > Self.mostRepetition || found.mean < Self.leastMeanOfText {
                text.isDropped = !found.tokens.isEmpty
                (found.tokens, found.logarithms) = ([], [])
            }
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
            throw EngineError.decoder("cannot tell which language it is")
        }
        return found.code
    }

    /// [startofprev, what was said before] start, language, task, [notimestamps]; English-only models know no language and task.
    private func prompt(_ request: WindowRequest, language: String?) throws -> [Int] {
        var prompt: [Int] = []
        if let previous = table.previous, !request.previous.isEmpty {
            prompt = [previous] + request.previous.suffix(Self.mostPrevious)
        }
        prompt.append(table.start)
        if let language {
            guard let id = table.languages.first(where: { $0.code == language })?.id else {
                throw EngineError.request("does not know the language \"\(WhisperLanguage.tag(of: language))\"")
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

    private func quiet(_ found: TokenSearch.Found, _ text: WindowText) -> WindowText {
        var text = text
        (text.mean, text.probabilityOfQuiet) = (found.mean, found.probabilityOfQuiet)
        return text
    }

    /// A text without repetition is better than one with it; among equals the likelier one.
    private func isBetter(_ second: TokenSearch.Found, than first: TokenSearch.Found) -> Bool {
        let loops = [first, second].map { $0.isLoop || ratio($0) > Self.mostRepetition }
        return loops[0] == loops[1] ? second.mean > first.mean : loops[0]
    }

    /// What is said again and again at the end is said once.
    private func withoutLoop(_ found: TokenSearch.Found) -> TokenSearch.Found {
        let places = found.tokens.indices.filter { table.isText(found.tokens[$0]) }
        guard let loop = Repetition.loop(atEndOf: places.map { found.tokens[$0] }) else { return found }
        var found = found
        let kept = places.count - loop.length + loop.period
        let end = kept < places.count ? places[kept] : found.tokens.count
        found.tokens.removeSubrange(end...)
        found.logarithms.removeSubrange(end...)
        return found
    }
}
