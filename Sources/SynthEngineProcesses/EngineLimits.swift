public import SynthEngineWire

/// Timeouts for engines. An engine that exceeds a timeout is considered hung and is stopped. Time that the engine
/// spends waiting for a processor, a page or a file on a busy machine does not count.
public struct EngineLimits: Hashable, Sendable {
    /// The timeout for reporting the description.
    public var scan: Duration = .seconds(5)
    /// The timeout for loading a model.
    public var load: Duration = .seconds(120)
    /// The timeout for the first audio, and for each later chunk. The timeout runs only while the host is waiting.
    public var audio: Duration = .seconds(120)
    /// The timeout, during synthesis and loading, for an engine that uses no CPU time at all.
    public var idle: Duration = .seconds(30)
    /// The timeout that replaces `idle` if a listener is waiting and another voice can take over. It is short because
    /// nothing is played in the meantime. It does not affect an engine that is merely slow: an active engine uses CPU
    /// time within milliseconds, and time spent waiting for a processor, a page or a file does not count.
    public var awaited: Duration = .seconds(2)
    /// How long a service uses other engines after an engine has failed three times within a minute. After that, the
    /// service tries the engine again.
    public var rest: Duration = .seconds(60)
    /// The time between a cancellation and SIGTERM.
    public var cancelGrace: Duration = .milliseconds(500)
    /// The time between SIGTERM and SIGKILL.
    public var killGrace: Duration = .seconds(2)
    /// Whether engines are confined to the files that are passed to them.
    public var confinement: EngineConfinement = .usual

    /// Creates the default limits.
    public init() {}
}
