/// One client of a door.
protocol DoorClient: AnyObject, Sendable {
    /// When all that it asked for was done; nil = something is not.
    var idleSince: ContinuousClock.Instant? { get }

    /// Serves it. Blocks until it is gone.
    func run()

    /// From any thread: what it asked for is over, and it is told so.
    func finish()

    /// From any thread: ends it soon.
    func stop()
}
