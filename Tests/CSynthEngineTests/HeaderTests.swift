import Foundation
import Testing

@Suite("synth_engine.h")
struct HeaderTests {
    static let strict = [
        "-Wall", "-Wextra", "-Wpadded", "-Werror", "-pedantic", "-Wconversion", "-Wshadow", "-Wundef", "-fsyntax-only",
        "-I", Compiler.root.appending(path: "Sources/CSynthEngine/include").path,
    ]
    static let layout = Compiler.root.appending(path: "Tests/CSynthEngineTests/Layout/layout.c").path

    @Test(
        "its layout is the frozen one, without padding, in every language",
        arguments: [
            ("gcc", "c", "c11"), ("gcc", "c", "c17"), ("clang", "c", "c11"), ("clang", "c", "c17"),
            ("g++", "c++", "c++17"), ("clang++", "c++", "c++17"),
        ])
    func layoutIsFrozen(compiler: String, language: String, standard: String) throws {
        let extra = language == "c++" ? ["-Wold-style-cast"] : []
        let result = try Compiler(compiler).run(
            ["-x", language, "-std=\(standard)"] + Self.strict + extra + [Self.layout])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test("an enum of another size is refused by the assertions", arguments: ["gcc", "clang"])
    func assertionsBite(compiler: String) throws {
        let result = try Compiler(compiler).run(["-std=c11", "-fshort-enums"] + Self.strict + [Self.layout])
        #expect(result.status != 0)
        #expect(result.output.contains("synth_status"))
    }

    @Test("the assertions refuse an inserted field, which moves the others", arguments: ["gcc", "clang"])
    func insertedFieldIsRefused(compiler: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "synth-header-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let header = Compiler.root.appending(path: "Sources/CSynthEngine/include/synth_engine.h")
        let text = try String(contentsOf: header, encoding: .utf8)
        let changed = text.replacingOccurrences(
            of: "  uint64_t serial;", with: "  uint64_t inserted;\n  uint64_t serial;")
        #expect(changed != text)
        try changed.write(to: folder.appending(path: "synth_engine.h"), atomically: true, encoding: .utf8)
        let result = try Compiler(compiler).run(["-std=c11", "-I", folder.path] + Self.strict + [Self.layout])
        #expect(result.status != 0)
        #expect(result.output.contains("offsetof(synth_request, serial) == 8"))
    }
}
