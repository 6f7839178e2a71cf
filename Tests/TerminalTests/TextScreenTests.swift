import Testing
import TestSupport

@testable import SynthTerminal

@Suite("Screens")
struct TextScreenTests {
    @Test("Drawing only the differences is enough to make the terminal show the new screen")
    func changes() {
        var drawing = Drawing(columns: 12, rows: 4)
        var shown: TextScreen?
        let rows: [[(String, TextScreen.Style)]] = [
            [("one", []), ("two", .bold), ("", []), ("日本語", .reversed)],
            [("one", []), ("twelve", []), ("", []), ("日本", .reversed)],
            [("", []), ("two", .bold), ("a\u{301}bc", .underlined), ("x", [])],
            [("", []), ("", []), ("", []), ("", [])],
        ]
        for lines in rows {
            var screen = TextScreen(columns: 12, rows: 4)
            for (row, line) in lines.enumerated() { screen.put(line.0, row: row, column: 1, line.1) }
            drawing.take(screen.changes(from: shown))
            #expect(drawing.lines == screen.lines)
            for (row, line) in lines.enumerated() where line.1.contains(.reversed) {
                #expect(drawing.text(row: row, with: "7") == line.0)
            }
            #expect(screen.changes(from: screen) == "")
            shown = screen
        }
        var small = TextScreen(columns: 5, rows: 2)
        small.put("abcdefg", row: 1, column: 2)
        var other = Drawing(columns: 5, rows: 2)
        other.take(small.changes(from: shown))
        #expect(other.lines == ["", "  abc"])
    }

    @Test("The cursor is shown only for text input")
    func cursor() {
        var drawing = Drawing(columns: 10, rows: 2)
        var screen = TextScreen(columns: 10, rows: 2)
        drawing.take(screen.changes(from: nil))
        #expect(!drawing.isCursorShown)
        let before = screen
        screen.cursor = TextScreen.Position(row: 1, column: 3)
        drawing.take(screen.changes(from: before))
        #expect(drawing.isCursorShown)
    }

    @Test(
        "Text is truncated to the width, and control characters are removed",
        arguments: [
            ("abcdef", 4, " abc"), ("a日本", 4, " a日"), ("日日日", 4, " 日"), ("a\u{1B}[2Jb", 12, " a [2Jb"),
            ("a\nb\tc", 12, " a b c"), ("e\u{301}e\u{301}", 12, " e\u{301}e\u{301}"), ("\u{202E}abc", 12, "  abc"),
        ])
    func put(text: String, columns: Int, expected: String) {
        var screen = TextScreen(columns: columns, rows: 1)
        screen.put(text, row: 0, column: 1)
        #expect(screen.lines == [expected])
    }

    @Test(
        "Overwriting half of a wide character also clears the other half",
        arguments: [(1, " x 本"), (2, "  x本"), (3, " 日x"), (4, " 日 x")])
    func halves(column: Int, expected: String) {
        var screen = TextScreen(columns: 8, rows: 1)
        screen.put("日本", row: 0, column: 1)
        screen.put("x", row: 0, column: column)
        #expect(screen.lines == [expected])
    }
}

@Suite("Keys")
struct KeyDecoderTests {
    private static let table: [(String, [Key])] = [
        ("a", [.character("a")]), (" ", [.character(" ")]),
        ("é日👍", [.character("é"), .character("日"), .character("👍")]),
        ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{3}", [.control("c")]),
        ("\u{1A}", [.control("z")]), ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[C\u{1B}[D", [.right, .left]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~", [.home, .end, .home, .end, .home]),
        ("\u{1B}[1;5C", [.right]), ("\u{1B}[3~", [.delete]), ("\u{1B}[99~x", [.character("x")]),
        ("\u{1B}[Zx", [.character("x")]),
        ("\u{1B}x", [.escape, .character("x")]), ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{0}b", [.character("b")]),
    ]

    @Test("Keys are decoded regardless of how their bytes arrive")
    func found() {
        for (text, keys) in Self.table {
            var whole = KeyDecoder()
            #expect(whole.decode(text.utf8) == keys)
            #expect(!whole.isPending)
            var single = KeyDecoder()
            #expect(text.utf8.flatMap { single.decode([$0]) } == keys, "\(text.utf8.map { $0 })")
        }
    }

    @Test("The bytes of an incomplete key are held until more arrive, and a lone Escape becomes a key when flushed")
    func pending() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [] && decoder.isPending)
        #expect(decoder.flush() == [.escape] && !decoder.isPending)
        #expect(decoder.decode([0xC3]) == [] && decoder.isPending)
        #expect(decoder.decode([0xA9]) == [.character("é")])
        #expect(decoder.decode([0xE6, 0x61]) == [.character("a")])
        #expect(decoder.decode([0xFF, 0x80, 0x62]) == [.character("b")])
    }

    @Test("An endless escape sequence is dropped")
    func endless() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 10_000)) == [])
        #expect(!decoder.isPending)
        #expect(decoder.decode([0x71]) == [.character("q")])
    }
}
