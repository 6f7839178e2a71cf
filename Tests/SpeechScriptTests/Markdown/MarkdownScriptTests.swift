import Testing
import TestNumbers

@testable import SynthScript

@Suite("Markdown")
struct MarkdownScriptTests {
    static let all =
        MarkdownCases.valid + MarkdownCases.references + MarkdownCases.quotesAndLists + MarkdownCases.tables
        + MarkdownCases.leftOut + MarkdownCases.html + MarkdownCases.further + MarkdownCases.dialects

    @Test("Words keep their positions in the document", arguments: all)
    func valid(_ example: ScriptCase) throws {
        let parts = try MarkdownScript(Array(example.document.utf8)).rest()
        #expect(PartNotation.of(parts) == example.expected)
    }

    @Test("Tokens are interpreted if requested", arguments: MarkdownCases.tokens)
    func tokens(_ example: ScriptCase) throws {
        let document = Array(example.document.utf8)
        #expect(PartNotation.of(try MarkdownScript(document, tokens: true).rest()) == example.expected)
        let plain = try MarkdownScript(document).rest()
        let isPlain = plain.allSatisfy { part in
            switch part {
            case .text(let text): text.pronunciation == nil && text.style == ScriptStyle()
            case .end: true
            default: false
            }
        }
        #expect(isPlain)
    }

    @Test("The error for an unreadable token includes the position", arguments: MarkdownCases.broken)
    func broken(_ example: ScriptCase) throws {
        #expect(try Self.refusal(of: example.document, tokens: true).map(PartNotation.of) == example.expected)
    }

    @Test("Positions are valid for any document")
    func property() throws {
        let pieces = Self.all.map(\.document) + Self.signs
        for seed in 0..<UInt64(3_000) {
            var random = SeededRandom(seed)
            let document = MixedDocument.of(pieces, with: &random)
            guard let parts = try? MarkdownScript(document, tokens: seed % 4 == 0).rest() else { continue }
            #expect(throws: Never.self, "\(seed): \(String(decoding: document, as: UTF8.self).debugDescription)") {
                try ScriptPositions.check(parts, in: document)
            }
        }
    }

    @Test("Positions are valid in documents with footnotes", arguments: 0..<UInt64(200))
    func footnotes(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let pieces = Self.signs + ["[^1]", "[^1]: a", "[^", "^", "x[^1] y\n\n[^1]: note *here*\n    more\n\nz"]
        let document = MixedDocument.of(pieces, with: &random)
        guard let parts = try? MarkdownScript(document).rest() else { return }
        try ScriptPositions.check(parts, in: document)
    }

    private static let signs = [
        "*", "**", "_", "`", "``", "[", "]", "(", ")", "[a]", "](b)", "![", "<", "<b>", "<https://a>", "&amp;", "&",
        "\\", "\n",
        "\n\n", "\n> ", "> ", "- ", "1. ", "    ", "\t", "|", "\n|-|-|\n", "\n---\n", "===\n", "# ", "~~", "~", "<!-- ",
        "-->",
        "ä", "😀", "\r\n", "\r", "  \n", "\\\n", "[a]: /u\n", "'t", "\"", "a", "b c", "<br>", "```\n",
    ]

    @Test("The error for a missing library includes the library's name")
    func missing() {
        let error = #expect(throws: ScriptError.self) {
            try MarkdownLibrary("libnowhere.so.1", pages: "libnowhere.so.2")
        }
        guard case .libraryNotLoaded("libnowhere.so.1", let reason?) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("libnowhere.so.1"))
    }

    static func refusal(of document: String, tokens: Bool = false) throws -> ScriptError? {
        do {
            _ = try MarkdownScript(Array(document.utf8), tokens: tokens).rest()
        } catch {
            if case .libraryNotLoaded = error.reason { throw error }
            return error
        }
        return nil
    }
}
