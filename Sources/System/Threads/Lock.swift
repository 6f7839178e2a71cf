/// A lock around something that takes its time. Not for state: that is a `Monitor`.
package final class Lock: Sendable {
    private let monitor = Monitor<Void>(())

    package init() {}

    /// Waits until nobody else is inside.
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try monitor.read { _ throws(Failure) in try body() }
    }
}
