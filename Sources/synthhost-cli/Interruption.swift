import Glibc

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
    func handle(_ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void = {}) {
        handle(body, leaving: leaving, reloading: nil)
    }

    /// The exit code of an interrupted command: 128 plus the number of the signal, as in shells.
    var exitCode: ExitCode {
        switch signal {
        case SIGTERM: .terminated
        case SIGHUP: .hungUp
        default: .interrupted
        }
    }
}
