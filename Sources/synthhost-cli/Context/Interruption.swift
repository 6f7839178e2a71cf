import Glibc
import Synchronization
package import SynthCommandSyntax
import SynthSystem

/// Handles Ctrl-C, SIGTERM and SIGHUP: the first signal calls a handler, the second ends the program at once. A long-running program may
/// handle SIGHUP differently.
package protocol Interruption: Sendable {
    /// The last signal; SIGINT if none has arrived.
    var signal: Int32 { get }

    /// - Parameters:
    ///   - body: runs on a separate thread, at most once.
    ///   - leaving: runs before the second signal ends the program; must not block.
    ///   - reloading: runs on the same thread for each SIGHUP; nil = SIGHUP is like the other signals.
    func handle(
        _ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void,
        reloading: (@Sendable () -> Void)?)

    /// Ends the program at once.
    func leave() -> Never
}

extension Interruption {
    /// As above; SIGHUP is like the other signals.
    package func handle(_ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void = {}) {
        handle(body, leaving: leaving, reloading: nil)
    }

    /// The exit code of an interrupted command: 128 plus the number of the signal, as in shells.
    package var exitCode: ExitCode {
        switch signal {
        case SIGTERM: .terminated
        case SIGHUP: .hungUp
        default: .interrupted
        }
    }
}

/// Handles the signals of this process instead of being ended by them. A process may have only one.
final class SignalInterruption: Interruption {
    private let taken = Mutex<Int32>(SIGINT)

    var signal: Int32 { taken.withLock { $0 } }

    /// Must be called before any other thread starts, so that none of them is interrupted instead.
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
        // If no thread handles them, the signals have their default effect and end the process.
        if !isRunning { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    func leave() -> Never { _exit(exitCode.rawValue) }

    /// Returns at the first signal that does not cause a reload.
    private func wait(for signals: sigset_t, reloading: (@Sendable () -> Void)?) {
        while true {
            var (set, number): (sigset_t, Int32) = (signals, 0)
            sigwait(&set, &number)
            guard number == SIGHUP, let reloading else { return taken.withLock { [number] in $0 = number } }
            reloading()
        }
    }
}
