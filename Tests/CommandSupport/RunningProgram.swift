package import TestSupport

/// What a screen shows the messages of: a command in this process, or a process.
package protocol RunningProgram {
    var hasEnded: Bool { get }

    /// Waits until it has ended and all that it wrote was read.
    func finish() throws -> ChildResult
}

extension ChildProcess: RunningProgram {
    package func finish() throws -> ChildResult { try finish(within: .seconds(60)) }
}
