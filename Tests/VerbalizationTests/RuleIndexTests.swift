import Testing

@testable import SynthVerbalization

@Suite("Rule index")
struct RuleIndexTests {
    @Test(
        "For each token, the index skips only rules that do not match there",
        arguments: ["en", "de", "fr", "ru", "zh", "ja"])
    func complete(_ tag: String) throws {
        let language = try #require(try LanguageReader.read(tag, tables: Table.languages))
        let rows = Table.rows("\(tag).tsv")
        var matches = 0
        for row in rows.indices where row % (rows.count / 20) == 0 {
            matches += check(rows[row].text, language)
        }
        #expect(matches > 40)
    }

    /// Checks the text and returns the number of matches.
    private func check(_ text: String, _ language: Language) -> Int {
        var matcher = Matcher(bytes: Array(text.utf8), language: language)
        let tokens = matcher.tokens
        func mask(_ index: Int) -> TokenMask { index < tokens.count ? TokenMask.of(tokens[index]) : .textEnd }
        var count = 0
        for index in 0..<tokens.count where tokens[index].kind != .space {
            var tried: Set<Int> = []
            let lists = [
                language.index.general(at: tokens[index], next: mask(index + 1)), language.index.own(at: tokens[index]),
                language.index.folded(at: tokens[index]),
            ]
            for part in lists {
                for place in part.start..<part.start + part.count {
                    tried.insert(Int(language.index.numbers[Int(place)]))
                }
            }
            for (number, rule) in language.rules.enumerated() where !rule.onlyIfStated {
                let head = language.heads[number]
                guard let end = matcher.match(head, at: index), end > index else { continue }
                count += 1
                #expect(tried.contains(number), "\(rule.kind) at \(index) of \(text)")
                #expect(!head.second.isDisjoint(with: mask(index + 1)), "\(rule.kind) at \(index) of \(text)")
                #expect(!head.third.isDisjoint(with: mask(index + 2)), "\(rule.kind) at \(index) of \(text)")
            }
        }
        return count
    }
}
