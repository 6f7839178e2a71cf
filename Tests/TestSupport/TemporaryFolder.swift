package import Foundation

/// A new folder for a test. It is deleted along with its contents when this object is deallocated.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = URL(filePath: NSTemporaryDirectory()).appending(path: "synthhost-test-" + UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The contents of a file in the folder.
    package func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }

    /// Writes a file, creating its parent folders, and returns its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// The paths of all files and folders inside, sorted.
    package func entries() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }
}
