/// How long an engine may take. After that it counts as hung and is ended. On a busy machine the time does not count in which it
/// would work and waits for a processor, a page or a file.
public struct EngineLimits: Hashable, Sendable {
    /// To describe itself.
    public var scan: Duration = .seconds(5)
    public var load: Duration = .seconds(120)
    /// To the first audio, and from one audio frame to the next; counted only while the host waits.
    public var audio: Duration = .seconds(120)
    /// The same if the engine uses no processor time at all; also while it loads.
    public var idle: Duration = .seconds(30)
    /// The same, also while it loads, if somebody listens and another voice could go on. While it lasts nothing is heard, so it
    /// is short. It does not end an engine that is only slow: one at work uses some processor time within milliseconds, and
    /// time in which it waits for a processor, a page or a file does not count.
    public var awaited: Duration = .seconds(2)
    /// How long others speak, in a service, for an engine that failed three times within a minute. Then it is tried again.
    public var rest: Duration = .seconds(60)
    /// From a cancel to SIGTERM.
    public var cancelGrace: Duration = .milliseconds(500)
    /// From SIGTERM to SIGKILL.
    public var killGrace: Duration = .seconds(2)

    public init() {}
}
