import Foundation
import TestSupport

/// A home folder of its own in which scripts run, with the checkout in `~/synthhost` and what was built as if it were
/// installed in `~/.local`.
struct Workshop {
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let home: URL

    init() throws {
        home = FileManager.default.temporaryDirectory.appending(path: "synthhost-\(UUID().uuidString)")
        try makeFolder("")
        try makeFolder(".local/bin")
        try makeFolder(".local/include")
        try link("synthhost", to: Self.checkout.path)
        try link(".local/bin/synthhost", to: "\(BuildFolder.withoutNeuralEngines)/synthhost")
        try link(".local/include/synthhost", to: Self.checkout.appending(path: "Sources/CSynthEngine/include").path)
    }

    func remove() { try? FileManager.default.removeItem(at: home) }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            at: home.appending(path: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: home.appending(path: path).path, withDestinationPath: target)
    }

    func size(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: home.appending(path: path).path)[.size] as? Int) ?? 0
    }

    /// Runs lines in one shell that ends at the first that fails, and shows each before what it says.
    @discardableResult
    func run(_ lines: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-euxc", "umask 022\n" + lines]
        process.currentDirectoryURL = home
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        process.environment = [
            "HOME": home.path, "PATH": "\(home.path)/.local/bin:\(path)", "LC_ALL": "C.UTF-8",
        ]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// The lines without those that this build has no command for yet.
    func runnable(_ lines: String) throws -> String {
        let knowsValidate = try run("synthhost help engines validate").status == 0
        return lines.split(separator: "\n").filter { knowsValidate || !$0.contains("engines validate") }
            .joined(separator: "\n")
    }
}
