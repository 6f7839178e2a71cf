import SynthScript
import Testing
import TestNumbers

@Suite("Text with tokens")
struct TokenScriptTests {
    @Test("Tokens are removed, and the text keeps its positions", arguments: TokenCases.valid)
    func valid(_ example: ScriptCase) throws {
        #expect(try Self.notation(example.document) == example.expected)
    }

    @Test("The error for an unreadable token includes the position", arguments: TokenCases.broken)
    func broken(_ example: ScriptCase) {
        let error = #expect(throws: ScriptError.self) { try Self.notation(example.document) }
        #expect(error.map(PartNotation.of) == example.expected)
    }

    @Test("The error for invalid UTF-8 includes the position")
    func encoding() {
        let document: [UInt8] = [0x61, 0x0A, 0x62, 0xFF]
        let error = #expect(throws: ScriptError.self) { try TokenScript(document).rest() }
        #expect(error?.reason == .text(.invalidUTF8(offset: 3, byte: 0xFF)))
        #expect(error?.place == ScriptPosition(line: 2, column: 2, offset: 3))
    }

    @Test("A document of the maximum length is read, but a longer document is rejected")
    func length() throws {
        let most = 16 << 20
        #expect(try TokenScript(Array(repeating: 0x61, count: most)).rest().count == 1)
        let error = #expect(throws: ScriptError.self) {
            try TokenScript(Array(repeating: 0x61, count: most + 1)).rest()
        }
        #expect(error?.reason == .tooLong(limit: most))
    }

    @Test("Positions are valid for any text", arguments: 0..<UInt64(300))
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let pieces =
            TokenCases.valid.map(\.document) + ["[", "]", "\\", "[[", "]]", ":", "\n", "ä", "[pause:1s]", "=", " "]
        let document = MixedDocument.of(pieces, with: &random)
        guard let parts = try? TokenScript(document).rest() else { return }
        try ScriptPositions.check(parts, in: document)
    }

    private static func notation(_ document: String) throws -> String {
        PartNotation.of(try TokenScript(Array(document.utf8)).rest())
    }
}
