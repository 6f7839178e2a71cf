import EngineWire
import System

/// The log lines of an engine.
final class LogLines: Sendable {
    private let lines = Monitor<[String]>([])

    func add(_ severity: LogSeverity, _ line: String) { lines.update { $0.append("\(severity) \(line)") } }

    /// The first line; nil if none arrives in 30 seconds.
    func waitForOne() -> String? { lines.wait(timeout: .seconds(30)) { $0.first } }

    /// Whether so many lines arrive that are this one, in 30 seconds.
    func wait(for line: String, times: Int = 1) -> Bool {
        lines.wait(timeout: .seconds(30)) { lines in lines.count { $0 == line } >= times ? true : nil } ?? false
    }
}
