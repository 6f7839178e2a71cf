import EngineKit
import Testing

@testable import SynthWhisper

@Suite("Token rules") struct RulesTests {
    private let table: TokenTable
    private let size: Int

    init() throws {
        table = try Fixture.table()
        size = table.zero + 1501
    }

    private func choices(
        _ high: [Int: Float], after said: [Int], isTimed: Bool = true, most: Int = 1, json: String = "{}"
    ) throws -> [TokenRules.Choice] {
        var scores = [Float](repeating: 0, count: size)
        for (token, score) in high { scores[token] = score }
        let rules = TokenRules(
            table: table, configuration: try Fixture.configuration(table, json), isTimed: isTimed)
        return try rules.choices(most, scores: scores[...], after: said)
    }

    private func time(_ seconds: Double) -> Int { table.zero + Int((seconds * 50).rounded()) }

    @Test("The first token is a timestamp within the first second") func first() throws {
        #expect(try choices([5: 30, time(1.02): 20, time(1): 10], after: []).map(\.token) == [time(1)])
    }

    @Test("Timestamps come in pairs") func pairs() throws {
        // The first timestamp and every pair are followed by a word.
        #expect(try choices([time(2): 30, 5: 9], after: [time(0)]).map(\.token) == [5])
        #expect(try choices([time(9): 30, 5: 9], after: [time(0), 7, time(2), time(2)]).map(\.token) == [5])
        // A single timestamp is followed by another timestamp or the end.
        #expect(try choices([5: 30, time(2): 9], after: [time(0), 7, time(2)]).map(\.token) == [time(2)])
        #expect(try choices([5: 30, table.end: 9], after: [time(0), 7, time(2)]).map(\.token) == [table.end])
    }

    @Test("Timestamps never decrease") func back() throws {
        #expect(try choices([time(1): 30, time(2.02): 9], after: [time(2), 7]).map(\.token) == [time(2.02)])
        // A segment may start where the previous one ended, and no segment is empty.
        #expect(try choices([time(1): 30, time(2): 9], after: [time(0), 7, time(2)]).map(\.token) == [time(2)])
        #expect(
            try choices([time(2): 30, time(2.02): 9], after: [time(0), 7, time(2), time(2), 7]).map(\.token) == [
                time(2.02)
            ])
    }

    @Test("If all timestamps together are more likely than the best word, a timestamp is selected")
    func together() throws {
        var scores: [Int: Float] = [5: 8]
        for step in 0..<40 { scores[time(3) + step] = 5 }
        #expect(try choices(scores, after: [time(0), 7]).map(\.token) == [time(3)])
        scores[5] = 9
        #expect(try choices(scores, after: [time(0), 7]).map(\.token) == [5])
    }

    @Test("Suppressed tokens are never selected") func suppress() throws {
        let json = #"{"suppress_tokens": [5], "begin_suppress_tokens": [6]}"#
        #expect(try choices([5: 9, 6: 8, 7: 7], after: [], isTimed: false, json: json).map(\.token) == [7])
        #expect(try choices([5: 9, 6: 8, 7: 7], after: [7], isTimed: false, json: json).map(\.token) == [6])
        #expect(try choices([table.untimed: 50, 7: 7], after: [time(0)]).map(\.token) == [7])
    }

    @Test("The choices are the allowed tokens and their log probabilities, best first") func logarithms() throws {
        let found = try choices([5: 40, 6: 41, 7: 39], after: [8], isTimed: false, most: 3)
        #expect(found.map(\.token) == [6, 5, 7])
        for (choice, value) in zip(found, [-0.407606, -1.407606, -2.407606]) {
            #expect(abs(choice.logarithm - value) < 1e-5)
        }
    }

    @Test("NaN scores and an insufficient number of scores are rejected") func numbers() throws {
        #expect(throws: EngineError.self) { try choices([5: .nan], after: [], isTimed: false) }
        #expect(throws: EngineError.self) { try choices([5: .infinity], after: [], isTimed: false) }
        let rules = TokenRules(table: table, configuration: try Fixture.configuration(table), isTimed: true)
        #expect(throws: EngineError.self) { try rules.choices(1, scores: [1, 2, 3], after: []) }
        #expect(throws: EngineError.self) { try rules.choices(1, scores: [], after: []) }
        let none = [Float](repeating: -.infinity, count: size)
        #expect(try rules.choices(3, scores: none[...], after: [time(0)]).isEmpty)
        #expect(rules.probabilityOfQuiet(none[...]) == 0 && rules.language(none[...]) == nil)
    }

    @Test("The language is selected only from language tokens") func language() throws {
        var scores = [Float](repeating: 50, count: size)
        for (place, language) in table.languages.enumerated() { scores[language.id] = [1, 3, 2, 0][place] }
        let rules = TokenRules(table: table, configuration: try Fixture.configuration(table), isTimed: true)
        let found = try #require(rules.language(scores[...]))
        #expect(found.code == "de" && abs(found.probability - 0.643914) < 1e-5)
    }
}

@Suite("Repetition") struct RepetitionTests {
    /// zlib's ratio is `len(text) / len(zlib.compress(text))` in Python.
    @Test(
        "The compression ratio is within a few percent of the one that zlib achieves",
        arguments: [
            ("The carpenter left his hammer on the roof again.", 0.906),
            (String(repeating: "the ", count: 60), 16.0),
            ("She sells sea shells by the sea shore, and the shells that she sells are sea shells for sure.", 1.409),
            ("a", 0.111), ("no no no no", 0.846),
        ])
    func ratio(_ text: String, _ expected: Double) {
        let found = Repetition.ratio(of: text)
        #expect(abs(found / expected - 1) < 0.1, "\(found)")
    }

    @Test("The compression ratio of an empty text is zero") func nothing() { #expect(Repetition.ratio(of: "") == 0) }

    @Test("Only long repetitions are treated as loops") func loop() {
        #expect(Repetition.loop(atEndOf: [1, 2, 3] + Array(repeating: 9, count: 24))?.length == 24)
        #expect(Repetition.loop(atEndOf: Array(repeating: 9, count: 23)) == nil)
        let six = Array(repeating: [1, 2, 3, 4, 5, 6], count: 4).flatMap(\.self)
        #expect(Repetition.loop(atEndOf: [7] + six).map { [$0.length, $0.period] } == [24, 6])
        #expect(Repetition.loop(atEndOf: Array(0..<100)) == nil)
        #expect(Repetition.loop(atEndOf: []) == nil)
    }
}
