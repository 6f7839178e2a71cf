import Glibc
import Synchronization
import System

/// Ctrl-C, SIGTERM and SIGHUP as a call instead of the end of the process; the second one ends it at once. A process has
/// one of it.
final class Interruption: Sendable {
    private let signal = Mutex<Int32>(SIGINT)

    /// What an interrupted command ends with: 128 and the number of the signal, as shells count.
    var exitCode: ExitCode {
        switch signal.withLock({ $0 }) {
        case SIGTERM: .terminated
        case SIGHUP: .hungUp
        default: .interrupted
        }
    }

    /// Must be called before any other thread starts, so that none of them is interrupted instead.
    /// - Parameters:
    ///   - body: runs on a thread of its own, at most once.
    ///   - leaving: runs before the second one ends the process; waits for nothing.
    func handle(_ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void = {}) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waited = signals
        let isRunning = startThread("interruption") { [self] in
            wait(for: waited)
            body()
            wait(for: waited)
            leaving()
            leave()
        }
        // Without a thread that takes them they end the process, as they do where nobody asked for them.
        if !isRunning { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    /// Ends the process at once.
    func leave() -> Never { _exit(exitCode.rawValue) }

    private func wait(for signals: sigset_t) {
        var (set, taken): (sigset_t, Int32) = (signals, 0)
        sigwait(&set, &taken)
        signal.withLock { $0 = taken }
    }
}
