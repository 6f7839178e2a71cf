/// One client of a door.
protocol DoorClient: AnyObject, Sendable {
    /// When all that it asked for was done; nil = something is not.
    var idleSince: ContinuousClock.Instant? { get }

    /// Since when it has sent or taken nothing, though it is its turn: then it may have to go for another one. nil = it waits
    /// for what it asked for, or takes it. Must not block.
    var stillSince: ContinuousClock.Instant? { get }

    /// Serves it. Blocks until it is gone.
    func run()

    /// From any thread: what it asked for is over, and it is told so.
    func finish()

    /// From any thread: it has to go for another one, and is told so if it asked for something and can still hear it. Returns
    /// at once; `run` ends soon.
    func turnAway()

    /// Instead of `run`: says that there is no room, as far as that can be said at once, and ends it.
    func refuse()

    /// From any thread: ends it soon.
    func stop()
}
