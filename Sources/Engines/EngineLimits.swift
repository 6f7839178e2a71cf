/// How long an engine may take. After that it counts as hung and is ended.
public struct EngineLimits: Hashable, Sendable {
    /// To describe itself.
    public var scan: Duration = .seconds(5)
    public var load: Duration = .seconds(120)
    /// To the first audio, and from one audio frame to the next; counted only while the host waits.
    public var audio: Duration = .seconds(120)
    /// The same if the engine uses no processor time at all.
    public var idle: Duration = .seconds(30)
    /// From a cancel to SIGTERM.
    public var cancelGrace: Duration = .milliseconds(500)
    /// From SIGTERM to SIGKILL.
    public var killGrace: Duration = .seconds(2)

    public init() {}
}
