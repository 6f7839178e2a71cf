import Testing

@testable import SynthScript

/// The memory needed for reading depends on the size of the reader's buffer, which the tests therefore measure.
@Suite("Reading scripts incrementally")
struct ScriptMemoryTests {
    private static func document(of piece: String, bytes: Int = 100_000) -> [UInt8] {
        Array(String(repeating: piece, count: bytes / piece.utf8.count).utf8)
    }

    @Test(
        "Markdown is read in blocks of limited length, regardless of its content",
        arguments: [
            "* a\n", "> a\n", "*a* ", "*a*\n", "[", "|a|b|\n|-|-|\n|a|b|\n", "a\n\n", "[a]: b\n\n[a]\n\n", "x[^a] ",
            "[^a]: b\n\n", "1. a\n\n   b\n\n", "- a\n\n", "word ", "A sentence is here.\n", "<p>a\n\n", "<p>a b\n", "ä",
        ])
    func blocks(piece: String) throws {
        let document = Self.document(of: piece)
        let parts = try MarkdownScript(document).rest()
        var count = 0
        for case .text(let text) in parts {
            #expect(text.text.utf8.count <= 40 << 10)
            #expect(!text.text.unicodeScalars.contains("\u{FFFD}"))
            count += 1
        }
        #expect(count > 1)
    }

    @Test("In a long document, each repetition of a block is spoken in the same way as its first occurrence")
    func sameWords() throws {
        let blocks = [
            "# Head *one*\n\n", "A paragraph with a [link] and `code`.\nIts second line.\n\n", "- item\n- another\n\n",
            "> A quotation.\n\n", "|a|b|\n|-|-|\n|c|d|\n\n", "```\ncode\n\n# no head\n```\n\n", "1. one\n2. two\n\n",
            "Note.[^n]\n\n[^n]: The note.\n\n",
        ]
        let definition = "[link]: /address\n\n"
        func words(_ text: String) throws -> [String] {
            try MarkdownScript(Array(text.utf8)).rest().map { part in
                switch part {
                case .text(let text): text.text
                case .end(let kind): "\(kind)"
                default: "-"
                }
            }
        }
        let once = try words(blocks.joined() + definition)
        #expect(once.contains("A paragraph with a link and code. Its second line."))
        let many = try words(String(repeating: blocks.joined(), count: 200) + definition)
        #expect(many == Array(repeating: once, count: 200).flatMap(\.self))
    }

    @Test("The header of a long table is spoken once")
    func table() throws {
        let document = "|head|er|\n|-|-|\n" + String(repeating: "|cell|x|\n", count: 8_000)
        let parts = try MarkdownScript(Array(document.utf8)).rest()
        let texts = parts.compactMap { if case .text(let text) = $0 { text.text } else { nil } }
        #expect(texts.count == 8_001 && texts.first == "head, er" && texts.dropFirst().allSatisfy { $0 == "cell, x" })
    }

    /// Counts the parts that have been read.
    private final class Count { var taken = 0 }

    private struct Endless: ScriptReader {
        let count: Count

        mutating func next() -> ScriptPart? {
            count.taken += 1
            let text = String(repeating: "One two. ", count: 100)
            return .text(ScriptText(text, source: SourceMap(offset: count.taken * text.utf8.count)))
        }
    }

    @Test("For a text with a single style, a plan returns the first utterance before the complete text has been read")
    func plan() throws {
        let count = Count()
        var plan = ScriptPlan(Endless(count: count), characters: CharacterIndex([]))
        guard case .utterance(let first) = try plan.next() else {
            Issue.record("The plan did not return an utterance.")
            return
        }
        #expect(first.text == "One two." && count.taken <= 40)
        for _ in 0..<2_000 { #expect(try plan.next()?.utterance?.text == "One two.") }
        #expect(count.taken <= 40 + 2_000 / 100 + 1)
    }

    @Test(
        "A reader immediately returns the first part of a long document", arguments: ["[mark:a]", "a <break/>", "a. "])
    func readers(piece: String) throws {
        let document = Self.document(of: piece)
        #expect(try TokenScript(document).rest().count > 1)
        var tokens = TokenReader()
        var whole = MappedText()
        whole.append(copied: 0..<document.count, of: document.span)
        func said(_ parts: [ScriptPart]) -> String {
            parts.map { if case .text(let text) = $0 { text.text } else { "-" } }.joined()
        }
        let parts = try tokens.parts(of: whole, in: document.span)
        #expect(said(try TokenScript(document).rest()) == said(parts))
    }
}
