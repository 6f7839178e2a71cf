import Testing
import TestNumbers

@testable import SynthMarkup
@testable import SynthScript

@Suite("Markdown")
struct MarkdownScriptTests {
    static let all =
        MarkdownCases.valid + MarkdownCases.references + MarkdownCases.quotesAndLists + MarkdownCases.tables
        + MarkdownCases.leftOut

    @Test("words are heard, and know where they stand", arguments: all)
    func valid(_ example: ScriptCase) throws {
        let read = try MarkdownScript.read(Array(example.document.utf8).span, tokens: false)
        #expect(PartNotation.of(read.parts) == example.expected)
        #expect(read.lostBlocks == 0)
    }

    @Test("tokens are read if asked for", arguments: MarkdownCases.tokens)
    func tokens(_ example: ScriptCase) throws {
        let document = Array(example.document.utf8)
        #expect(PartNotation.of(try MarkdownScript.parts(of: document.span, tokens: true)) == example.expected)
        let plain = try MarkdownScript.parts(of: document.span)
        let isPlain = plain.allSatisfy { part in
            switch part {
            case .text(let text): text.pronunciation == nil && text.style == ScriptStyle()
            case .end: true
            default: false
            }
        }
        #expect(isPlain)
    }

    @Test("a token that cannot be read is an error with its place", arguments: MarkdownCases.broken)
    func broken(_ example: ScriptCase) throws {
        #expect(try Self.refusal(of: example.document, tokens: true).map(PartNotation.of) == example.expected)
    }

    @Test("the places hold for any document, and are known for nearly all")
    func property() throws {
        // What the library loses itself: words in the sign of a footnote that there is not, over several lines.
        let pieces = Self.all.map(\.document).filter { !$0.contains("[^") } + Self.signs
        var lost = 0
        for seed in 0..<UInt64(3_000) {
            var random = SeededRandom(seed)
            let document = MixedDocument.of(pieces, with: &random)
            guard let read = try? MarkdownScript.read(document.span, tokens: seed % 4 == 0) else { continue }
            try ScriptPlaces.check(read.parts, in: document)
            lost += read.lostBlocks
        }
        #expect(lost <= 15)
    }

    @Test("the places hold in documents with footnotes", arguments: 0..<UInt64(200))
    func footnotes(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let pieces = Self.signs + ["[^1]", "[^1]: a", "[^", "^", "x[^1] y\n\n[^1]: note *here*\n    more\n\nz"]
        let document = MixedDocument.of(pieces, with: &random)
        guard let parts = try? MarkdownScript.parts(of: document.span) else { return }
        try ScriptPlaces.check(parts, in: document)
    }

    private static let signs = [
        "*", "**", "_", "`", "``", "[", "]", "(", ")", "[a]", "](b)", "![", "<", "<b>", "<https://a>", "&amp;", "&",
        "\\", "\n",
        "\n\n", "\n> ", "> ", "- ", "1. ", "    ", "\t", "|", "\n|-|-|\n", "\n---\n", "===\n", "# ", "~~", "~", "<!-- ",
        "-->",
        "ä", "😀", "\r\n", "\r", "  \n", "\\\n", "[a]: /u\n", "'t", "\"", "a", "b c", "<br>", "```\n",
    ]

    @Test("a library that is not there is an error with its name")
    func missing() {
        let error = #expect(throws: ScriptError.self) {
            try MarkdownLibrary(core: "libnowhere.so.1", extensions: "libnowhere.so.2")
        }
        guard case .libraryNotLoaded("libnowhere.so.1", let reason?) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("libnowhere.so.1"))
    }

    static func refusal(of document: String, tokens: Bool = false) throws -> ScriptError? {
        do {
            _ = try MarkdownScript.parts(of: Array(document.utf8).span, tokens: tokens)
        } catch {
            if case .libraryNotLoaded = error.reason { throw error }
            return error
        }
        return nil
    }
}
