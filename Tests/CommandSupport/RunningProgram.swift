package import TestSupport

/// A program whose messages appear on a `Screen`: a command in this process, or a child process.
package protocol RunningProgram {
    var hasEnded: Bool { get }

    /// Waits until the program has ended and all output has been read.
    func finish() throws -> ChildResult
}

extension ChildProcess: RunningProgram {
    package func finish() throws -> ChildResult { try finish(within: .seconds(300)) }
}
