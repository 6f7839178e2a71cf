import SynthSystem
import SynthTerminal
import Testing

@Suite struct DisplayWidthTests {
    @Test(
        "Wide characters and emoji take two columns, and combining marks take none",
        arguments: [
            ("Hello", 5), ("日本語", 6), ("한국", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1),
            ("ｆｕｌｌ", 8), ("", 0), ("a\u{200B}b", 2), ("Ж", 1), ("1\u{FE0F}\u{20E3}", 2),
        ])
    func columns(text: String, expected: Int) {
        #expect(DisplayWidth.columns(text) == expected)
    }

    @Test("Truncated text fits the width and ends with an ellipsis")
    func truncates() {
        #expect(DisplayWidth.truncate("Heart (American)", to: 8) == "Heart (…")
        #expect(DisplayWidth.truncate("日本語", to: 4) == "日…")
        #expect(DisplayWidth.truncate("日本語", to: 6) == "日本語")
        #expect(DisplayWidth.truncate("abc", to: 1) == "…")
        #expect(DisplayWidth.truncate("abc", to: 0) == "")
    }

    @Test("Text is padded to a width in columns")
    func pads() {
        #expect(DisplayWidth.pad("日本", to: 6) == "日本  ")
        #expect(DisplayWidth.pad("42", to: 5, trailing: false) == "   42")
        #expect(DisplayWidth.pad("long", to: 2) == "long")
    }

    @Test("Control characters become spaces")
    func singleLine() {
        #expect(CleanText.line("a\u{1B}[2Jb\nc\u{202E}d") == "a [2Jb c d")
    }

    @Test("Lines are wrapped at spaces, and a long word is placed on a line of its own")
    func wraps() {
        #expect(
            DisplayWidth.wrap("one two three incomprehensible x", to: 8) == [
                "one two", "three", "incomprehensible", "x",
            ])
        #expect(DisplayWidth.wrap("", to: 8).isEmpty)
    }
}
