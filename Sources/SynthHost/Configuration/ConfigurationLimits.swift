/// How long the host waits for an engine before it gives up on it.
public struct ConfigurationLimits: Equatable, Sendable {
    /// For an engine to describe itself.
    public var scan: Duration = .seconds(5)
    /// For a model to be loaded.
    public var load: Duration = .seconds(120)
    /// For the first audio, and for the next, while the host waits on an empty pipe.
    public var audio: Duration = .seconds(120)
    /// The same for a worker that used no processor time meanwhile.
    public var idle: Duration = .seconds(30)
    /// For an engine to obey a cancel before its worker gets SIGTERM.
    public var cancelGrace: Duration = .milliseconds(500)
    /// For a worker to leave on SIGTERM before it gets SIGKILL.
    public var killGrace: Duration = .seconds(2)

    public init() {}
}
