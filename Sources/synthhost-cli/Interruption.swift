import Glibc

/// Ctrl-C, SIGTERM and SIGHUP, as a command hears of them: the first is a call, the second ends the program at once.
package protocol Interruption: Sendable {
    /// The signal that came last; SIGINT as long as none did.
    var signal: Int32 { get }

    /// - Parameters:
    ///   - body: runs on a thread of its own, at most once.
    ///   - leaving: runs before the second one ends the program; waits for nothing.
    func handle(_ body: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void)

    /// Ends the program at once.
    func leave() -> Never
}

extension Interruption {
    func handle(_ body: @escaping @Sendable () -> Void) { handle(body, leaving: {}) }

    /// What an interrupted command ends with: 128 and the number of the signal, as shells count.
    var exitCode: ExitCode {
        switch signal {
        case SIGTERM: .terminated
        case SIGHUP: .hungUp
        default: .interrupted
        }
    }
}
