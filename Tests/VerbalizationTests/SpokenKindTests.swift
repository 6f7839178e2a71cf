import SynthVerbalization
import Testing

@Suite("Text of a given kind")
struct SpokenKindTests {
    private static let english = Table.verbalizer("en")

    struct Case: Sendable, CustomTestStringConvertible {
        let kind: SpokenKind
        let text: String
        let format: String?
        let said: String?
        var testDescription: String { "\(kind) \(text)" }

        init(_ kind: SpokenKind, _ text: String, _ said: String?, format: String? = nil) {
            (self.kind, self.text, self.said, self.format) = (kind, text, said, format)
        }
    }

    static let cases: [Case] = [
        Case(.cardinal, "123", "one hundred twenty-three"),
        Case(.cardinal, " 7 ", "seven"),
        Case(.cardinal, "1,234.5", "one thousand two hundred thirty-four point five"),
        Case(.cardinal, "-5", "minus five"),
        Case(.cardinal, "XIV", "fourteen"),
        Case(.cardinal, "hello", nil),
        Case(.cardinal, "", nil),
        Case(.ordinal, "3", "third"),
        Case(.ordinal, "21st", "twenty-first"),
        Case(.ordinal, "VIII", "eighth"),
        Case(.digits, "4711", "four seven one one"),
        Case(.digits, "no", nil),
        Case(.characters, "FBI5", "F.B.I five"),
        Case(.characters, "a_b-7", "A underscore B dash seven"),
        Case(.characters, "€", nil),
        Case(.characters, "(!)", nil),
        Case(.date, "2026-11-22", "November twenty-second, twenty twenty-six"),
        Case(.date, "3/4/2026", "March fourth, twenty twenty-six", format: "mdy"),
        Case(.date, "3/4/2026", "the third of April, twenty twenty-six", format: "dmy"),
        Case(.date, "20261122", nil),
        Case(.date, "11/22", "November twenty-second", format: "md"),
        Case(.date, "1998", "nineteen ninety-eight", format: "y"),
        Case(.date, "soon", nil),
        Case(.time, "14:30", "fourteen thirty"),
        Case(.time, "3:05 pm", "three oh five P.M"),
        Case(.telephone, "555-1234", "five five five, one two three four"),
        Case(.telephone, "2122", "two one two two"),
        Case(.telephone, "none", nil),
        Case(.currency, "$3.50", "three dollars and fifty cents"),
        Case(.currency, "20 EUR", "twenty euros"),
        Case(.fraction, "3/4", "three quarters"),
        Case(.unit, "5 km", "five kilometers"),
        Case(.address, "example.com/a_b", "example dot com slash a underscore b"),
    ]

    @Test("Text is verbalized according to its kind", arguments: cases)
    func said(_ example: Case) {
        #expect(Self.english.words(for: example.text, as: example.kind, format: example.format) == example.said)
    }

    @Test("The names used in SSML documents are recognized")
    func names() {
        #expect(SpokenKind(interpretAs: "Spell-Out") == .characters)
        #expect(SpokenKind(interpretAs: "tel") == .telephone)
        #expect(SpokenKind(interpretAs: "money") == .currency)
        #expect(SpokenKind(interpretAs: "expletive") == nil)
        for kind in SpokenKind.allCases { #expect(SpokenKind(interpretAs: kind.rawValue) == kind) }
    }
}
