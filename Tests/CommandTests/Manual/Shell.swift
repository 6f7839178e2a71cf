import CommandSupport
import Foundation
import Testing
import TestSupport

/// Runs installed programs in a separate home folder, with the built `synthhost` first in PATH.
struct Shell {
    let home: URL

    init() throws {
        home = FileManager.default.temporaryDirectory.appending(path: "synthhost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: home) }

    func write(_ text: String, to name: String) throws -> String {
        let file = home.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// Adds downloadable Tone voices to the user's registry.
    func offer(_ names: String...) throws {
        let voices = names.map { name in
            """
            {"id": "\(name.lowercased())", "engine": "tone", "name": "\(name)", "language": "de-DE", "files": [{
              "role": "pitch", "url": "https://example.org/\(name)", "size": 1,
              "sha256": "\(String(repeating: "a", count: 64))"}]}
            """
        }
        _ = try write("{\"voices\": [\(voices.joined(separator: ","))]}", to: ".local/share/synthhost/models.json")
    }

    /// Adds a Tone voice to the store.
    func add(_ name: String) throws {
        let file = try write("440", to: "\(name).pitch")
        let added = try run("synthhost", "models", "add", file, "--engine", "tone", "-l", "en", "--name", name)
        try #require(added.status == 0, "\(added.errors)")
    }

    /// Whether the program is installed.
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
