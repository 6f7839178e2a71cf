package import TestSupport

/// A program whose messages a `Screen` shows: a command in this process, or a child process.
package protocol RunningProgram {
    var hasEnded: Bool { get }

    /// Waits until the program has ended and all of its output has been read.
    func finish() throws -> ChildResult
}

extension ChildProcess: RunningProgram {
    package func finish() throws -> ChildResult { try finish(within: .seconds(300)) }
}
