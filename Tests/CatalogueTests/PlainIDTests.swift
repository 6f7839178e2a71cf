import Foundation
import SynthJSON
import SynthSystem
import Testing

@testable import SynthCatalogue

@Suite("IDs")
struct PlainIDTests {
    @Test(
        "An ID that looks like an option, or that is unsafe as a file name on any system, is rejected",
        arguments: [
            ("", .empty), ("-rf", .leadingDash), (".", .leadingDot), ("..", .leadingDot), (".x", .leadingDot),
            ("x.", .trailingDot),
            ("x ", .characters), (" x", .characters), ("a/b", .characters), ("a\u{0}b", .characters),
            ("a\nb", .characters),
            ("\u{1B}[2J", .characters), ("caf\u{E9}", .characters), ("CON", .reserved("CON")),
            ("con", .reserved("CON")),
            ("Nul.onnx", .reserved("NUL")), ("aux.tar.gz", .reserved("AUX")), ("prn", .reserved("PRN")),
            ("COM1", .reserved("COM1")),
            ("lpt9.wav", .reserved("LPT9")), (String(repeating: "x", count: 201), .tooLong(most: 200)),
        ] as [(String, PlainID.Flaw)])
    func refused(id: String, flaw: PlainID.Flaw) {
        #expect(PlainID.flaw(of: id) == flaw && !FileName.isID(id))
        #expect(flaw.rule.hasPrefix("an ID "))
    }

    @Test(
        "IDs may contain letters, digits and . _ + -",
        arguments: [
            "a", "A-1", "whisper-tiny.en", "gmw+x", "en_GB-alan-medium", "console", "com0", "com10", "nul-1", "x.con",
            "_x",
        ])
    func accepted(id: String) { #expect(PlainID.flaw(of: id) == nil && FileName.isID(id)) }

    @Test("All IDs in the shipped registry are valid, and no two differ only by case")
    func published() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "models.json")
        let text = Array(try Data(contentsOf: path))
        let registry = try Registry([("models.json", text)])
        #expect(registry.voices.count > 200 && registry.models.count > 1 && registry.recognizerModelEntries.count > 1)
        let ids = registry.voices.map(\.id) + registry.models.map(\.id) + registry.recognizerModelEntries.map(\.id)
        #expect(ids.allSatisfy { PlainID.flaw(of: $0) == nil } && Set(ids.map(PlainID.folded)).count == ids.count)
    }

    private static let sha = String(repeating: "0", count: 64)

    /// A registry with one voice or model per line, starting at line 2.
    private static func registry(_ lines: [String]) -> [UInt8] { Array("{\n\(lines.joined(separator: "\n"))\n}".utf8) }

    private static func item(_ id: String, _ more: String = "") -> String {
        #"{"id": "\#(id)", "name": "A", "engine": "e", \#(more) "files": [{"role": "model", "url": "https://h/x", "size": 1, "sha256": "\#(sha)"}]}"#
    }

    @Test("An ID that differs from another only by case is rejected, and the error includes the line numbers of both")
    func case_() throws {
        let voice = #""language": "en","#
        let text = Self.registry([
            #""voices": ["#, Self.item("amy", voice) + ",", Self.item("joe", voice) + ",",
            Self.item("Amy", voice) + "]",
        ])
        let fault = #expect(throws: RegistryError.self) { try Registry([("own.json", text)]) }
        #expect(
            fault
                == RegistryError(
                    origin: .file("own.json"), line: 5, subject: .voice("Amy"),
                    .differsByCase(from: "amy", file: "own.json", line: 3)))

        // Models and voices, from the user's registry and from the shipped registry, are stored in the same folder.
        let models = Self.registry([#""models": ["#, Self.item("JOE") + "]"])
        let second = #expect(throws: RegistryError.self) {
            try Registry([
                ("models.json", Self.registry([#""voices": ["#, Self.item("joe", voice) + "]"])), ("own.json", models),
            ])
        }
        #expect(
            second?.subject == .voice("joe")
                && second?.problem == .differsByCase(from: "JOE", file: "own.json", line: 3))
        // A user's entry replaces the shipped entry with the same ID.
        let same = Self.registry([#""voices": ["#, Self.item("joe", voice) + "]"])
        #expect(try Registry([("models.json", same), ("own.json", same)]).voices.count == 1)
    }

    @Test(
        "Invalid IDs are rejected everywhere in a registry",
        arguments: [
            "\"voices\": [" + item("NUL", #""language": "en","#) + "]", "\"models\": [" + item("-rf") + "]",
            #""sources": {"-rf": {"url": "https://h/"}}"#, #""engines": {"con": {}}"#,
        ])
    func places(line: String) {
        let fault = #expect(throws: RegistryError.self) { try Registry([("own.json", Self.registry([line]))]) }
        #expect(fault?.problem == .badID && fault?.line == 2)
    }
}
