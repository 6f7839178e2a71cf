import Foundation
import Testing

@Suite("The C template")
struct SkeletonTests {
    @Test(
        "compiles as C and as C++ without a warning",
        arguments: [
            ("gcc", "c11"), ("g++", "c++17"), ("g++", "c++20"), ("clang", "c11"), ("clang++", "c++17"),
        ])
    func compiles(compiler: String, standard: String) throws {
        let source = Compiler.root.appending(path: "Scripts/templates/c/engine.c").path
        let result = try Compiler(compiler).run([
            "-x", standard.hasPrefix("c++") ? "c++" : "c", "-std=\(standard)", "-Wall", "-Wextra", "-Wpedantic",
            "-Werror", "-fsyntax-only", "-I", Compiler.root.appending(path: "Sources/CSynthEngine/include").path,
            source,
        ])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }
}
