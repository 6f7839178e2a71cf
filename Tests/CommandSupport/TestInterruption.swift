import Glibc
import synthhost_cli
import SynthSystem

/// Signals that a test sends by calling a function.
package final class TestInterruption: Interruption {
    private struct State {
        var signal = SIGINT
        var isGiven = false
        var body: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())

    package init() {}

    package var signal: Int32 { state.read(\.signal) }

    package func handle(
        _ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void,
        reloading: (@Sendable () -> Void)?
    ) {
        state.update { $0.body = body }
        runIfBoth()
    }

    /// Any thread may call this, even before the command has installed its handler.
    func interrupt(by signal: Int32) {
        state.update { state in
            state.signal = signal
            state.isGiven = true
        }
        runIfBoth()
    }

    package func leave() -> Never { fatalError("A command that exits immediately must run in its own process.") }

    private func runIfBoth() {
        let body = state.update { state -> (@Sendable () -> Void)? in
            guard state.isGiven, let body = state.body else { return nil }
            state.body = nil
            return body
        }
        if let body { startThread("interruption", body) }
    }
}
