import SynthScript
import Testing

@Suite("SSML")
struct SSMLTests {
    @Test("Reading a script yields its parts and their positions", arguments: SSMLExamples.all)
    func valid(_ example: ScriptExample) throws {
        let document = Array(example.document.utf8)
        let lines = ScriptRendering.lines(of: try SSMLScript(document).rest(), in: document)
        #expect(lines == example.expected)
    }

    @Test("Errors have a line and column number", arguments: BrokenSSML.all)
    func broken(_ example: ScriptExample) {
        let error = #expect(throws: ScriptError.self) { try SSMLScript(Array(example.document.utf8)).rest() }
        #expect(error.map { [ScriptRendering.line(of: $0)] } == example.expected)
    }

    @Test("A document that is not UTF-8 is rejected at its first invalid byte")
    func encoding() {
        let lead = Array("<speak>\né".utf8)
        let broken = #expect(throws: ScriptError.self) { try SSMLScript(lead + [0xE9, 0x20]).rest() }
        #expect(broken?.reason == .text(.invalidUTF8(offset: 10, byte: 0xE9)))
        #expect(broken?.place == ScriptPosition(line: 2, column: 2, offset: 10))
        let wide = #expect(throws: ScriptError.self) { try SSMLScript([0xFF, 0xFE, 0x3C, 0x00]).rest() }
        #expect(wide?.reason == .text(.utf16))
    }

    @Test(
        "A truncated script is rejected",
        arguments: SSMLExamples.blocks + SSMLExamples.pauses + SSMLExamples.words + SSMLExamples.clips)
    func cut(_ example: ScriptExample) {
        let document = Array(example.document.utf8)
        for count in 0..<document.count {
            let error = #expect(throws: ScriptError.self) { try SSMLScript(Array(document[..<count])).rest() }
            #expect((error?.place.offset ?? .max) <= count)
        }
    }
}
