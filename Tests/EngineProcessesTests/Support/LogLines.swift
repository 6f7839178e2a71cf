import SynthEngineWire
import SynthSystem

final class LogLines: Sendable {
    private let lines = Monitor<[String]>([])

    func add(_ severity: LogSeverity, _ line: String) { lines.update { $0.append("\(severity) \(line)") } }

    /// Returns the first line; nil if no line arrives within five minutes.
    func waitForOne() -> String? { lines.wait(timeout: .seconds(300)) { $0.first } }

    /// Returns all lines before the given line; nil if that line does not arrive within five minutes.
    func wait(until last: String) -> [String]? {
        lines.wait(timeout: .seconds(300)) { lines in lines.firstIndex(of: last).map { Array(lines[..<$0]) } }
    }

    /// Whether the given line arrives `times` times within five minutes.
    func wait(for line: String, times: Int = 1) -> Bool {
        lines.wait(timeout: .seconds(300)) { lines in lines.count { $0 == line } >= times ? true : nil } ?? false
    }
}
