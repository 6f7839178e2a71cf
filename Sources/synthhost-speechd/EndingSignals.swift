import Glibc
import System

/// The signals that end the program. It leaves at once, and leaves no engine behind.
struct EndingSignals {
    private var signals = sigset_t()

    /// Blocks them.
    init() {
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// - Parameter leave: called on a thread of its own, before the program ends.
    func handle(_ leave: @escaping @Sendable () -> Void) {
        let waited = signals
        let isWaiting = startThread("signals") {
            var (set, number): (sigset_t, Int32) = (waited, 0)
            sigwait(&set, &number)
            leave()
            _exit(128 + number)
        }
        guard !isWaiting else { return }
        // Without a thread that handles them, they end the process, as they do by default.
        var set = signals
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
