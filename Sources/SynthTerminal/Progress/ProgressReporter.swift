import SynthSystem

/// Shows progress to the user: nothing for the first second, then a label, and after ten seconds also the progress,
/// speed and remaining time.
///
/// Thread-safe. Calls can block while the terminal is not accepting text. After a write error, the reporter writes
/// nothing more and the operation continues.
package final class ProgressReporter: Sendable {
    private struct State: Sendable {
        var display: ProgressDisplay?
        var isBroken = false
    }

    private let form: ProgressForm
    private let output: TextOutput
    private let clock: ProgressClock
    private let state = Monitor(State())

    package init(form: ProgressForm, output: TextOutput, clock: ProgressClock = .continuous) {
        self.form = form
        self.output = output
        self.clock = clock
    }

    /// Begins an operation, which is shown after a second. Ends the previous operation first.
    package func begin(_ label: String) {
        state.update { state in
            finish(&state)
            state.display = ProgressDisplay(form: form, label: label, at: clock.now())
            if form == .json { send(ProgressEvent.begin(label: label).json + "\n", &state) }
        }
    }

    /// Reports progress. A new label restarts the measurement within the same operation. Calls are cheap enough to be
    /// made for every block of a download.
    ///
    /// - Parameter detail: additional text.
    package func report(_ measure: Progress.Measure, label: String? = nil, detail: String? = nil) {
        state.update { state in
            state.display?.meter.report(measure, label: label, detail: detail, at: clock.now())
            draw(&state)
        }
    }

    /// Clears the live line and then prints a line. A quiet reporter prints nothing, so report errors by
    /// calling `end()` and printing them elsewhere.
    package func print(_ text: String) {
        state.update { state in
            switch form {
            case .quiet: break
            case .json: send(ProgressEvent.message(text).json + "\n", &state)
            case .plain: send(CleanText.line(text) + "\n", &state)
            case .live:
                let clearing = state.display?.clearing() ?? ""
                send(clearing + CleanText.line(text) + "\n", &state)
                if !clearing.isEmpty { draw(&state) }
            }
        }
    }

    /// Clears the live line, so that other output can be printed in its place. The next report redraws the live line.
    package func clear() {
        state.update { state in
            if let clearing = state.display?.clearing() { send(clearing, &state) }
        }
    }

    /// Redraws the progress if enough time has passed since it was last drawn.
    package func tick() {
        state.update { draw(&$0) }
    }

    /// Ends the operation and clears the live line. Does nothing if no operation is in progress, so it may be called in
    /// a `defer` block and again after Ctrl-C.
    package func end() {
        state.update { finish(&$0) }
    }

    /// Shows progress while the body runs, and redraws it even if the body reports nothing.
    ///
    /// - Parameter executor: the executor that redraws, or nil for the default executor.
    package func wait<Value: Sendable, Failure: Error>(
        _ label: String, on executor: (any TaskExecutor)? = nil, for body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        begin(label)
        let ticking = Task(executorPreference: executor) { [self] in
            while !Task.isCancelled, let pause = untilNextTick() {
                do { try await clock.sleep(pause) } catch { return }
                if !Task.isCancelled { tick() }
            }
        }
        defer {
            ticking.cancel()
            end()
        }
        return try await body()
    }

    private func untilNextTick() -> Duration? {
        state.update { state in
            let now = clock.now()
            return state.display?.nextTime(after: now).map { max(.milliseconds(10), $0 - now) }
        }
    }

    private func draw(_ state: inout State) {
        guard let text = state.display?.text(at: clock.now(), width: output.width) else { return }
        send(text, &state)
    }

    private func finish(_ state: inout State) {
        guard var display = state.display else { return }
        if let clearing = display.clearing() { send(clearing, &state) }
        if form == .json {
            send(ProgressEvent.end(display.meter.progress(at: clock.now())).json + "\n", &state)
        }
        state.display = nil
    }

    private func send(_ text: String, _ state: inout State) {
        guard !state.isBroken else { return }
        do { try output.draw(text) } catch { state.isBroken = true }
    }
}

/// The clock used for progress: a function that returns the time since a fixed point, and one that waits.
package struct ProgressClock: Sendable {
    package let now: @Sendable () -> Duration
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// A clock that keeps advancing while the machine is asleep.
    package static var continuous: ProgressClock {
        let clock = ContinuousClock()
        let start = clock.now
        return ProgressClock(now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) })
    }
}
