/// How long an engine may take. Beyond it, it counts as hung and is ended.
public struct EngineLimits: Hashable, Sendable {
    /// To say what it is.
    public var scan: Duration = .seconds(5)
    public var load: Duration = .seconds(120)
    /// To the first sound, and between two; counted only while the host waits.
    public var audio: Duration = .seconds(120)
    /// The same where the engine uses no processor time at all.
    public var idle: Duration = .seconds(30)
    /// From a cancel to SIGTERM.
    public var cancelGrace: Duration = .milliseconds(500)
    /// From SIGTERM to SIGKILL.
    public var killGrace: Duration = .seconds(2)

    public init() {}
}
