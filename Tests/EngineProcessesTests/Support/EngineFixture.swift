import Foundation
import SynthEngineProcesses
import TestSupport

/// A temporary folder for one test and for the engines that it builds. The folder is deleted along with this object.
final class EngineFixture: Sendable {
    let folder: String
    private let outermost: String

    /// - Parameter name: A subfolder of the temporary folder to use instead of the folder itself.
    init(below name: String? = nil) throws {
        // Other users must not have write access to an engine's folder.
        let outermost = "\(NSTemporaryDirectory())/engines-\(getpid())-\(UUID().uuidString)"
            .replacingOccurrences(of: "//", with: "/")
        self.outermost = outermost
        folder = name.map { "\(outermost)/\($0)" } ?? outermost
        try FileManager.default.createDirectory(
            atPath: "\(folder)/plugins", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: outermost) }

    var plugins: String { "\(folder)/plugins" }

    /// The real worker.
    var program: WorkerProgram {
        WorkerProgram(path: "\(BuildFolder.path)/synthhost-worker", logFolder: "\(folder)/logs")
    }

    static let tone = "\(BuildFolder.path)/libTone.so"

    /// Compiles one of the fixture engines. Each choice is a macro of the form `NAME=value` or `NAME`.
    @discardableResult
    func makeEngine(
        _ choices: [String], from source: String = "faulty", named name: String = "faulty", in folder: String? = nil
    ) throws -> String {
        let path = "\(folder ?? plugins)/\(name).so"
        try FixtureEngines.write(source, choices, to: path)
        return path
    }

    @discardableResult
    func copyTone(as name: String = "tone", in folder: String? = nil) throws -> String {
        let path = "\(folder ?? plugins)/\(name).so"
        try FileManager.default.copyItem(atPath: Self.tone, toPath: path)
        return path
    }

    @discardableResult
    func write(_ bytes: Data, as name: String) throws -> String {
        let path = "\(plugins)/\(name)"
        try bytes.write(to: URL(filePath: path))
        return path
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    struct Failure: Error, CustomStringConvertible { let description: String }
}
