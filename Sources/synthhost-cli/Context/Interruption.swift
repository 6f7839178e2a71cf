import Glibc
import Synchronization
package import SynthCommandSyntax
import SynthSystem

/// Ctrl-C, SIGTERM and SIGHUP: the first calls a handler, the second ends the program at once. A program that runs for long
/// may take SIGHUP otherwise.
package protocol Interruption: Sendable {
    /// The last signal; SIGINT if none has come.
    var signal: Int32 { get }

    /// - Parameters:
    ///   - body: runs on a thread of its own, at most once.
    ///   - leaving: runs before the second signal ends the program; must not block.
    ///   - reloading: runs for SIGHUP instead, on the same thread, as often as it comes; nil = it is like the others.
    func handle(
        _ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void,
        reloading: (@Sendable () -> Void)?)

    /// Ends the program at once.
    func leave() -> Never
}

extension Interruption {
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
