/// Lets one after the other do something that takes its time.
package final class Turnstile: Sendable {
    private let turns = Monitor<UInt64>(0)

    package init() {}

    /// Waits until nobody else is inside.
    package func pass<Result, Failure: Error>(
        _ body: () throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try turns.update { turns throws(Failure) in
            turns &+= 1
            return try body()
        }
    }
}
