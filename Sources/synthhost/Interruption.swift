import Glibc
import LinuxSystem
import Synchronization

/// Ctrl-C and SIGTERM as a call instead of the end of the process; the second one ends it at once.
enum Interruption {
    /// Must be called before any other thread starts, so that none of them is interrupted instead.
    /// - Parameter body: runs on a thread of its own, at most once.
    static func handle(_ body: @escaping @Sendable () -> Void) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waited = signals
        startThread("interruption") {
            var (set, signal): (sigset_t, Int32) = (waited, 0)
            sigwait(&set, &signal)
            body()
            sigwait(&set, &signal)
            _exit(ExitCode.interrupted.rawValue)
        }
    }
}
