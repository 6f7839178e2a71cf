import Glibc
import Synchronization
package import SynthCommandSyntax
import SynthSystem

/// Handles Ctrl-C, SIGTERM and SIGHUP. The first signal calls a handler, and the second ends the program immediately. A long-running
/// program may handle SIGHUP differently.
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
    package func handle(_ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void = {}) {
        handle(body, leaving: leaving, reloading: nil)
    }

    /// The exit code of an interrupted command: 128 plus the signal number, as in shells.
    package var exitCode: ExitCode {
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
        // Without the thread, restore the default action, which ends the process.
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
