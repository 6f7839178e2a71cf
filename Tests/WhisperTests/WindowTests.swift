import EngineKit
import SynthRecognizerParts
import Testing

@testable import SynthWhisper

@Suite("Transcribing a window") struct WindowTests {
    private let table: TokenTable
    private let size: Int

    init() throws {
        table = try Fixture.table()
        size = table.zero + 1501
    }

    private func read(
        _ request: WindowRequest, json: String = "{}", _ script: @escaping ([Int]) -> [Int: Float]
    ) throws -> (text: WindowText, prompts: [[Int]]) {
        var reader = WindowReader(
            table: table, configuration: try Fixture.configuration(table, json),
            scorer: ScriptedScorer(width: size, script))
        let text = try reader.read(request)
        return (text, reader.scorer.prompts)
    }

    private func tokens(_ text: String) -> [Int] { TokenEncoder(table).tokens(of: text) }

    /// Scores for these tokens, followed by the end token.
    private func saying(_ tokens: [Int], surely: Float = 30) -> ([Int]) -> [Int: Float] {
        { said in [said.count < tokens.count ? tokens[said.count] : table.end: surely] }
    }

    @Test("The prompt contains the language and the task") func prompt() throws {
        var request = WindowRequest(language: "de", isTimed: false)
        let said = tokens(" the tern")
        var found = try read(request, saying(said))
        #expect(found.prompts == [[table.start, 271, 275, table.untimed]])
        #expect(found.text.tokens == said && found.text.language == "de" && found.text.mean > -0.01)
        request.toEnglish = true
        request.isTimed = true
        request.previous = Array(0..<250)
        found = try read(request, saying([table.zero] + said))
        #expect(found.prompts == [[277] + Array(27..<250) + [table.start, 271, 274]])
    }

    @Test("An English-only model's prompt has no language") func english() throws {
        let found = try read(
            WindowRequest(language: "en", isTimed: false), json: #"{"is_multilingual": false}"#,
            saying(tokens(" the")))
        #expect(found.prompts == [[table.start, table.untimed]] && found.text.language == nil)
    }

    @Test("The language is detected if none is specified") func language() throws {
        let found = try read(WindowRequest(isTimed: false)) { said in
            said.isEmpty ? [272: 9, 5: 20] : [table.end: 30]
        }
        #expect(found.text.language == "ja")
        #expect(found.prompts == [[table.start], [table.start, 272, 275, table.untimed]])
        #expect(throws: EngineError.self) { try read(WindowRequest(language: "fr"), saying([])) }
    }

    @Test("A window without speech yields no text") func quiet() throws {
        // The model is unsure of the text but fairly sure of silence.
        let unsure = try read(WindowRequest(language: "en", isTimed: false), json: #"{"suppress_tokens": [278]}"#) {
            said in
            said.isEmpty ? [278: 20, 5: 12.5] : [table.end: 3]
        }
        #expect(unsure.text.tokens.isEmpty && unsure.text.probabilityOfQuiet > 0.9 && unsure.text.mean < -1)
        // The model is sure both of the text and of silence, so the text is kept.
        let sure = try read(
            WindowRequest(language: "en", isTimed: false), json: #"{"suppress_tokens": [278]}"#
        ) { said in said.isEmpty ? [278: 40, 5: 30] : [table.end: 30] }
        #expect(sure.text.tokens == [5] && sure.text.probabilityOfQuiet > 0.9)
    }

    @Test("If a window contains a repetition, it is decoded again with five hypotheses") func repetition() throws {
        let word = tokens(" tern")
        let other = tokens(" said")
        let found = try read(WindowRequest(language: "en", isTimed: false)) { said in
            // Greedy search leads to a loop, because the first token of the sentence is slightly less likely than that
            // of the loop.
            if said.isEmpty { return [word[0]: 20, other[0]: 19.8] }
            if said[0] == other[0] { return [said.count < 2 ? word[0] : table.end: 30] }
            return [word[0]: 10]
        }
        #expect(found.prompts.count == 2)
        #expect(found.text.tokens == [other[0], word[0]] && found.text.isDoubtful)
    }

    @Test("A window that consists of repetitions is reduced to a single one") func loop() throws {
        let word = tokens(" tern")
        let found = try read(WindowRequest(language: "en", isTimed: false)) { said in
            [said.isEmpty ? 5 : word[0]: 30]
        }
        #expect(found.text.tokens == [5] + word && found.text.logarithms.count == 2)
    }

    @Test("A window with low confidence is decoded again") func unsure() throws {
        let found = try read(WindowRequest(language: "en", isTimed: false)) { said in
            said.count < 2 ? [5: 6.2, 6: 6.1] : [table.end: 20]
        }
        // The window is decoded once greedily, once with five hypotheses, and five times by sampling.
        #expect(found.prompts.count == 7 && found.text.isDoubtful && found.text.mean < -1)
        #expect(found.text.tokens.count == 2)
    }

    @Test("A window is not decoded again if a listed name is the reason for its low confidence")
    func unlikelyName() throws {
        func read(_ phrases: PhraseTree?) throws -> (text: WindowText, prompts: [[Int]]) {
            var request = WindowRequest(language: "en", isTimed: false)
            (request.width, request.phrases) = (5, phrases)
            return try self.read(request) { said in said.count < 2 ? [5: 6.2, 6: 6.1] : [table.end: 20] }
        }
        var phrases = PhraseTree(token: 4, letter: 0)
        phrases.add("name", tokens: { $0.hasPrefix(" ") ? nil : [6, 6] }, bytes: { _ in [] })
        let found = try read(phrases)
        #expect(found.prompts.count == 1 && !found.text.isDoubtful && found.text.mean < -1)
        #expect(found.text.tokens == [6, 6])
        #expect(try read(nil).text.isDoubtful)
        // If the model is fairly sure of silence, the name is dropped nevertheless.
        var request = WindowRequest(language: "en", isTimed: false)
        (request.width, request.phrases) = (5, phrases)
        let quiet = try self.read(request, json: #"{"suppress_tokens": [278]}"#) { said in
            said.isEmpty ? [278: 20, 6: 5] : said.count < 2 ? [5: 5, 6: 4.9] : [table.end: 20]
        }
        #expect(quiet.text.tokens.isEmpty && quiet.text.leftOut?.tokens == [6, 6])
    }

    @Test("A window whose transcript is repetitive on every attempt yields no text") func verse() throws {
        let words = tokens(" the tern said that it") + tokens(" the tern said it that")
        let found = try read(WindowRequest(language: "en", isTimed: false)) { said in
            [said.count < 120 ? words[said.count % words.count] : table.end: 30]
        }
        #expect(found.text.tokens.isEmpty && found.text.logarithms.isEmpty && found.text.isDoubtful)
        #expect(found.text.leftOut?.reason == .repeatsItself && found.text.leftOut?.tokens.count ?? 0 > 100)
    }

    @Test("Sampling produces the same result on every run") func drawn() throws {
        func once() throws -> [Int] {
            try read(WindowRequest(language: "en", isTimed: false)) { said in
                said.count < 12 ? [5: 4, 6: 3.9, 7: 3.8, 8: 3.9] : [table.end: 20]
            }.text.tokens
        }
        #expect(try once() == once())
    }
}

@Suite("Word times") struct WordTimesTests {
    /// Attention that moves from left to right, with each row's weight concentrated around its middle.
    private func look(_ middles: [Double], columns: Int, width: Int) -> [Float] {
        middles.flatMap { middle in
            (0..<width).map { column in
                let distance = (Double(column) - middle) / 4
                return column < columns ? Float(1 / (1 + distance * distance)) : 0.001
            }
        }
    }

    @Test("Word times are derived from the attention") func path() throws {
        let middles = [10.0, 10, 40, 60, 120, 145]
        var times = WordTimes(rows: 6, columns: 150)
        for _ in 0..<2 { times.add(look(middles, columns: 150, width: 1500), width: 1500) }
        let spans = try #require(times.spans(1..<5))
        #expect(spans.count == 4 && spans[0].lowerBound == 0)
        for (span, next) in zip(spans, spans.dropFirst()) { #expect(span.upperBound == next.lowerBound) }
        for (span, middle) in zip(spans.dropFirst(), middles[2...]) {
            #expect(span.contains(middle * 0.02), "\(span)")
        }
    }

    @Test("Word times require an attention head and a text") func none() {
        #expect(WordTimes(rows: 4, columns: 10).spans(1..<2) == nil)
        var times = WordTimes(rows: 3, columns: 2)
        times.add([Float](repeating: .nan, count: 3 * 5), width: 5)
        #expect(times.spans(0..<0) == nil && times.spans(1..<3) == nil)
        #expect(times.spans(0..<2)?.count == 2)
        // Weights with an incorrect width or count are ignored.
        times.add([1, 2, 3], width: 1)
        times.add([1], width: 7)
    }

    @Test("All tokens are assigned times even if there are more tokens than frames") func crowded() throws {
        var times = WordTimes(rows: 30, columns: 1)
        times.add([Float](repeating: 1, count: 30 * 3), width: 3)
        #expect(try #require(times.spans(1..<29)).allSatisfy { $0.lowerBound == 0 && $0.upperBound <= 0.02 })
    }

    @Test("Only a final text that is unlikely and still open is recognized with the other padding") func unlikely() {
        func isUnlikely(_ mean: Double, tokens: [Int] = [1, 2], _ change: (inout WindowRequest) -> Void = { _ in })
            -> Bool
        {
            var request = WindowRequest()
            change(&request)
            return ModelTranscriber.isUnlikely(WindowText(tokens: tokens, mean: mean, meanWithBonuses: 0), request)
        }
        #expect(isUnlikely(-0.51) && !isUnlikely(-0.49) && !isUnlikely(-3, tokens: []))
        #expect(!isUnlikely(-3) { $0.isBrief = true } && !isUnlikely(-3) { $0.isChecked = false })
        #expect(isUnlikely(-3) { $0.beginning = [1] })
        // The positions of known text are requested, not its remaining text.
        #expect(!isUnlikely(-3) { ($0.beginning, $0.maximumTokens) = ([1], 1) })
        let agreed = AgreedText()
        #expect(isUnlikely(-3) { $0.agreed = agreed })
        agreed.reported = 1
        #expect(!isUnlikely(-3) { $0.agreed = agreed })
    }

    @Test("A second text is used only if it is likelier, complete and no more doubtful than the first") func second() {
        let first = WindowText(tokens: [1, 2], meanWithBonuses: -0.7)
        var second = WindowText(tokens: [1, 3], meanWithBonuses: -0.6)
        #expect(ModelTranscriber.isBetter(second, than: first) && !ModelTranscriber.isBetter(first, than: second))
        second.isDoubtful = true
        #expect(!ModelTranscriber.isBetter(second, than: first))
        #expect(
            ModelTranscriber.isBetter(second, than: WindowText(tokens: [1], meanWithBonuses: -0.7, isDoubtful: true)))
        #expect(!ModelTranscriber.isBetter(WindowText(), than: first))
        // Only the known beginning is left.
        let beginning = WindowText(tokens: [1], leftOut: ([2], .repeatsItself))
        #expect(!ModelTranscriber.isBetter(beginning, than: first))
        #expect(
            !ModelTranscriber.isUnlikely(
                WindowText(tokens: [1], mean: -3, leftOut: ([2], .nobodySpeaks)), WindowRequest()))
    }
}
