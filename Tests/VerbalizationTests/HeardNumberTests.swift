import Testing

@testable import Verbalization

@Suite("A number that was heard")
struct HeardNumberTests {
    @Test(
        "is read from figures and from words",
        arguments: [
            ("en", "42.5", 42.5), ("en", ".75", 0.75), ("en", "-.5", -0.5), ("de", ",5", 0.5),
            ("en", "Forty-two point five.", 42.5), ("en", "forty two point five", 42.5),
            ("en", "one hundred and five", 105), ("en", "1,204", 1204), ("en", "-3", -3), ("en", "minus three", -3),
            ("en", "zero point zero five", 0.05), ("en", "nineteen eighty four", 1984), ("en", "four two seven", 427),
            ("en", "12,345,678.9", 12_345_678.9), ("en-GB", "two thousand and three", 2003),
            ("de", "42,5", 42.5), ("de", "zweiundvierzig Komma fünf", 42.5), ("de", "1.204", 1204),
            ("de", "Dreihunderteinundzwanzig!", 321), ("fr", "quarante-deux virgule cinq", 42.5),
            ("fr", "quatre-vingt-dix-sept", 97), ("fr", "1\u{202F}204", 1204),
            ("es", "cuarenta y dos coma cinco", 42.5),
            ("it", "quarantadue virgola cinque", 42.5), ("pl", "czterdzieści dwa przecinek pięć", 42.5),
            ("pt", "quarenta e dois vírgula cinco", 42.5),
            ("nl", "tweeënveertig komma vijf", 42.5), ("ru", "сорок два", 42), ("ja", "四十二", 42),
        ] as [(String, String, Double)])
    func read(language: String, text: String, value: Double) {
        #expect(Table.verbalizer(language).number(heard: text) == value)
    }

    @Test(
        "is none if something else is said, too",
        arguments: [
            "", ".", "forty-two apples", "Hello", "1,20", "1.2.3", "12,34", "--3", "four two seventeen", "4 2",
            String(repeating: "nine ", count: 2000), String(repeating: "9", count: 400), "\u{0}", "∞", "NaN", "0x10",
            "4 hundred",
        ])
    func none(text: String) {
        #expect(Table.verbalizer("en").number(heard: text) == nil)
    }

    @Test("is what the same language's words for it say")
    func backwards() throws {
        for language in ["en", "de", "fr", "es", "it", "pl", "pt", "nl", "ru"] {
            let speller = try #require(NumberSpeller(locale: language))
            for value in [0, 7, 13, 21, 42, 80, 99, 100, 101, 342, 1000, 1999, 20_345, 1_000_000] as [Int64] {
                let words = try #require(
                    speller.words(value, ruleSet: "%spellout-cardinal")
                        ?? speller.words(value, ruleSet: "%spellout-cardinal-masculine")
                        ?? speller.words(value, ruleSet: "%spellout-numbering"), "\(language)")
                #expect(Table.verbalizer(language).number(heard: words) == Double(value), "\(language): \(words)")
            }
        }
    }
}
