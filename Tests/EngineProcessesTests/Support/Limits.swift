import SynthEngineProcesses

extension EngineLimits {
    /// A test passes short limits if it waits for them. The others are long, so that a busy machine does not reach
    /// them.
    static func short(
        scan: Duration = .seconds(600), load: Duration = .seconds(600), audio: Duration = .seconds(600),
        idle: Duration = .seconds(600), awaited: Duration = .seconds(600), cancelGrace: Duration = .seconds(600),
        killGrace: Duration = .milliseconds(200)
    ) -> EngineLimits {
        var limits = EngineLimits()
        limits.scan = scan
        limits.load = load
        limits.audio = audio
        limits.idle = idle
        limits.awaited = awaited
        limits.cancelGrace = cancelGrace
        limits.killGrace = killGrace
        return limits
    }
}
