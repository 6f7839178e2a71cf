import Foundation
import Testing

@Suite("The C templates")
struct SkeletonTests {
    @Test(
        "Each template compiles as C and as C++ without warnings",
        arguments: [
            ("gcc", "c11"), ("g++", "c++17"), ("g++", "c++20"), ("clang", "c11"), ("clang++", "c++17"),
        ], ["engine.c", "recognizer.c"])
    func compiles(compiler: (name: String, standard: String), template: String) throws {
        let (name, standard) = compiler
        let source = Compiler.root.appending(path: "Scripts/templates/c/\(template)").path
        let result = try Compiler(name).run([
            "-x", standard.hasPrefix("c++") ? "c++" : "c", "-std=\(standard)", "-Wall", "-Wextra", "-Wpedantic",
            "-Werror", "-fsyntax-only", "-I", Compiler.root.appending(path: "Sources/CSynthEngine/include").path,
            source,
        ])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }
}
