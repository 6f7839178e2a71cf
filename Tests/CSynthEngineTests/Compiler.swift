import Foundation

/// An installed C or C++ compiler.
struct Compiler: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let path: String

    /// Finds `gcc` and `g++` in PATH, and `clang` and `clang++` in the folder that contains `swift`, whose C importer uses
    /// the same front end.
    init(_ name: String) throws {
        if name.hasPrefix("clang") {
            guard let swift = Self.find("swift") else { throw Missing(description: "There is no `swift` in PATH.") }
            path = URL(filePath: swift).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
        } else {
            guard let found = Self.find(name) else {
                throw Missing(description: "There is no `\(name)` in PATH; install it with: sudo apt install \(name)")
            }
            path = found
        }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Missing(description: "There is no compiler at \(path); the Swift toolchain comes with one.")
        }
    }

    /// Returns the exit status and the compiler's messages. On success, these are 0 and an empty string.
    func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        try Self.run(path, arguments)
    }

    static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
