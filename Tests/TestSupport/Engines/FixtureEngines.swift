import Foundation
import System

/// Engines and recognizers of the tests, each compiled once with nothing but the headers.
package enum FixtureEngines {
    private static let built = Monitor<[String: [UInt8]]>([:])
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// The bytes of the `.so` file. Blocks while it is compiled.
    ///
    /// - Parameters:
    ///   - source: the name of a file of `Tests/Fixtures/Engines` without its ending, or its path in the checkout.
    ///   - choices: macros, each `NAME=value` or `NAME`.
    package static func library(_ source: String, _ choices: [String] = []) throws -> [UInt8] {
        let key = ([source] + choices).joined(separator: " ")
        if let library = built.update({ $0[key] }) { return library }
        let library = try compile(source.contains("/") ? source : "Tests/Fixtures/Engines/\(source)", choices)
        built.update { $0[key] = library }
        return library
    }

    /// Writes the `.so` file, as a new file if there is one.
    package static func write(_ source: String, _ choices: [String] = [], to path: String) throws {
        let library = try library(source, choices)
        unlink(path)
        try Data(library).write(to: URL(filePath: path))
    }

    private static func compile(_ source: String, _ choices: [String]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/engine.so"
        let result = try ChildProcess.run(
            "/usr/bin/env",
            [
                "cc", "-std=gnu11", "-O1", "-Wall", "-shared", "-fPIC", "-pthread",
                "-I", "\(root)/Sources/CSynthEngine/include", "-o", file,
            ] + choices.map { "-D\($0)" } + ["\(root)/\(source).c"])
        guard result.code == 0 else { throw ChildProcess.TimeOut(description: "cc: \(result.errors)") }
        return Array(try Data(contentsOf: URL(filePath: file)))
    }
}
