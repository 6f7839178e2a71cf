import Synchronization
package import SynthHost
import SynthSystem
package import SynthTerminal

/// A request to stop, which may arrive before there is work to stop.
package final class Cancellation: Sendable {
    private struct State {
        var isRequested = false
        var action: (@Sendable () -> Void)?
        var exitAction: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    package init() {}

    package var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Requests a stop. May be called from any thread.
    package func cancel() {
        let action = state.withLock { state in
            state.isRequested = true
            return state.action
        }
        action?()
    }

    /// Sets the action that stops the work. If a stop has already been requested, the action runs immediately.
    package func set(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            state.action = action
            return state.isRequested
        }
        if isRequested { action() }
    }

    /// Sets the action to run before the process exits without unwinding. It must not block.
    package func setExitAction(_ exitAction: @escaping @Sendable () -> Void) {
        state.withLock { $0.exitAction = exitAction }
    }

    /// Runs the exit action. Call this before the process exits without unwinding. Does not block.
    package func runExitAction() { state.withLock(\.exitAction)?() }

    /// Sets the action that stops the work while the body runs, and then restores the previous action.
    package func during<Value, Failure: Error>(
        _ action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let before = state.withLock(\.action)
        set(action)
        defer { state.withLock { $0.action = before } }
        return try body()
    }
}

/// Runs asynchronous work while the calling thread waits.
package enum AsyncWork {
    /// Blocks until the body returns.
    ///
    /// - Parameter cancellation: cancels the task, or nil if it cannot be cancelled.
    package static func run<Value: Sendable>(
        _ context: CommandContext, _ cancellation: Cancellation? = nil, _ body: @escaping @Sendable () async -> Value
    ) -> Value {
        let result = Monitor<Value?>(nil)
        let task = Task(executorPreference: context.executor) {
            let value = await body()
            result.update { $0 = value }
        }
        return (cancellation ?? Cancellation()).during({ task.cancel() }) {
            while true {
                if let value = result.wait(until: { $0 }) { return value }
            }
        }
    }
}

extension CommandContext {
    /// Makes a stop request end the host's engines immediately, until there is work that can be stopped gracefully.
    package func leave(_ host: SpeechHost, at cancellation: Cancellation, _ reporter: ProgressReporter) {
        cancellation.setExitAction { host.abandonEngines() }
        cancellation.set { [interruption] in
            reporter.end()
            host.abandonEngines()
            interruption.leave()
        }
    }
}
