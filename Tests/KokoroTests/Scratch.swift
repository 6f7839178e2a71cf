import Foundation

/// A fresh folder of a test, removed with everything in it when the test ends.
final class Scratch {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "synthhost-kokoro-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String, _ content: some DataProtocol) throws -> String {
        let url = URL(filePath: path).appending(path: name)
        try Data(content).write(to: url)
        return url.path
    }
}
