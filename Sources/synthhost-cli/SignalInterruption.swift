import Glibc
import Synchronization
import System

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
        // Without a thread that handles them, they end the process, as they do by default.
        if !isRunning { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    func leave() -> Never { _exit(exitCode.rawValue) }

    /// Returns with the first signal that is not one to reload at.
    private func wait(for signals: sigset_t, reloading: (@Sendable () -> Void)?) {
        while true {
            var (set, number): (sigset_t, Int32) = (signals, 0)
            sigwait(&set, &number)
            guard number == SIGHUP, let reloading else { return taken.withLock { [number] in $0 = number } }
            reloading()
        }
    }
}
