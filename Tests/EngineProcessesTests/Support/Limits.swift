import SynthEngineProcesses
import TestSupport

extension EngineLimits {
    /// The limits for a test. Only a test that waits for a limit passes a short one. All other limits are long enough
    /// even on a busy machine.
    static func short(
        scan: Duration = .seconds(600), load: Duration = .seconds(600), audio: Duration = .seconds(600),
        idle: Duration = .seconds(600), awaited: Duration = .seconds(600), cancelGrace: Duration = .seconds(600),
        killGrace: Duration = .milliseconds(200)
    ) -> EngineLimits {
        var limits = EngineLimits()
        // ThreadSanitizer's own thread uses CPU time, so an engine is never idle.
        let isNeverIdle = Sanitizer.isThread && min(idle, awaited) < .seconds(600)
        limits.scan = scan
        limits.load = isNeverIdle && load == .seconds(600) ? .seconds(15) : load
        limits.audio = isNeverIdle && audio == .seconds(600) ? .seconds(15) : audio
        limits.idle = idle
        limits.awaited = awaited
        limits.cancelGrace = cancelGrace
        limits.killGrace = killGrace
        return limits
    }
}
