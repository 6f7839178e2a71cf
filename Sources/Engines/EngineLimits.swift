/// How long an engine may take. Beyond it, it counts as hung and is ended.
package struct EngineLimits: Hashable, Sendable {
    /// To say what it is.
    package var scan: Duration = .seconds(5)
    package var load: Duration = .seconds(120)
    /// To the first sound, and between two; counted only while the host waits.
    package var audio: Duration = .seconds(120)
    /// The same where the engine uses no processor time at all.
    package var idle: Duration = .seconds(30)
    /// From a cancel to SIGTERM.
    package var cancelGrace: Duration = .milliseconds(500)
    /// From SIGTERM to SIGKILL.
    package var killGrace: Duration = .seconds(2)

    package init() {}
}
