import Testing

@testable import SynthVerbalization

@Suite("Stray markup")
struct StrayMarkupTests {
    @Test("Stray markup is not spoken", arguments: Table.rows("markup.tsv"))
    func removed(_ row: Table.Row) {
        let text = row.text.replacing("⏎", with: "\n")
        let said = row.said == "∅" ? "" : row.said.replacing("⏎", with: "\n")
        #expect(StrayMarkup.replacements(in: text).applied(to: text) == said)
    }

    @Test("Text without markup is unchanged", arguments: Table.lines("markup-same.txt"))
    func same(_ text: String) {
        #expect(StrayMarkup.replacements(in: text) == [])
    }

    @Test("After stray markup is removed, the text is verbalized")
    func both() {
        let text = "It costs **$5** &amp; [more](https://example.com)!!!"
        let clean = StrayMarkup.replacements(in: text).applied(to: text)
        #expect(clean == "It costs $5 & more!")
        #expect(Table.verbalizer("en").replacements(in: clean).applied(to: clean) == "It costs five dollars and more!")
    }

    @Test("The search for markup is skipped only for text without markup")
    func scan() {
        let texts = Table.rows("markup.tsv").map(\.text) + Table.lines("markup-same.txt") + Table.lines("en-same.txt")
        var without = 0
        for text in texts {
            // The prefixes whose length in bytes is a multiple of three are tested.
            for end in text.indices where text[..<end].utf8.count % 3 == 0 {
                let bytes = Array(text[..<end].utf8)
                guard !MarkupScan.hasWork(bytes.span) else { continue }
                without += 1
                var scanner = MarkupScanner(bytes)
                #expect(scanner.replacements() == [], "\(text[..<end])")
            }
        }
        #expect(without > 900)
    }
}
