import Testing
import TestSupport

@testable import SynthVerbalization

@Suite("Spoken numbers")
struct SpokenNumberTests {
    private static let languages = LanguageFolders.complete
    /// Each verbalizer loads its tables once.
    private static let verbalizers = Dictionary(
        uniqueKeysWithValues: Set(languages + ["en-GB", "ja"]).map { ($0, Table.verbalizer($0)) })

    private func number(_ language: String, _ text: String) throws -> Double? {
        try #require(Self.verbalizers[language]).number(heard: text)
    }

    @Test(
        "Numbers are read from digits and from words",
        arguments: [
            ("en", "42.5", 42.5), ("en", ".75", 0.75), ("en", "-.5", -0.5), ("de", ",5", 0.5),
            ("en", "Forty-two point five.", 42.5), ("en", "forty two point five", 42.5),
            ("en", "one hundred and five", 105), ("en", "1,204", 1204), ("en", "-3", -3), ("en", "minus three", -3),
            ("en", "zero point zero five", 0.05), ("en", "nineteen eighty four", 1984), ("en", "four two seven", 427),
            ("en", "12,345,678.9", 12_345_678.9), ("en-GB", "two thousand and three", 2003),
            ("en", "point five", 0.5), ("en", "three point one four one five nine", 3.14159),
            ("en", "minus zero point five", -0.5), ("en", "four two", 42), ("en", "3 million", 3_000_000),
            ("en", "4.5 thousand", 4500), ("en", "forty-two point twenty-five", 42.25), ("en", "$5", 5),
            ("de", "42,5", 42.5), ("de", "zweiundvierzig Komma fünf", 42.5), ("de", "1.204", 1204),
            ("de", "Dreihunderteinundzwanzig!", 321), ("de", "minus drei", -3), ("de", "vier zwei sieben", 427),
            ("fr", "quarante-deux virgule cinq", 42.5), ("fr", "quatre-vingt-dix-sept", 97),
            ("fr", "1\u{202F}204", 1204), ("fr", "1 204", 1204), ("fr", "trois virgule quatorze", 3.14),
            ("fr", "moins trois", -3), ("es", "cuarenta y dos coma cinco", 42.5), ("es", "menos tres", -3),
            ("it", "quarantadue virgola cinque", 42.5), ("pl", "czterdzieści dwa przecinek pięć", 42.5),
            ("pt", "quarenta e dois vírgula cinco", 42.5),
            ("nl", "tweeënveertig komma vijf", 42.5), ("ru", "сорок два", 42), ("ru", "минус три", -3),
            ("ja", "四十二", 42), ("en", "three point five million", 3_500_000), ("en", "3.5 million", 3_500_000),
            ("de", "drei Komma fünf Millionen", 3_500_000), ("es", "tres coma cinco millones", 3_500_000),
            ("es", "3 millones", 3_000_000), ("es", "3,5 millones", 3_500_000), ("es", "cinco mil millones", 5e9),
            ("en", "negative five", -5), ("en", "- 5", -5), ("en", "− 5", -5), ("de", "hundert", 100),
            ("de", "hundertzwanzig", 120), ("de", "hundert zwanzig", 120), ("de", "tausendzweihundert", 1200),
            ("de", "3 Tausend", 3000), ("fr", "un", 1), ("de", "ein", 1), ("fr", "Une.", 1),
        ] as [(String, String, Double)])
    func read(language: String, text: String, value: Double) throws {
        #expect(try number(language, text) == value)
    }

    @Test(
        "A number is read along with its fraction",
        arguments: [
            ("en", "one and a half", 1.5), ("en", "two and three quarters", 2.75), ("en", "one half", 0.5),
            ("en", "minus one and a half", -1.5), ("en", "twenty-one and a half", 21.5),
            ("de", "eineinhalb", 1.5), ("de", "siebeneinhalb", 7.5), ("de", "zwei und drei Viertel", 2.75),
            ("fr", "deux et demi", 2.5), ("es", "dos y medio", 2.5), ("it", "due e mezzo", 2.5),
            ("pt", "dois e meio", 2.5), ("fr", "deux et demie", 2.5), ("es", "dos y media", 2.5),
            ("it", "due e mezza", 2.5), ("pt", "dois e meia", 2.5), ("pl", "dwa i pół", 2.5),
        ] as [(String, String, Double)])
    func fractions(language: String, text: String, value: Double) throws {
        #expect(try number(language, text) == value)
    }

    @Test(
        "A number is found within surrounding speech",
        arguments: [
            ("en", "um forty two please", 42), ("en", "Forty-two apples.", 42),
            ("en", "I think it is 42.5, thanks", 42.5),
            ("en", "and minus three", -3), ("en", "it's one hundred and five and that is all", 105),
            ("en", "uh, one and a half, please", 1.5), ("en", "the point is seven", 7),
            ("de", "äh, zweiundvierzig bitte", 42), ("fr", "euh, quarante-deux s'il vous plaît", 42),
            ("es", "pues cuarenta y dos por favor", 42), ("it", "allora, quarantadue grazie", 42),
            ("pt", "quarenta e dois por favor", 42), ("nl", "eh, tweeënveertig alsjeblieft", 42),
            ("fr", "J'ai une réponse : 42", 42), ("fr", "Un, s'il vous plaît", 1), ("en", "It is 5 - I think", 5),
            ("pl", "czterdzieści dwa proszę", 42), ("ru", "сорок два пожалуйста", 42),
        ] as [(String, String, Double)])
    func amongOthers(language: String, text: String, value: Double) throws {
        #expect(try number(language, text) == value)
    }

    @Test(
        "No number is found if no number or more than one is spoken",
        arguments: [
            "", ".", "Hello", "none of your business", "and", "point", "minus", "1,20", "1.2.3", "12,34", "--3",
            "four two seventeen", "4 2", "between four and 7", "forty two or forty three", "five apples and six pears",
            String(repeating: "nine ", count: 2000), String(repeating: "9", count: 400), "\u{0}", "∞", "NaN", "0x10",
            "4 hundred",
        ])
    func none(text: String) throws {
        #expect(try number("en", text) == nil)
    }

    @Test(
        "Words that merely look like a number are not read as one",
        arguments: [
            ("fr", "Un instant, s'il vous plaît"), ("de", "Ein Moment bitte"), ("es", "un momento"),
            ("it", "un momento"), ("pt", "um momento"), ("fr", "un ou deux"), ("de", "ein oder zwei"),
            ("fr", "5, 100"), ("de", "5, 100"), ("es", "5, 100"), ("fr", "-"),
        ])
    func noneElsewhere(language: String, text: String) throws {
        #expect(try number(language, text) == nil)
    }

    @Test("An integer survives a round trip through the words of each language", arguments: languages)
    func backwards(language: String) throws {
        let verbalizer = try #require(Self.verbalizers[language])
        let values =
            Array(0...130) + [200, 342, 500, 777, 999, 1000, 1001, 1100, 1999, 2000, 2025, 10_000, 20_345, 100_000]
            + [123_456, 1_000_000, 2_000_000, 5_432_100, 1_000_000_000]
        for value in values {
            for text in ["\(value)", "-\(value)"] where text != "-0" {
                let words = try #require(verbalizer.words(for: text, as: .cardinal), "\(language): \(text)")
                #expect(verbalizer.number(heard: words) == Double(text), "\(language), \(text): \(words)")
            }
        }
    }

    @Test("A decimal number survives a round trip through the words of each language", arguments: languages)
    func backwardsDecimals(language: String) throws {
        let verbalizer = try #require(Self.verbalizers[language])
        let mark = language == "en" ? "." : ","
        for text in ["0.5", "42.5", "3.14", "0.05", "7.25", "1.001", "100.1", "-3.5", "12.3456", "1000.75"] {
            let figures = text.replacing(".", with: mark)
            let words = verbalizer.replacements(in: figures).applied(to: figures)
            #expect(verbalizer.number(heard: words) == Double(text), "\(language), \(text): \(words)")
        }
    }

    @Test("A mixed number survives a round trip through the words of each language", arguments: languages)
    func backwardsFractions(language: String) throws {
        let verbalizer = try #require(Self.verbalizers[language])
        for (fraction, value) in [("½", 0.5), ("¼", 0.25), ("¾", 0.75)] {
            for whole in [1, 2, 7, 21] {
                let text = "\(whole)\(fraction)"
                let words = verbalizer.replacements(in: text).applied(to: text)
                #expect(verbalizer.number(heard: words) == Double(whole) + value, "\(language), \(text): \(words)")
            }
        }
    }
}
