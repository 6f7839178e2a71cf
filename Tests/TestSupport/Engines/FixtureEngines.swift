import Foundation
import System

/// The engines of `Tests/Fixtures/Engines`, each compiled once with nothing but the header.
enum FixtureEngines {
    private static let built = Monitor<[String: [UInt8]]>([:])

    /// The bytes of the `.so` file. Blocks while it is compiled.
    ///
    /// - Parameters:
    ///   - engine: the name of the file without its ending, or its path in the checkout.
    ///   - choices: macros, each `NAME=value` or `NAME`.
    static func library(_ engine: String, _ choices: [String] = []) throws -> [UInt8] {
        try built.update { built in
            let key = ([engine] + choices).joined(separator: " ")
            if let library = built[key] { return library }
            let library = try compile(engine, choices)
            built[key] = library
            return library
        }
    }

    private static func compile(_ engine: String, _ choices: [String]) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let home = try UserHome()
        let file = home.file("engine.so")
        let source = engine.contains("/") ? engine : "Tests/Fixtures/Engines/\(engine)"
        let result = try ChildProcess(
            "/usr/bin/env",
            arguments: ([
                "cc", "-shared", "-fPIC", "-O2", "-I", "\(root)/Sources/CSynthEngine/include", "-o", file,
            ] + choices.map { "-D\($0)" } + ["\(root)/\(source).c"]).map { Array($0.utf8) },
            environment: home.environment
        ).finish()
        guard result.code == 0 else { throw ChildProcess.TimeOut(description: "cc: \(result.errors)") }
        return Array(try home.data("engine.so"))
    }
}
