import Foundation
import TestSupport

/// A new home folder for running scripts, with the checkout in `~/synthhost`, and the built programs in `~/.local` as if they
/// were installed.
struct ScriptHome {
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let folder: TemporaryFolder

    var url: URL { URL(filePath: folder.path) }

    init() throws {
        folder = try TemporaryFolder()
        try makeFolder(".local/bin")
        try makeFolder(".local/include")
        try link("synthhost", to: Self.checkout.path)
        try link(".local/bin/synthhost", to: "\(BuildFolder.withoutNeuralEngines)/synthhost")
        try link(".local/include/synthhost", to: Self.checkout.appending(path: "Sources/CSynthEngine/include").path)
    }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            at: url.appending(path: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: url.appending(path: path).path, withDestinationPath: target)
    }

    func size(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)[.size] as? Int) ?? 0
    }

    /// Runs lines in one shell, which stops at the first failure. In the output, each line precedes its own output.
    @discardableResult
    func run(_ lines: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-euxc", "umask 022\n" + lines]
        process.currentDirectoryURL = url
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        process.environment = [
            "HOME": url.path, "PATH": "\(url.path)/.local/bin:\(path)", "LC_ALL": "C.UTF-8",
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

    /// Returns the lines without commands that this build lacks. Swift is compiled without optimization, which would
    /// otherwise account for most of the build time.
    func runnable(_ lines: String) throws -> String {
        let knowsValidate = try run("synthhost help engines validate").status == 0
        return lines.split(separator: "\n").filter { knowsValidate || !$0.contains("engines validate") }
            .joined(separator: "\n").replacing("swift build -c release", with: "swift build -c release -Xswiftc -Onone")
    }
}
