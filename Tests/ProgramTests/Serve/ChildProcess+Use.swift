import Foundation
import Testing
import TestSupport

/// The resource use of a service that is under attack by clients.
extension ChildProcess {
    /// The memory use in bytes.
    func memory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        return try #require(text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) }) * 1024
    }

    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count
    }

    func threads() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task").count) ?? .max
    }
}
