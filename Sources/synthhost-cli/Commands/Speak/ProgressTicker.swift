import System
import Terminal

/// Draws what is due while the work itself reports nothing, on a thread of its own.
final class ProgressTicker: Sendable {
    private let isDone = Monitor(false)

    init(_ reporter: ProgressReporter) {
        // Without a thread the line only stands still.
        startThread("progress") { [isDone] in
            while isDone.wait(timeout: .milliseconds(500), until: { $0 ? true : nil }) == nil { reporter.tick() }
        }
    }

    func stop() { isDone.update { $0 = true } }
}
