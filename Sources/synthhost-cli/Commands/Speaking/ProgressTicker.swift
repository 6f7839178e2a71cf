import System
import Terminal

/// Redraws the progress line on its own thread while the work reports nothing.
final class ProgressTicker: Sendable {
    private let isDone = Monitor(false)

    init(_ reporter: ProgressReporter) {
        // Without a thread the line is just not redrawn.
        startThread("progress") { [isDone] in
            while isDone.wait(timeout: .milliseconds(500), until: { $0 ? true : nil }) == nil { reporter.tick() }
        }
    }

    func stop() { isDone.update { $0 = true } }
}
