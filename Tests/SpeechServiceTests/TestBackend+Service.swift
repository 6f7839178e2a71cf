import SynthEngineProcesses
import SynthHost
import SynthService
import SynthSystem

@testable import SynthHostTesting

extension TestBackend {
    /// Creates a service's backend, with voices that use the test's engine.
    ///
    /// - Parameter second: The engine of the fallback voice; nil for no fallback voice.
    convenience init(
        _ engine: TestEngine, second: TestEngine? = nil, _ limits: ServiceLimits = ServiceLimits(),
        lane makeLane: (@Sendable () -> any SpeakingLane)? = nil
    ) {
        self.init(
            engine, ["Ann", "Bob", "Eve"].map { TestVoice($0) }, chosen: "Ann", second: second,
            lanes: WarmModels(limits), lane: makeLane)
    }

    /// The service's models.
    var warm: WarmModels { lanes as? WarmModels ?? WarmModels() }
}

// Controls the service's voice library.
extension TestBackend {
    /// Creates the backend of a library whose downloads are controlled by a test. The first voice is a starter voice, and the
    /// first ready voice is the default.
    convenience init(ready: [String], missing: [String] = []) {
        let names = ready + missing
        self.init(
            TestEngine(),
            names.enumerated().map { place, name in
                TestVoice(
                    name, place < ready.count ? .ready : .notDownloaded(bytes: TestVoice.size), isStarter: place == 0)
            }, chosen: ready.first)
    }

    func set(_ id: String, _ voiceState: SpeechVoice.State) {
        state.update { state in
            if let place = state.voices.firstIndex(where: { $0.id == id }) { state.voices[place].state = voiceState }
        }
    }

    /// Adds a voice that is not downloaded.
    func add(_ name: String) {
        state.update { $0.voices.append(TestVoice(name, .notDownloaded(bytes: TestVoice.size))) }
    }

    func configure(_ body: (inout Configuration) -> Void) { state.update { body(&$0.presets) } }

    /// Makes requests for voices fail with this error; nil makes them succeed again.
    func fail(_ failure: SpeechError?) { state.update { $0.failure = failure } }

    /// Rejects changes with this error; nil accepts them again.
    func refuse(_ refusal: SpeechError?) { state.update { $0.refusal = refusal } }

    /// Requests for voices wait while `isHeld` is true.
    func hold(_ isHeld: Bool) { state.update { $0.isHeld = isHeld } }

    /// The number of list requests.
    var looks: Int { state.read { $0.looks } }

    /// Blocks until a list request is waiting.
    func waitForLook() { _ = state.wait { $0.waiting > 0 ? true : nil } }

    /// Makes cancelled downloads continue until the test ends them.
    func disobey() { state.update { $0.obeysCancel = false } }

    /// Waits until the nth download of a voice has been requested and returns that download. Numbers start at 1.
    func download(of id: String, _ number: Int = 1) -> ScriptedDownload {
        state.wait { state in
            let all = state.downloads[id] ?? []
            return all.count >= number ? all[number - 1] : nil
        } ?? ScriptedDownload()
    }

    func downloadCount(of id: String) -> Int { state.read { $0.downloads[id]?.count ?? 0 } }

    /// Ends a download successfully.
    func finish(_ id: String) {
        let download = download(of: id, downloadCount(of: id))
        set(id, .ready)
        download.end(.ready)
    }
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
