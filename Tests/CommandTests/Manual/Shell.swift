import Foundation
import TestSupport

/// Programs of this machine, with the built `synthhost` first in PATH and a home of their own.
struct Shell {
    let home: URL

    init() throws {
        home = FileManager.default.temporaryDirectory.appending(path: "synthhost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: home) }

    func write(_ text: String, to name: String) throws -> String {
        let file = home.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// Whether there is such a program.
    static func has(_ program: String) -> Bool {
        path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    @discardableResult
    func run(_ words: String..., joined: [String] = []) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words + joined
        process.currentDirectoryURL = home
        var environment = ["HOME": home.path, "PATH": Self.path, "LC_ALL": "C.UTF-8", "TERM": "dumb", "MANWIDTH": "80"]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        process.environment = environment
        let errors = home.appending(path: "errors-\(UUID().uuidString)")
        try Data().write(to: errors)
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: data, as: UTF8.self),
            try String(contentsOf: errors, encoding: .utf8)
        )
    }

    private static let path =
        BuildFolder.withoutNeuralEngines + ":"
        + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
}
