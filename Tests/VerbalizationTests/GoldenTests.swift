import SynthVerbalization
import Testing

@Suite("What is said")
struct GoldenTests {
    private static let english = Table.verbalizer("en")

    @Test("English", arguments: Table.rows("en.tsv"))
    func english(_ row: Table.Row) {
        #expect(Self.english.replacements(in: row.text).applied(to: row.text) == row.said)
    }

    @Test("English that stays as it is", arguments: Table.lines("en-same.txt"))
    func same(_ text: String) {
        #expect(Self.english.replacements(in: text) == [])
    }

    @Test(
        "other languages and regions",
        arguments: ["de", "en-GB", "en-US", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh"])
    func languages(_ language: String) {
        let verbalizer = Table.verbalizer(language)
        let rows = Table.rows("\(language).tsv")
        #expect(rows.count >= (language.contains("-") ? 4 : 40))
        for row in rows { #expect(verbalizer.replacements(in: row.text).applied(to: row.text) == row.said) }
    }

    @Test("plain sentences of other languages stay as they are", arguments: Table.rows("same.tsv"))
    func otherPlain(_ row: Table.Row) {
        #expect(Table.verbalizer(row.text).replacements(in: row.said) == [])
    }

    @Test("the tables of examples are as large as they should be")
    func size() {
        #expect(Table.rows("en.tsv").count >= 400)
        #expect(Table.lines("en-same.txt").count >= 150)
        #expect(Table.rows("same.tsv").count >= 40)
    }

    @Test(
        "a language without tables, and a tag that is none, give nothing", arguments: ["xx", "", "../en", "e", "any"])
    func unknown(_ language: String) throws {
        #expect(try Table.verbalizer(language).check() == false)
        #expect(Table.verbalizer(language).replacements(in: "It costs $5.") == [])
    }

    @Test("a region without tables is its language", arguments: ["en-AU", "en_ZA", "EN", "en-Latn-US"])
    func region(_ language: String) {
        let text = "It costs $5."
        #expect(Table.verbalizer(language).replacements(in: text).applied(to: text) == "It costs five dollars.")
    }
}
