import Foundation

/// The programs that the build placed next to the tests.
enum Programs {
    static let fetch = path("synthhost-fetch")
    static let probe = path("StoreProbe")

    private static func path(_ name: String) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent + "/" + name
    }

    /// Starts a program with its output redirected to `output`.
    static func start(_ program: String, _ arguments: [String], output: Any = FileHandle.nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Waits on a separate thread, because the tests share a small number of threads.
    static func wait(for process: Process) async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }
}
