/// One client of a door.
protocol DoorClient: AnyObject, Sendable {
    /// Whether it asked for nothing that is not done.
    var isIdle: Bool { get }

    /// Serves it. Blocks until it is gone.
    func run()

    /// From any thread: ends it soon.
    func stop()
}
