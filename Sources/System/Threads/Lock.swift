/// A lock around a long operation. For state, use `Monitor`.
package final class Lock: Sendable {
    private let monitor = Monitor<Void>(())

    package init() {}

    /// Waits until no other thread is inside.
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try monitor.read { _ throws(Failure) in try body() }
    }
}
