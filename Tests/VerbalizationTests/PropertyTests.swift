import SynthVerbalization
import Testing
import TestSupport
import TestNumbers
import WordChecks

@Suite("Properties of all verbalizations")
struct PropertyTests {
    private func mutated(_ text: String, _ others: [String], _ random: inout SeededRandom) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !scalars.isEmpty else { break }
            let place = Int.random(in: 0..<scalars.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: scalars.remove(at: place)
            case 1: scalars.insert(scalars[place], at: place)
            case 2: scalars.swapAt(place, Int.random(in: 0..<scalars.count, using: &random))
            case 3:
                let other = Array((others.randomElement(using: &random) ?? "").unicodeScalars)
                scalars.insert(contentsOf: other.prefix(Int.random(in: 0...12, using: &random)), at: place)
            default:
                let signs = Array(
                    "0123456789.,:/-–%$€£°'\"#@&+×²₂½ \u{A0}\u{301}IVXABcd第年🎉\u{200D}\u{FE0F}".unicodeScalars)
                scalars[place] = signs.randomElement(using: &random) ?? "0"
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test(
        "The ranges of replacements are valid in the text and in order",
        arguments: LanguageFolders.codes(with: "rules.txt"))
    func pieces(_ language: String) throws {
        let verbalizer = Table.verbalizer(language)
        #expect(try verbalizer.check())
        let texts = Table.rows("\(language).tsv").map(\.text) + Table.rows("en.tsv").map(\.text)
        var random = SeededRandom(15)
        var found = 0
        for _ in 0..<400 {
            let text = mutated(texts.randomElement(using: &random) ?? "", texts, &random)
            #expect(WordInvariants.violations(in: text, by: verbalizer) == [])
            found += verbalizer.replacements(in: text).count
        }
        #expect(found > 150)
    }

    @Test("A second pass leaves verbalized text unchanged")
    func twice() {
        let verbalizer = Table.verbalizer("en")
        for row in Table.rows("en.tsv") where !row.said.contains(/[A-Z]\.[A-Z]/) {
            #expect(verbalizer.replacements(in: row.said).applied(to: row.said) == row.said)
        }
    }

    @Test("The ranges of stray markup are valid in the text and in order")
    func markup() {
        let texts = Table.rows("markup.tsv").map(\.text)
        var random = SeededRandom(16)
        for _ in 0..<2000 {
            let text = mutated(texts.randomElement(using: &random) ?? "", texts, &random)
            let replacements = StrayMarkup.replacements(in: text)
            #expect(WordInvariants.violations(of: replacements, in: text) == [])
            // Words of the source are removed only with element names, references and URLs.
            #expect(replacements.applied(to: text).utf8.count <= 3 * text.utf8.count)
        }
    }

    private static let hostile = [
        "0", "1,", "1.", "1-", "1:", "1/", "a.", "a@", "a.com/", "(", "[", "](", "<", "<a", "&", "*", "_", "`", "\\",
        "#",
        "V ", "X", "-", "€", "1 ", "Dr. ", "🎉", "👨\u{200D}", "👍🏽", "²", "123,", "http://", "@a", "|a|\n", "```\n", "!",
        "!?",
        "a_", "\u{301}", "年", "1年", "1×", "A&", "'", "1'", "Nov 1, ", "$1.", "$", "+1 ", "1 1/2 ", "…", "<!--",
        "[a](b)",
    ]

    @Test("The processing time for long and malicious texts is linear in their length", arguments: hostile)
    func long(_ piece: String) {
        let verbalizer = Table.verbalizer("en")
        func work(_ bytes: Int) -> Int {
            let before = verbalizer.work
            let text = String(repeating: piece, count: bytes / piece.utf8.count)
            #expect(WordInvariants.violations(in: text, by: verbalizer) == [])
            let words = verbalizer.replacements(in: text).applied(to: text)
            #expect(words.utf8.count <= 12 * bytes)
            return verbalizer.work - before
        }
        let half = work(1024)
        #expect(work(2048) <= 2 * half + half / 5 + 1000)
    }

    @Test("A number with ten thousand digits is read digit by digit")
    func digits() {
        let number = String(repeating: "7", count: 10_000)
        let said = Table.verbalizer("en").replacements(in: number).applied(to: number)
        #expect(said == String(repeating: "seven ", count: 10_000).dropLast())
    }

    @Test("Numbers are read as a whole up to the largest number that has a name")
    func largest() {
        let verbalizer = Table.verbalizer("en")
        func said(_ text: String) -> String { verbalizer.replacements(in: text).applied(to: text) }
        #expect(said("999999999999999999").hasPrefix("nine hundred ninety-nine quadrillion"))
        #expect(said("1000000000000000000").hasPrefix("one zero zero"))
        #expect(said("1,000,000,000,000,000,000").hasPrefix("one zero zero"))
    }
}
