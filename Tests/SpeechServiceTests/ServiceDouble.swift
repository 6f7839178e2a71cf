import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthHostTesting
import SynthService
import SynthSystem

/// A service without engine processes, whose voices use a test's engine.
final class ServiceDouble: ServiceBackend {
    let engine: TestEngine
    /// The fallback voice's engine; nil if there is none.
    private let second: TestEngine?
    private let names: [String]
    let warm: WarmModels
    /// The voice of each opened lane, in order.
    let made = Monitor<[String]>([])
    /// The voices that have started loading.
    let begun = Monitor<[String]>([])
    /// A voice that needs no loading.
    let spare = Monitor<SpeechVoice?>(nil)
    /// The voices whose files are missing.
    let missing = Monitor<Set<String>>([])
    let recommended = Monitor<[String]>([])
    /// Whether a speech request downloads missing voices.
    let downloads = Monitor(false)
    /// The voices for OpenAI's names.
    let openAI = Monitor<[String: String]>([:])
    /// The engines of voices that have their own engine.
    let enginesOfVoices = Monitor<[String: TestEngine]>([:])
    /// The voices that keep loading until they are removed here, and those that never load.
    let loading = Monitor<Set<String>>([])
    let broken = Monitor<Set<String>>([])
    /// While this is set, no voice is found.
    let holdsVoices = Monitor(false)
    let fails = Monitor(false)
    /// The number of requests for the voice list.
    let looks = Monitor(0)
    let memoryNow = Monitor<UInt64>(0)
    let figuresNow = Monitor<[EngineFigures]>([])

    private let makeLane: @Sendable () -> any SpeakingLane

    init(
        _ engine: TestEngine, second: TestEngine? = nil, voices: [String] = ["Ann", "Bob", "Eve"],
        _ limits: ServiceLimits = ServiceLimits(), lane makeLane: (@Sendable () -> any SpeakingLane)? = nil
    ) {
        self.second = second
        self.engine = engine
        self.makeLane = makeLane ?? { engine.makeLane() }
        warm = WarmModels(limits)
        names = voices
    }

    func voices() throws(SpeechError) -> [SpeechVoice] {
        looks.update { $0 += 1 }
        var voices: [SpeechVoice] = []
        for name in names { voices.append(try voice(VoiceRequest(name: name))) }
        return voices
    }

    func voice(_ wish: VoiceRequest) throws(SpeechError) -> SpeechVoice {
        _ = holdsVoices.wait { $0 ? nil : true }
        if fails.read({ $0 }) { throw SpeechError(VoiceError.noEngine) }
        let name = wish.name ?? names[0]
        guard names.contains(name) else { throw SpeechError(VoiceError.unknownVoice(name, near: names)) }
        return try voice(name, of: enginesOfVoices.read { $0[name] } == nil ? "test" : "other")
    }

    private func voice(_ name: String, of engine: String) throws(SpeechError) -> SpeechVoice {
        do throws(RegistryError) {
            let declared = DeclaredVoice(id: name, name: name, language: "en")
            let isMissing = missing.read { $0.contains(name) }
            return SpeechVoice(
                VoiceChoice(voice: try Voice(declared, by: engine)),
                state: isMissing ? .notDownloaded(bytes: 1) : .ready)
        } catch {
            throw SpeechError(error)
        }
    }

    func standIn(
        for wish: VoiceRequest, _ voice: SpeechVoice?, after failure: SpeechError
    ) -> VoiceReplacement? { nil }

    func readyVoices() throws(SpeechError) -> [SpeechVoice] { try voices().filter { $0.state == .ready } }
    func recommendedVoices() throws(SpeechError) -> [SpeechVoice] {
        var voices: [SpeechVoice] = []
        for name in recommended.read({ $0 }) { voices.append(try voice(VoiceRequest(name: name))) }
        return voices
    }
    func builtInVoice(for language: String) -> SpeechVoice? { spare.read { $0 } }

    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        if let engine = enginesOfVoices.read({ $0[voice.name] }) { return session(voice) { engine.makeLane() } }
        return session(voice, lane: makeLane)
    }

    private func session(_ voice: SpeechVoice, lane makeLane: @escaping @Sendable () -> any SpeakingLane)
        -> SpeechSession
    {
        let findFallback: SpeechSession.FindFallback = { [self] voice, failed in
            guard let second, !failed.contains("second") else { return nil }
            return (try? self.voice("Zoe", of: "second")).map { session($0) { second.makeLane() } }
        }
        return SpeechSession(
            voice,
            SpeechSession.Source(
                engine: EngineDescription(
                    id: voice.engine, name: "Test engine", version: "1", licence: "Apache-2.0",
                    capabilities: [.wordTimes, .streams], maxLanes: UInt32(engine.lanes)),
                voice: PreparedVoice(
                    load: LoadRequest(id: voice.id), uses: [VoiceUse(id: voice.id)], gain: Gain(factor: 1)),
                presets: Configuration(), openLane: { [self] _ throws(EngineFailure) in try open(voice.id, makeLane) },
                lanes: warm,
                findFallback: findFallback))
    }

    private func open(
        _ model: String, _ makeLane: () -> any SpeakingLane
    ) throws(EngineFailure) -> any SpeakingLane {
        begun.update { $0.append(model) }
        _ = loading.wait { $0.contains(model) ? nil : true }
        if broken.read({ $0.contains(model) }) { throw EngineFailure(engine: "test", reason: .unspeakableText) }
        made.update { $0.append(model) }
        return makeLane()
    }

    let identity = HostIdentity(lines: ["double"])

    func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? {
        guard plugin == Self.plugin else { return nil }
        return warm.lanes(of: ModelKey(plugin: plugin, load), limit: engine.lanes) {
            [self] _ throws(EngineFailure) in try open(load.id, makeLane)
        }
    }

    static let plugin = "/plugins/libdouble.so"

    func abandonEngines() {}

    func settings(_ voice: SpeechVoice, usesProfile: Bool) -> SpeechSettings { SpeechSettings() }
    var engines: [String] { ["test"] }
    var downloadsAutomatically: Bool { downloads.read { $0 } }
    func voice(forOpenAI name: String) -> String? { openAI.read { $0[name] } }
    func lexicon() throws(SpeechError) -> SpeechLexicon? { nil }
    func memory() -> UInt64 { memoryNow.read { $0 } }
    var engineFigures: [EngineFigures] { figuresNow.read { $0 } }
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
