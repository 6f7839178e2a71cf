import SynthCommandSyntax
import SynthSystem
import SynthTerminal

/// A progress display that is visible from its creation until it ends, even if the work reports nothing.
final class ShownWait: Sendable {
    private let reporter: ProgressReporter
    private let ticker: ProgressTicker

    init(_ context: CommandContext, _ label: String) {
        reporter = context.reporter()
        reporter.begin(label)
        ticker = ProgressTicker(reporter)
    }

    deinit { end() }

    /// Shows the current step and its progress. A step continues as long as its label stays the same.
    func show(_ label: String, _ measure: Progress.Measure = .unknown) {
        reporter.report(measure, label: label)
    }

    /// Clears the progress line, so that other output can appear on the same terminal.
    func clear() { reporter.clear() }

    /// Prints a line above the progress line.
    func print(_ line: String) { reporter.print(line) }

    /// Ends the display. Later calls are no-ops.
    func end() {
        ticker.stop()
        reporter.end()
    }
}

/// Redraws the progress line on its own thread while the work reports nothing.
final class ProgressTicker: Sendable {
    private let isDone = Monitor(false)

    init(_ reporter: ProgressReporter) {
        // If the thread cannot be started, the line is not redrawn.
        startThread("progress") { [isDone] in
            while isDone.wait(timeout: .milliseconds(500), until: { $0 ? true : nil }) == nil { reporter.tick() }
        }
    }

    func stop() { isDone.update { $0 = true } }
}
