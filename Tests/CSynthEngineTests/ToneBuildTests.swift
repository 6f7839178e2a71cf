import Foundation
import Testing

@Suite("Tone and Scripted as templates")
struct ToneBuildTests {
    static let source = Compiler.root.appending(path: "Plugins/Tone/tone.c").path

    @Test(
        "The example plugins need only the header, compile without warnings, and export only their entry points",
        arguments: ["gcc", "clang"],
        [("Plugins/Tone/tone.c", "synth_engine_entry"), ("Plugins/Scripted/scripted.c", "synth_recognizer_entry")])
    func buildsFromHeader(compiler: String, plugin: (source: String, entry: String)) throws {
        let library = FileManager.default.temporaryDirectory.appending(path: "libPlugin-\(UUID().uuidString).so")
        defer { try? FileManager.default.removeItem(at: library) }
        let result = try Compiler(compiler).run([
            "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-shared", "-fPIC", "-I",
            Compiler.root.appending(path: "Sources/CSynthEngine/include").path, "-o", library.path,
            Compiler.root.appending(path: plugin.source).path,
        ])
        try #require(result.status == 0, "\(result.output)")
        let nm = try #require(
            Compiler.find("nm"), "There is no `nm` in PATH; install it with: sudo apt install binutils")
        let symbols = try Compiler.run(nm, ["-D", "--defined-only", "--format=posix", library.path]).output
        // Some linkers export symbols for the ends of sections.
        let exported = symbols.split(separator: "\n").compactMap { $0.split(separator: " ").first }
            .filter { !["__bss_start", "_edata", "_end"].contains($0) }
        #expect(exported == [plugin.entry[...]])
    }

    @Test("Tone's source has at most 150 lines")
    func isShort() throws {
        let text = try String(contentsOfFile: Self.source, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }
}
