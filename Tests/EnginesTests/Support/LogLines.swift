import EngineWire
import System

/// What an engine logged.
final class LogLines: Sendable {
    private let lines = Monitor<[String]>([])

    func add(_ severity: LogSeverity, _ line: String) { lines.update { $0.append("\(severity) \(line)") } }

    /// nil where none came in a long while.
    func waitForOne() -> String? { lines.wait(timeout: .seconds(30)) { $0.first } }
}
