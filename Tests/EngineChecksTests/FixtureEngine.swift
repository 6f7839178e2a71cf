import Foundation
import TestSupport

/// `Tests/Fixtures/Checks/engine.c`, compiled into a temporary folder, which is deleted along with this object.
final class FixtureEngine: Sendable {
    struct NotBuilt: Error, CustomStringConvertible {
        let description: String
    }

    let folder: URL
    var path: String { folder.appending(path: "engine.so").path }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// - Parameters:
    ///   - faults: The faults to compile in, such as "NAN" for `-DFAULT_NAN`.
    ///   - asking: The name of the group of system calls in `asking.h` that the engine makes. Some of them open the file
    ///     `.ssh/id` in the engine's folder, to which the engine has no access.
    init(_ faults: String..., hasFiles: Bool = false, asking: String? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "checked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        var choices = ["_GNU_SOURCE"] + faults.map { "FAULT_\($0)" }
        if hasFiles { choices.append("FILES") }
        if let asking { choices += ["FAULT_ASKS=\"\(asking)\"", "OUTSIDE=\"\(folder.path)\""] }
        try FixtureEngines.write("Tests/Fixtures/Checks/engine", choices, to: path)
        try Data("WEIGHTS".utf8).write(to: folder.appending(path: "weights"))
        try Data("STYLE".utf8).write(to: folder.appending(path: "style"))
        guard asking != nil else { return }
        try FileManager.default.createDirectory(at: folder.appending(path: ".ssh"), withIntermediateDirectories: false)
        try Data("nobody's business".utf8).write(to: folder.appending(path: ".ssh/id"))
    }

    /// Compiles a program from `Tests/Fixtures/Checks` into the folder.
    func program(_ source: String, _ options: [String]) throws -> String {
        let path = file(source)
        let run = try ChildProcess.run(
            "/usr/bin/env",
            ["gcc", "-std=gnu11", "-o", path, Self.root.appending(path: "Tests/Fixtures/Checks/\(source).c").path]
                + options)
        guard run.code == 0 else { throw NotBuilt(description: run.errors) }
        return path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> String { folder.appending(path: name).path }
}
