import SynthVerbalization
import Testing
import TestSupport

@Suite("Verbalization")
struct GoldenTests {
    private static let english = Table.verbalizer("en")

    @Test("English text is verbalized as specified in the table", arguments: Table.rows("en.tsv"))
    func english(_ row: Table.Row) {
        #expect(Self.english.replacements(in: row.text).applied(to: row.text) == row.said)
    }

    @Test("Plain English text is unchanged", arguments: Table.lines("en-same.txt"))
    func same(_ text: String) {
        #expect(Self.english.replacements(in: text) == [])
    }

    @Test(
        "Text in other languages and regions is verbalized as specified in the tables",
        arguments: LanguageFolders.codes(with: "rules.txt").filter { $0 != "en" })
    func languages(_ language: String) {
        let verbalizer = Table.verbalizer(language)
        let rows = Table.rows("\(language).tsv")
        #expect(rows.count >= (language.contains("-") ? 4 : 40))
        for row in rows { #expect(verbalizer.replacements(in: row.text).applied(to: row.text) == row.said) }
    }

    @Test("The tests find the language folders")
    func folders() {
        #expect(LanguageFolders.complete.count >= 9)
        #expect(LanguageFolders.codes(with: "rules.txt").count >= 13)
        #expect(LanguageFolders.codes(with: "language.txt").count >= 12)
    }

    @Test("Plain sentences in other languages are unchanged", arguments: Table.rows("same.tsv"))
    func otherPlain(_ row: Table.Row) {
        #expect(Table.verbalizer(row.text).replacements(in: row.said) == [])
    }

    @Test("The example tables have at least the required number of rows")
    func size() {
        #expect(Table.rows("en.tsv").count >= 400)
        #expect(Table.lines("en-same.txt").count >= 150)
        #expect(Table.rows("same.tsv").count >= 40)
    }

    @Test(
        "For a language without tables or an invalid tag, nothing is verbalized",
        arguments: ["xx", "", "../en", "e", "any"])
    func unknown(_ language: String) throws {
        #expect(try Table.verbalizer(language).check() == false)
        #expect(Table.verbalizer(language).replacements(in: "It costs $5.") == [])
    }

    @Test(
        "A region without tables of its own uses the tables of its language",
        arguments: ["en-AU", "en_ZA", "EN", "en-Latn-US"])
    func region(_ language: String) {
        let text = "It costs $5."
        #expect(Table.verbalizer(language).replacements(in: text).applied(to: text) == "It costs five dollars.")
    }
}
