import SynthEngineProcesses
import SynthHost
import SynthHostTesting
import SynthService
import SynthSystem

extension TestBackend {
    /// Creates the backend of a service, whose voices use the engine of a test.
    ///
    /// - Parameter second: the engine of the fallback voice; nil = there is none.
    convenience init(
        _ engine: TestEngine, second: TestEngine? = nil, _ limits: ServiceLimits = ServiceLimits(),
        lane makeLane: (@Sendable () -> any SpeakingLane)? = nil
    ) {
        self.init(
            engine, ["Ann", "Bob", "Eve"].map { TestVoice($0) }, chosen: "Ann", second: second,
            lanes: WarmModels(limits), lane: makeLane)
    }

    /// The models of its service.
    var warm: WarmModels { lanes as? WarmModels ?? WarmModels() }
}

extension SpeechService {
    convenience init(
        _ double: TestBackend, _ limits: ServiceLimits = ServiceLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(SpeechHost(double), double.warm, limits, now: now)
    }
}

extension EngineLimits {
    /// The limits are long, because the machine may be busy.
    static var patient: EngineLimits {
        var limits = EngineLimits()
        (limits.scan, limits.load) = (.seconds(600), .seconds(600))
        (limits.audio, limits.idle) = (.seconds(600), .seconds(600))
        return limits
    }
}
