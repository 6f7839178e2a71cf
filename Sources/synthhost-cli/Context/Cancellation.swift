import Glibc
import Synchronization
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// A request to stop, which may arrive before any work has started.
final class Cancellation: Sendable {
    private struct State {
        var isRequested = false
        var action: (@Sendable () -> Void)?
        var exitAction: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Requests a stop. May be called from any thread.
    func cancel() {
        let action = state.withLock { state in
            state.isRequested = true
            return state.action
        }
        action?()
    }

    /// Sets the action that stops the work. If a stop has already been requested, the action runs immediately.
    func set(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            state.action = action
            return state.isRequested
        }
        if isRequested { action() }
    }

    /// Sets the action to run before the process exits without unwinding. The action must not block.
    func setExitAction(_ exitAction: @escaping @Sendable () -> Void) {
        state.withLock { $0.exitAction = exitAction }
    }

    /// Runs the exit action. Call this before the process exits without unwinding. Does not block.
    func runExitAction() { state.withLock(\.exitAction)?() }

    /// Sets the action that stops the work while the body runs, and restores the previous action afterwards.
    func during<Value, Failure: Error>(
        _ action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let before = state.withLock(\.action)
        set(action)
        defer { state.withLock { $0.action = before } }
        return try body()
    }
}

/// Runs asynchronous work while the calling thread waits.
enum AsyncWork {
    /// Blocks until the body returns.
    ///
    /// - Parameter cancellation: cancels the task, or nil if it cannot be cancelled.
    static func run<Value: Sendable>(
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
    /// Handles signals: the first one requests a stop, and the second one ends the program.
    ///
    /// - Parameter leavesAtOnce: whether a stop ends the program immediately until another action is set.
    func cancellation(leavesAtOnce: Bool = false) -> Cancellation {
        let cancellation = Cancellation()
        interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        if leavesAtOnce { cancellation.set { [interruption] in interruption.leave() } }
        return cancellation
    }

    /// Until an action that stops the work gracefully is set, makes a stop request end the host's engines and the
    /// program immediately.
    func leave(_ host: SpeechHost, at cancellation: Cancellation, _ reporter: ProgressReporter) {
        cancellation.setExitAction { host.abandonEngines() }
        cancellation.set { [interruption] in
            reporter.end()
            host.abandonEngines()
            interruption.leave()
        }
    }
}

/// Handles Ctrl-C, SIGTERM and SIGHUP. The first signal calls a handler, and the second ends the program immediately. A
/// long-running program may handle SIGHUP differently.
package protocol Interruption: Sendable {
    /// The last signal, or SIGINT if there was none.
    var signal: Int32 { get }

    /// - Parameters:
    ///   - body: runs on a separate thread, at most once.
    ///   - leaving: runs before the second signal ends the program. It must not block.
    ///   - reloading: runs on the same thread for each SIGHUP, or nil to treat SIGHUP like the other signals.
    func handle(
        _ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void,
        reloading: (@Sendable () -> Void)?)

    /// Exits the program immediately.
    func leave() -> Never
}

extension Interruption {
    /// Handles SIGHUP like the other signals.
    func handle(_ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void = {}) {
        handle(body, leaving: leaving, reloading: nil)
    }

    /// The exit code of an interrupted command: 128 plus the signal number, as in shells.
    var exitCode: ExitCode {
        switch signal {
        case SIGTERM: .terminated
        case SIGHUP: .hungUp
        default: .interrupted
        }
    }
}

/// Handles this process's signals on a separate thread. A process may have only one instance.
final class SignalInterruption: Interruption {
    private let taken = Mutex<Int32>(SIGINT)

    var signal: Int32 { taken.withLock { $0 } }

    /// Call this before any other thread starts, so that other threads do not receive the signals.
    func handle(
        _ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void,
        reloading: (@Sendable () -> Void)?
    ) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waited = signals
        var ignoring: (@Sendable () -> Void)?
        if reloading != nil { ignoring = {} }
        let isRunning = startThread("interruption") { [self, ignoring] in
            wait(for: waited, reloading: reloading)
            body()
            wait(for: waited, reloading: ignoring)
            leaving()
            leave()
        }
        // If the thread cannot be started, unblock the signals, so that they end the process by default.
        if !isRunning { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    func leave() -> Never { _exit(exitCode.rawValue) }

    /// Returns on the first signal that does not cause a reload.
    private func wait(for signals: sigset_t, reloading: (@Sendable () -> Void)?) {
        while true {
            var (set, number): (sigset_t, Int32) = (signals, 0)
            sigwait(&set, &number)
            guard number == SIGHUP, let reloading else { return taken.withLock { [number] in $0 = number } }
            reloading()
        }
    }
}
