import SynthScript
import Testing

@Suite("Text that arrives in chunks")
struct StreamTests {
    private func drain(_ script: inout PlainTextScript) -> [String] {
        var texts: [String] = []
        while let utterance = script.next() { texts.append(utterance.text) }
        return texts
    }

    @Test("A sentence is returned as soon as the next one starts")
    func incremental() throws {
        var script = PlainTextScript()
        try script.append("Hello there. ")
        #expect(drain(&script) == [])
        try script.append("N")
        #expect(drain(&script) == ["Hello there."])
        try script.append("ext\n\n")
        #expect(drain(&script) == ["Next"])
    }

    @Test(
        "When the input is idle, a finished sentence or line is spoken",
        arguments: [
            ("Hello.", ["Hello."]), ("Hello.\n", ["Hello."]), ("Hello\n", ["Hello"]), ("Hello", []),
            ("Hello. And", ["Hello."]),
            ("Hello Dr.", []), ("Hello Dr.\n", ["Hello Dr."]), ("“Hi!”  ", ["“Hi!”"]), ("你好。", ["你好。"]),
            ("Wait...", ["Wait..."]), ("Well. . .", ["Well. . ."]), ("I waited. ...", ["I waited. ..."]),
            ("One,", []), ("", []), ("\n", []),
        ])
    func idleInputEndsSentences(text: String, expected: [String]) throws {
        var script = PlainTextScript()
        try script.append(text)
        let before = drain(&script)
        script.flushIdle()
        #expect(before + drain(&script) == expected)
        try script.append(" then more")
        try script.finish()
        #expect(Visible.bytes(of: (expected + drain(&script)).joined()) == Visible.bytes(of: text + "then more"))
    }

    @Test("If the input pauses in the middle of a character, the reader waits for the remaining bytes")
    func idleInputInsideCharacter() throws {
        var script = PlainTextScript()
        try script.append(([UInt8](("Go.").utf8) + [0xF0, 0x9F]).span)
        script.flushIdle()
        #expect(drain(&script) == ["Go."])
        try script.append(([0x98, 0x80] as [UInt8]).span)
        try script.finish()
        #expect(drain(&script) == ["😀"])
    }

    @Test("Memory stays bounded for text without any breaks")
    func memory() throws {
        for pattern in ["x", " ", ".", "\n", "(", ". ", "\u{301}", "\u{1B}[0m", "“", "- ", "1"] {
            var script = PlainTextScript()
            let piece = Array(String(repeating: pattern, count: 4_096 / pattern.utf8.count).utf8)
            for _ in 0..<64 {
                try script.append(piece.span)
                while script.next() != nil {}
                #expect(script.bufferedBytes <= 3 * 8_000 + 2 * 4_096)
            }
        }
    }

    @Test(
        "The processing time grows linearly with the length of the text",
        arguments: [
            "x", ".", "e.g. ", "\"", "e\u{301}", "\u{301}", ". ", "Dr. ", "U.S. ", "( ", "a\n", "- a\n", "3. ", "«",
            "» ", "...", "?!",
            "a,", "a, ", "。", "👩‍👩‍👧‍👦", "🇩🇪", " ", "\n", "1.", "\u{1B}]", "a. \"", "- ", "— ", "am 3. ", "[1]", ".[1",
            "a.[12] ", "No. I", "」と。", "</p>", "a</p></b>", "<p ", "<p>", "</p> ",
        ])
    func linear(pattern: String) throws {
        func work(_ bytes: Int, chunk: Int) throws -> Int {
            var script = PlainTextScript()
            let text = Array(String(repeating: pattern, count: bytes / pattern.utf8.count).utf8)
            var index = 0
            while index < text.count {
                let end = min(index + chunk, text.count)
                try script.append(Array(text[index..<end]).span)
                while script.next() != nil {}
                index = end
            }
            try script.finish()
            while script.next() != nil {}
            return script.work
        }
        let small = try work(20_000, chunk: 4_096)
        let large = try work(80_000, chunk: 4_096)
        #expect(large <= 5 * small)
        #expect(large <= 12 * 80_000)
        #expect(try work(10_000, chunk: 1) <= 30 * 10_000)
    }
}
