import Foundation
import Testing

@Suite("synth_engine.h and synth_recognizer.h")
struct HeaderTests {
    /// A header, the source that checks its frozen layout, and the names of an enum and a struct that the assertions
    /// cover.
    struct Header: Sendable, CustomTestStringConvertible {
        let name: String
        let layout: String
        let anEnum: String
        /// The name of a struct that has a serial number at byte offset 8.
        let numbered: String

        var testDescription: String { name }
        var path: String { Compiler.root.appending(path: "Tests/CSynthEngineTests/Layout/\(layout)").path }
    }

    static let headers = [
        Header(name: "synth_engine.h", layout: "layout.c", anEnum: "synth_status", numbered: "synth_request"),
        Header(
            name: "synth_recognizer.h", layout: "recognizer_layout.c", anEnum: "synth_heard_kind",
            numbered: "synth_recognition"),
    ]

    static let strict = [
        "-Wall", "-Wextra", "-Wpadded", "-Werror", "-pedantic", "-Wconversion", "-Wshadow", "-Wundef", "-fsyntax-only",
        "-I", Compiler.root.appending(path: "Sources/CSynthEngine/include").path,
    ]

    @Test(
        "Each header has the frozen layout, without padding, in C and in C++",
        arguments: [
            ("gcc", "c", "c11"), ("gcc", "c", "c17"), ("clang", "c", "c11"), ("clang", "c", "c17"),
            ("g++", "c++", "c++17"), ("clang++", "c++", "c++17"),
        ], headers)
    func layoutIsFrozen(compiler: (name: String, language: String, standard: String), header: Header) throws {
        let (name, language, standard) = compiler
        let extra = language == "c++" ? ["-Wold-style-cast"] : []
        let result = try Compiler(name).run(
            ["-x", language, "-std=\(standard)"] + Self.strict + extra + [header.path])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test("The layout assertions detect an enum whose size has changed", arguments: ["gcc", "clang"], headers)
    func assertionsBite(compiler: String, header: Header) throws {
        let result = try Compiler(compiler).run(["-std=c11", "-fshort-enums"] + Self.strict + [header.path])
        #expect(result.status != 0)
        #expect(result.output.contains(header.anEnum))
    }

    @Test(
        "The layout assertions detect an inserted field that moves other fields", arguments: ["gcc", "clang"], headers
    )
    func insertedFieldIsRefused(compiler: String, header: Header) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "synth-header-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let original = Compiler.root.appending(path: "Sources/CSynthEngine/include/\(header.name)")
        let text = try String(contentsOf: original, encoding: .utf8)
        let changed = text.replacingOccurrences(
            of: "  uint64_t serial;", with: "  uint64_t inserted;\n  uint64_t serial;")
        #expect(changed != text)
        try changed.write(to: folder.appending(path: header.name), atomically: true, encoding: .utf8)
        let result = try Compiler(compiler).run(["-std=c11", "-I", folder.path] + Self.strict + [header.path])
        #expect(result.status != 0)
        #expect(result.output.contains("offsetof(\(header.numbered), serial) == 8"))
    }
}
