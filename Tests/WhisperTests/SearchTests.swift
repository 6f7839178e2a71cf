import EngineKit
import Testing

@testable import SynthWhisper

@Suite("Token search") struct SearchTests {
    private let table: TokenTable
    private let size: Int

    init() throws {
        table = try Fixture.table()
        size = table.zero + 1501
    }

    private func search(width: Int, givesUpLoops: Bool = true) throws -> TokenSearch {
        let rules = TokenRules(table: table, configuration: try Fixture.configuration(table), isTimed: false)
        return TokenSearch(rules: rules, width: width, givesUpLoops: givesUpLoops)
    }

    /// Probabilities as a tree. Tokens that are not listed are impossible.
    private func scorer(_ tree: @escaping ([Int]) -> [Int: Double]) -> ScriptedScorer {
        ScriptedScorer(width: size) { said in
            var scores: [Int: Float] = [:]
            for token in 0..<2000 where token < 1781 { scores[token] = -.infinity }
            for (token, chance) in tree(said) { scores[token] = Float(chance).logarithm }
            return scores
        }
    }

    /// The greedy choice is 10, which has poor continuations, so 11 is the better start.
    private func garden(_ said: [Int]) -> [Int: Double] {
        switch said {
        case []: [10: 0.6, 11: 0.4]
        case [10]: [12: 0.34, 13: 0.33, 14: 0.33]
        case [11]: [15: 1]
        default: [table.end: 1]
        }
    }

    @Test("A greedy search selects the most likely token at each step") func greedy() throws {
        var scorer = scorer(garden)
        let found = try search(width: 1).find([table.start, table.untimed], with: &scorer)
        #expect(found.tokens == [10, 12] && found.logarithms.count == 2)
        #expect(abs(found.mean - (0.6 * 0.34).logarithm / 3) < 1e-6)
    }

    @Test("A search with several hypotheses finds the more likely text") func beam() throws {
        var scorer = scorer(garden)
        let found = try search(width: 5).find([table.start, table.untimed], with: &scorer)
        #expect(found.tokens == [11, 15])
        #expect(abs(found.mean - 0.4.logarithm / 3) < 1e-6)
        #expect(abs(found.logarithms[0] - 0.4.logarithm) < 1e-6 && abs(found.logarithms[1]) < 1e-6)
    }

    @Test("A search reports the common prefix of all hypotheses and keeps it") func agreed() throws {
        func tree(_ said: [Int]) -> [Int: Double] {
            switch said {
            case []: [7: 1]
            case [7]: [8: 1]
            case [7, 8]: [10: 0.6, 11: 0.4]
            case [7, 8, 10]: [12: 0.34, 13: 0.33, 14: 0.33]
            case [7, 8, 11]: [15: 1]
            default: [table.end: 1]
            }
        }
        for (width, sure) in [(1, [7, 8, 10]), (5, [7, 8])] {
            var scorer = scorer(tree)
            var search = try search(width: width)
            let agreed = AgreedText()
            search.agreed = agreed
            var told: [[Int]] = []
            let found = try search.find([table.start, table.untimed], with: &scorer) { _ in told.append(agreed.tokens) }
            #expect(found.tokens.starts(with: sure) && told.contains(sure), "\(told)")
            for tokens in told { #expect(found.tokens.starts(with: tokens)) }
        }
        // An unlikely prefix is not reported.
        var guess = scorer { said in said.count < 3 ? [20: 0.2, 21: 0.2, 22: 0.2, 23: 0.2, 24: 0.2] : [table.end: 1] }
        var search = try search(width: 1)
        let agreed = AgreedText()
        search.agreed = agreed
        _ = try search.find([table.start, table.untimed], with: &guess)
        #expect(agreed.tokens.isEmpty)
    }

    @Test("A given beginning is kept even if it is unlikely and is included in the mean") func beginning() throws {
        for width in [1, 5] {
            var scorer = scorer(garden)
            var search = try search(width: width)
            search.beginning = [11]
            let found = try search.find([table.start, table.untimed], with: &scorer)
            #expect(found.tokens == [11, 15] && scorer.prompts == [[table.start, table.untimed, 11]])
            #expect(abs(found.mean - 0.4.logarithm / 3) < 1e-6 && abs(found.logarithms[0] - 0.4.logarithm) < 1e-6)
        }
    }

    @Test("A search abandons a loop unless this is disabled") func loop() throws {
        func endless(_ said: [Int]) -> [Int: Double] { [10: 0.9, 11: 0.1] }
        var scorer = scorer(endless)
        let found = try search(width: 1).find([table.start], with: &scorer)
        #expect(found.isLoop && found.tokens.count == 24)
        let whole = try search(width: 1, givesUpLoops: false).find([table.start], with: &scorer)
        #expect(!whole.isLoop && whole.tokens.count == 224)
    }

    @Test("A search ends at the maximum length") func room() throws {
        func counting(_ said: [Int]) -> [Int: Double] { [said.count % 200: 1] }
        let prompt = [table.previous ?? 0] + Array(repeating: 5, count: 430) + [table.start]
        for width in [1, 3] {
            var scorer = scorer(counting)
            #expect(try search(width: width).find(prompt, with: &scorer).tokens.count == 448 - 432)
        }
    }

    @Test("A search ends if no further token is allowed") func nothing() throws {
        var scorer = scorer { said in said.isEmpty ? [10: 1] : [:] }
        #expect(try search(width: 1).find([table.start], with: &scorer).tokens == [10])
        #expect(try search(width: 5).find([table.start], with: &scorer).tokens == [10])
        var silent = self.scorer { _ in [:] }
        #expect(try search(width: 5).find([table.start], with: &silent).tokens.isEmpty)
    }

    @Test("A search stops between tokens") func stop() throws {
        var scorer = scorer(garden)
        let search = try search(width: 1)
        #expect(throws: Stopped.self) {
            try search.find([table.start], with: &scorer) { count in
                if count == 2 { throw Stopped() }
            }
        }
        #expect(scorer.steps == 1)
    }
}

extension BinaryFloatingPoint {
    var logarithm: Self { Self(_log(Double(self))) }
}

import func Glibc.log

private func _log(_ number: Double) -> Double { log(number) }
