import SynthScript
import Testing

@Suite("Control characters")
struct ControlTests {
    @Test(
        "Terminal escape sequences become spaces of the same length",
        arguments: [
            ("\u{1B}[1;31mRed\u{1B}[0m alert", "Red     alert"),
            ("A\u{1B}]0;a title. Really.\u{7}B", "A" + String(repeating: " ", count: 21) + "B"),
            ("A\u{1B}]8;;http://x.y\u{1B}\\B", "A" + String(repeating: " ", count: 17) + "B"),
            ("A\u{9B}31mB", "A     B"), ("A\u{1B}(BC", "A   C"), ("A\u{1B}7B", "A  B"),
            ("A\u{0}B\u{7}C\u{7F}D", "A B C D"),
            ("A\tB", "A B"), ("A\u{81}B", "A  B"), ("A\u{1B}[31\u{E9}B", "A    \u{E9}B"),
            ("A\u{1B}\u{1B}[mB", "A    B"),
            ("A\u{1B}]open\nB", "A       B"), ("A\u{1B}Pdata\u{1B}\\B", "A        B"), ("A\u{FEFF}B", "A   B"),
        ])
    func escapes(document: String, expected: String) throws {
        for size in [1, 2, 3, 5, 100] {
            #expect(try Splitting.texts(document, chunk: size).joined(separator: "|") == expected)
        }
    }

    @Test("An unterminated escape sequence for a terminal title hides at most a few thousand bytes of text")
    func openTitle() throws {
        let text = "\u{1B}]0;" + String(repeating: "ä ", count: 4_000) + "end."
        let joined = try Splitting.texts(text, limits: UtteranceLimits(scalars: 16_000)).joined()
        #expect(joined.hasSuffix("ä ä end."))
        #expect(joined.utf8.count > 7_000)
    }

    @Test("No utterance contains a control character", arguments: [1, 7, 10_000])
    func none(chunk: Int) throws {
        let scalars = (0..<0x2100).compactMap { Unicode.Scalar($0).map { "a" + String($0) } }
        for utterance in try Splitting.utterances(Array(scalars.joined().utf8), chunk: chunk) {
            #expect(utterance.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(!utterance.text.unicodeScalars.contains { $0.value == 0x2028 || $0.value == 0x2029 })
        }
    }
}
