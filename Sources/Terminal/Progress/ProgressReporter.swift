import Synchronization

/// Tells the user about waits: nothing for the first second, then what is happening, and for whatever takes longer
/// than ten seconds also how far it is, how fast, and how long it will take.
///
/// Any thread may call any method. A call can block for as long as the terminal takes its text. Progress is no data:
/// when it cannot be written, the reporter falls silent and the work goes on.
package final class ProgressReporter: Sendable {
    private struct State: Sendable {
        var display: ProgressDisplay?
        var isBroken = false
    }

    private let form: ProgressForm
    private let output: TextOutput
    private let clock: ProgressClock
    private let state = Mutex(State())

    package init(form: ProgressForm, output: TextOutput, clock: ProgressClock = .continuous) {
        self.form = form
        self.output = output
        self.clock = clock
    }

    /// Starts a wait; its first second is silent. A wait that is still shown is ended first.
    package func begin(_ label: String) {
        state.withLock { state in
            finish(&state)
            state.display = ProgressDisplay(form: form, label: label, at: clock.now())
            if form == .json { send(ProgressEvent.begin(label: label).json + "\n", &state) }
        }
    }

    /// Reports how far the wait is; another label starts another count within the same wait. Cheap enough to call
    /// for each block of a download.
    package func report(_ measure: Progress.Measure, label: String? = nil) {
        state.withLock { state in
            state.display?.meter.report(measure, label: label, at: clock.now())
            draw(&state)
        }
    }

    /// Prints a line for the user, with the live line out of the way. Quiet hides it too: print what must be seen,
    /// such as errors, after `end()`.
    package func print(_ text: String) {
        state.withLock { state in
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

    /// Draws what became due by the passing of time alone.
    package func tick() {
        state.withLock { draw(&$0) }
    }

    /// Ends the wait and clears the live line. Nothing happens without a wait, so it may stand in a `defer` and in
    /// the way out after Ctrl-C.
    package func end() {
        state.withLock { finish(&$0) }
    }

    /// Shows a wait for as long as the body runs, redrawn also while the body reports nothing.
    ///
    /// - Parameter executor: what redraws; nil = the threads of all tasks.
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
        state.withLock { state in
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
