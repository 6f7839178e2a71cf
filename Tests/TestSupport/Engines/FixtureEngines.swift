import Foundation
import Synchronization

/// The tests' engines and recognizers, each of which is compiled once and uses only the headers.
package enum FixtureEngines {
    /// A library whose bytes are set once it has been compiled.
    private final class Library: Sendable {
        let bytes = Mutex<[UInt8]?>(nil)
    }

    private static let built = Mutex<[[String]: Library]>([:])
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// The bytes of the `.so` file. Blocks while the library is being compiled.
    ///
    /// - Parameters:
    ///   - source: The name of a file in `Tests/Fixtures/Engines`, without its extension, or its path in the checkout.
    ///   - choices: Macros of the form `NAME=value` or `NAME`.
    package static func library(_ source: String, _ choices: [String] = []) throws -> [UInt8] {
        let library = built.withLock { built in
            let library = built[[source] + choices] ?? Library()
            built[[source] + choices] = library
            return library
        }
        return try library.bytes.withLock { bytes in
            if let bytes { return bytes }
            let made = try compile(source.contains("/") ? source : "Tests/Fixtures/Engines/\(source)", choices)
            bytes = made
            return made
        }
    }

    /// Writes the `.so` file. Processes that have an existing file open keep its old contents.
    package static func write(_ source: String, _ choices: [String] = [], to path: String) throws {
        let library = try library(source, choices)
        unlink(path)
        try Data(library).write(to: URL(filePath: path))
    }

    private static func compile(_ source: String, _ choices: [String]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let result = try ChildProcess.run(
            "/usr/bin/env",
            [
                "cc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-pthread",
                "-I", "\(root)/Sources/CSynthEngine/include", "-o", folder.file("engine.so"),
            ] + choices.map { "-D\($0)" } + ["\(root)/\(source).c"])
        guard result.code == 0 else { throw ChildProcess.TimeOut(description: "cc: \(result.errors)") }
        return Array(try folder.data("engine.so"))
    }
}
