import SynthScript
import Testing
import TestNumbers

@Suite("Text with tokens")
struct TokenScriptTests {
    @Test("tokens are taken out, and the text keeps its places", arguments: TokenCases.valid)
    func valid(_ example: ScriptCase) throws {
        #expect(try Self.notation(example.document) == example.expected)
    }

    @Test("a token that cannot be read is an error with its place", arguments: TokenCases.broken)
    func broken(_ example: ScriptCase) {
        let error = #expect(throws: ScriptError.self) { try Self.notation(example.document) }
        #expect(error.map(PartNotation.of) == example.expected)
    }

    @Test("bytes that are no text are an error with their place")
    func encoding() {
        let document: [UInt8] = [0x61, 0x0A, 0x62, 0xFF]
        let error = #expect(throws: ScriptError.self) { try TokenScript.parts(of: document.span) }
        #expect(error?.reason == .text(.invalidUTF8(offset: 3, byte: 0xFF)))
        #expect(error?.place == ScriptPlace(line: 2, column: 2, offset: 3))
    }

    @Test("a longer document is refused, and one of the greatest length is not")
    func length() throws {
        let most = 16 << 20
        #expect(try TokenScript.parts(of: Array(repeating: 0x61, count: most).span).count == 1)
        let error = #expect(throws: ScriptError.self) {
            try TokenScript.parts(of: Array(repeating: 0x61, count: most + 1).span)
        }
        #expect(error?.reason == .tooLong(limit: most))
    }

    @Test("the places hold for any text", arguments: 0..<UInt64(300))
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let pieces =
            TokenCases.valid.map(\.document) + ["[", "]", "\\", "[[", "]]", ":", "\n", "ä", "[pause:1s]", "=", " "]
        let document = MixedDocument.of(pieces, with: &random)
        guard let parts = try? TokenScript.parts(of: document.span) else { return }
        try ScriptPlaces.check(parts, in: document)
    }

    private static func notation(_ document: String) throws -> String {
        PartNotation.of(try TokenScript.parts(of: Array(document.utf8).span))
    }
}
