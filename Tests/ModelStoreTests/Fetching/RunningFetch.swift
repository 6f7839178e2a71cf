import Foundation
import SynthSystem
import TestSupport

@testable import SynthModelStore

/// A running download program. It reads one job from stdin, in the same format that the host sends.
struct RunningFetch {
    let process: TestSupport.ChildProcess

    /// - Parameter limit: The maximum size of files that the program writes, in blocks of 512 bytes.
    init(_ job: DownloadJob, limit: Int? = nil, environment: [String: String] = [:]) throws {
        let line = limit.map { "ulimit -f \($0); exec '\(Programs.fetch)'" } ?? "exec '\(Programs.fetch)'"
        process = try TestSupport.ChildProcess(
            "/bin/sh", arguments: ["-c", line].map { Array($0.utf8) }, environment: environment, input: .pipe,
            output: .pipe, errors: .null)
        try process.feed(Array(JSONEncoder().encode(FetchJob.download(job))) + [0x0a])
    }

    var events: [FetchEvent] {
        process.output.split(separator: 0x0a).compactMap { try? JSONDecoder().decode(FetchEvent.self, from: Data($0)) }
    }

    /// The number of bytes in the most recent progress event.
    var progress: Int64 {
        for case .progress(let bytes) in events.reversed() { return bytes }
        return 0
    }

    func waitForProgress(_ bytes: Int64) throws { try process.wait("\(bytes) bytes") { _ in progress >= bytes } }

    /// Waits for the program to end and returns the last event.
    func finish() throws -> FetchEvent? {
        _ = try process.finish()
        return events.last
    }

    /// The CPU time that the program's threads have used so far, in seconds.
    var processorTime: Double {
        get throws {
            guard let used = ProcessorTime.used(by: process.identifier) else { throw Missing() }
            return used / .seconds(1)
        }
    }
}
