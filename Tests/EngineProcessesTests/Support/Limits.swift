import SynthEngineProcesses

extension EngineLimits {
    /// The limits for a test. Only a test that waits for a limit passes a short one. All other limits are long enough
    /// even on a busy machine.
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
