/// One client of a door.
protocol DoorClient: AnyObject, Sendable {
    /// When all that it asked for was done; nil = something is not.
    var idleSince: ContinuousClock.Instant? { get }

    /// Since when it is waited for, so that it may have to go for another one; nil = it waits for what it asked for.
    var waitedForSince: ContinuousClock.Instant? { get }

    /// Serves it. Blocks until it is gone.
    func run()

    /// From any thread: what it asked for is over, and it is told so.
    func finish()

    /// From any thread: ends it soon.
    func stop()
}

extension DoorClient {
    var waitedForSince: ContinuousClock.Instant? { idleSince }
}
