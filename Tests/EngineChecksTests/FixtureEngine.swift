import Foundation
import TestSupport

/// `Tests/Fixtures/Checks/engine.c`, compiled into a new folder, which is removed when this value goes away.
final class FixtureEngine: Sendable {
    struct NotBuilt: Error, CustomStringConvertible {
        let description: String
    }

    let folder: URL
    var path: String { folder.appending(path: "engine.so").path }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// - Parameter faults: "NAN" for `-DFAULT_NAN`.
    init(_ faults: String..., hasFiles: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "checked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let run = try ChildProcess.run(
            "/usr/bin/env",
            ["gcc", "-std=c11", "-D_DEFAULT_SOURCE", "-O1", "-shared", "-fPIC", "-pthread"]
                + faults.map { "-DFAULT_\($0)" } + (hasFiles ? ["-DFILES"] : [])
                + [
                    "-I", Self.root.appending(path: "Sources/CSynthEngine/include").path, "-o", path,
                    Self.root.appending(path: "Tests/Fixtures/Checks/engine.c").path,
                ])
        guard run.code == 0 else { throw NotBuilt(description: run.errors) }
        try Data("WEIGHTS".utf8).write(to: folder.appending(path: "weights"))
        try Data("STYLE".utf8).write(to: folder.appending(path: "style"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> String { folder.appending(path: name).path }
}
