import SynthRecognizerParts
import Testing

@testable import SynthWhisper

@Suite("Boosted phrases") struct PhraseTests {
    private static let pieces: [Int: String] = [
        1: " bob", 2: "by", 3: ".", 4: "bob", 5: " Bob", 6: "Bob", 7: " new", 8: " york", 9: "er", 10: " the", 11: "東",
        12: "京",
        13: "は", 14: "(",
    ]
    private static let spellings: [String: [Int]] = [
        " bobby": [1, 2], "bobby": [4, 2], " Bobby": [5, 2], "Bobby": [6, 2], " new york": [7, 8], " new": [7],
        "東京": [11, 12],
    ]

    private func bytes(_ token: Int) -> [UInt8] { Array((Self.pieces[token] ?? "").utf8) }

    private func tree(_ phrases: [String]) -> PhraseTree {
        var tree = PhraseTree(token: 1, letter: 0.5)
        for phrase in phrases { tree.add(phrase, tokens: { Self.spellings[$0] }, bytes: bytes) }
        return tree
    }

    /// Returns the total bonus for the tokens; 99 is an end token.
    private func gain(_ tree: PhraseTree, _ tokens: [Int]) -> Double {
        tokens.reduce((PhraseTree.Position(), 0.0)) { state, token in
            let (place, gain) = tree.step(state.0, token, bytes: bytes(token))
            return (place, state.1 + gain)
        }.1
    }

    @Test(
        "Only complete phrases raise a text's score",
        arguments: [
            ([1, 2, 3], 4.5), ([1, 2, 99], 4.5), ([5, 2, 10], 4.5), ([4, 2, 3], 4.5), ([10, 14, 4, 2, 3], 4.5),
            // An incomplete phrase, the beginning of a longer word, and the middle of a longer word.
            ([1, 3], 0), ([1, 10, 99], 0), ([1, 2, 9, 99], 0), ([10, 4, 2, 3], 0),
            // A phrase that is restarted, one that is repeated later, and one that is repeated immediately.
            ([1, 1, 2, 3], 4.5), ([1, 2, 10, 1, 2, 3], 9), ([1, 2, 1, 2, 1, 2, 3], 4.5),
            // A phrase within another phrase.
            ([7, 10], 2.5), ([7, 8, 10], 5.5), ([7, 8, 9, 10], 2.5),
            // No spaces are required around this phrase.
            ([13, 11, 12, 13], 5),
        ] as [([Int], Double)])
    func gains(tokens: [Int], expected: Double) {
        #expect(abs(gain(tree(["bobby", " new  york ", "new", "東京"]), tokens) - expected) < 1e-9)
    }

    @Test("The boosted tokens are those that start or continue a phrase") func favoured() {
        let tree = tree(["bobby"])
        #expect(tree.favoured(at: PhraseTree.Position()) == [1: 2.5, 4: 2.5, 5: 2.5, 6: 2.5])
        let within = tree.step(PhraseTree.Position(), 1, bytes: bytes(1)).place
        #expect(tree.favoured(at: within) == [1: 2.5, 5: 2.5, 2: 2])
        #expect(self.tree(["unknown", "", "  "]).isEmpty)
    }

    @Test("A search finds a boosted phrase that it would otherwise miss and reports the model's own probability")
    func search() throws {
        let table = try Fixture.table()
        let rules = TokenRules(table: table, configuration: try Fixture.configuration(table), isTimed: false)
        // Without a phrase, the search finds the tokens 11 15. The phrase 10 12 is less likely.
        func scores(_ said: [Int]) -> [Int: Double] {
            switch said {
            case []: [10: 0.2, 11: 0.8]
            case [10]: [12: 0.3, 13: 0.7]
            case [11]: [15: 1]
            default: [table.end: 1]
            }
        }
        var scorer = ScriptedScorer(width: table.zero + 1501) { said in
            var found: [Int: Float] = [:]
            for token in 0..<1781 { found[token] = -.infinity }
            for (token, chance) in scores(said) { found[token] = Float(chance).logarithm }
            return found
        }
        for (token, expected) in [(0.0, [11, 15]), (2.0, [10, 12])] {
            var tree = PhraseTree(token: token, letter: 0)
            tree.add("x", tokens: { _ in [10, 12] }, bytes: table.bytes)
            var search = TokenSearch(rules: rules, width: 3)
            search.phrases = tree
            let found = try search.find([table.start, table.untimed], with: &scorer)
            #expect(found.tokens == expected)
            let likelihood = expected == [11, 15] ? 0.8 : 0.2 * 0.3
            #expect(abs(found.mean - likelihood.logarithm / 3) < 1e-6)
            // An incomplete phrase gets no bonus, so 10 13 is less likely than 11 15.
            search.phrases?.add("y", tokens: { _ in [10, 14] }, bytes: table.bytes)
            #expect(try search.find([table.start, table.untimed], with: &scorer).tokens == expected)
        }
    }
}
