import SynthAudio
package import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthHost
import SynthScript
package import SynthSystem

/// The backend of a test host: voices without files or processes, which speak with test engines. Its configuration
/// exists only in memory. Thread-safe.
package final class TestBackend: HostBackend {
    private let engine: TestEngine
    private let recognizer: ScriptedRecognizer?
    /// The lanes of the sessions that the backend creates.
    package let lanes: any LaneSource
    private let makeLane: @Sendable () -> any SpeakingLane
    /// The fallback voice's engine; nil if there is none.
    private let second: TestEngine?
    let state: Monitor<State>

    /// The voices that have started loading.
    package let begun = Monitor<[String]>([])
    /// The voice of each opened lane, in order.
    package let made = Monitor<[String]>([])
    /// The models that cannot finish loading until a test removes them from this set.
    package let loading = Monitor<Set<String>>([])
    /// The voices that cannot be loaded.
    package let broken = Monitor<Set<String>>([])
    /// The engines of those voices that have their own engine.
    package let enginesOfVoices = Monitor<[String: TestEngine]>([:])
    package let recommended = Monitor<[String]>([])
    /// The built-in voice, if there is one.
    package let spare = Monitor<SpeechVoice?>(nil)
    package let memoryNow = Monitor<UInt64>(0)
    package let figuresNow = Monitor<[EngineFigures]>([])

    /// - Parameters:
    ///   - chosen: the ID of the default voice, or nil for none.
    ///   - lane: creates a lane for a voice without its own engine; nil to use lanes of `engine`.
    package init(
        _ engine: TestEngine, _ voices: [TestVoice], chosen: String?, recognizer: ScriptedRecognizer? = nil,
        second: TestEngine? = nil, lanes: any LaneSource = OwnLanes(),
        lane makeLane: (@Sendable () -> any SpeakingLane)? = nil
    ) {
        self.engine = engine
        self.recognizer = recognizer
        self.second = second
        self.lanes = lanes
        self.makeLane = makeLane ?? { engine.makeLane() }
        state = Monitor(State(voices: voices, chosen: chosen))
    }

    package var presets: Configuration { state.read { $0.presets } }
    package var clips: ClipLibrary { ClipLibrary() }
    package let inUse = FilesInUse()
    package let identity = HostIdentity(lines: ["double"])
    package func usableEngines() -> [SpeechEngine] { [SpeechEngine(engine.description)] }

    package func voices(_ list: VoiceSelection) throws(SpeechError) -> [SpeechVoice] {
        switch list {
        case .all, .library: return try voices(look())
        case .ready: return try voices(look()).filter { $0.state == .ready }
        case .recommended: return try voices(recommended.read { $0 })
        case .builtIn: return spare.read { $0 }.map { [$0] } ?? []
        }
    }

    private func look() -> [String] {
        state.update { state in
            state.looks += 1
            if state.isHeld { state.waiting += 1 }
            return state.voices.map(\.name)
        }
    }

    private func voices(_ names: [String]) throws(SpeechError) -> [SpeechVoice] {
        var voices: [SpeechVoice] = []
        for name in names { voices.append(try voice(VoiceQuery(name: name))) }
        return voices
    }

    package func voice(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice {
        let state = state.wait { $0.isHeld ? nil : $0 } ?? State(voices: [], chosen: nil)
        if let failure = state.failure { throw failure }
        guard let voice = state.voices.first(where: { query.name.map($0.isCalled) ?? ($0.id == state.chosen) }) else {
            throw SpeechError(VoiceError.unknownVoice(query.name ?? "", near: state.voices.map(\.name)))
        }
        let hasEngine = enginesOfVoices.read { $0[voice.name] } != nil
        return try voice.speechVoice(of: hasEngine ? "other" : TestEngine.id, state.presets)
    }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        if let engine = enginesOfVoices.read({ $0[voice.name] }) { return session(voice) { engine.makeLane() } }
        return session(voice, lane: makeLane)
    }

    private func session(_ voice: SpeechVoice, lane makeLane: @escaping @Sendable () -> any SpeakingLane)
        -> SpeechSession
    {
        var description = engine.description
        description.id = voice.engine
        return SpeechSession(
            voice,
            SpeechSession.Source(
                engine: description,
                voice: PreparedVoice(
                    load: LoadRequest(id: voice.id), uses: [VoiceUse(id: voice.id)], gain: Gain(factor: 1)),
                presets: presets, openLane: { [self] _ throws(EngineFailure) in try open(voice.id, makeLane) }
            ) { source in
                source.lanes = lanes
                source.findVoice = { [self] asked, main throws(SpeechError) in
                    guard let name = asked.name, name != main.name else { return nil }
                    return try session(try self.voice(VoiceQuery(name: name)))
                }
                source.findFallback = { [self] voice, failed in
                    guard let second, !failed.contains("second") else { return nil }
                    let other = try? TestVoice("Zoe").speechVoice(of: "second", presets)
                    return other.map { session($0) { second.makeLane() } }
                }
            })
    }

    private func open(
        _ model: String, _ makeLane: () -> any SpeakingLane
    ) throws(EngineFailure) -> any SpeakingLane {
        begun.update { $0.append(model) }
        _ = loading.wait { $0.contains(model) ? nil : true }
        if broken.read({ $0.contains(model) }) {
            throw EngineFailure(engine: TestEngine.id, reason: .unspeakableText)
        }
        made.update { $0.append(model) }
        return makeLane()
    }

    /// The plugin path that `lanes(of:_:)` accepts.
    package static let plugin = "/plugins/libdouble.so"

    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? {
        guard plugin == Self.plugin else { return nil }
        return lanes.lanes(of: ModelKey(plugin: plugin, load), limit: engine.lanes) {
            [self] _ throws(EngineFailure) in try open(load.id, makeLane)
        }
    }

    package func change(_ change: PreferenceChange, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        if let refusal = state.read({ $0.refusal }) { throw refusal }
        let main = voice.choice.heaviest.voice
        if case .profile(let profile) = change { try profile.check(of: main) }
        return voice.with(VoiceMarks(state.update { $0.apply(change, to: main) }))
    }

    package func download(_ voice: SpeechVoice) -> VoiceDownload {
        let (download, isReady) = state.update { state in
            let download = ScriptedDownload(obeysCancel: state.obeysCancel)
            state.downloads[voice.id, default: []].append(download)
            return (download, state.voices.contains { $0.id == voice.id && $0.state == .ready })
        }
        // A voice that has since become ready does not need to be downloaded.
        if isReady { download.end(.ready) }
        return download.download
    }

    package func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64 {
        if let refusal = state.read({ $0.refusal }) { throw refusal }
        return state.update { state in
            guard let position = state.voices.firstIndex(where: { $0.id == voice.id && $0.isRemovable }) else {
                return 0
            }
            state.voices[position].state = .notDownloaded(bytes: state.voices[position].size)
            return state.voices[position].size
        }
    }

    package func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice { voice }

    package func model(of voice: SpeechVoice) -> ModelKey? { ModelKey(plugin: "", LoadRequest(id: voice.id)) }

    package func recognizerSource(model: String?, language: String?) throws(SpeechError) -> RecognizerSource {
        guard let recognizer else { throw .recognizerMissing(folder: "") }
        if let model, model != ScriptedRecognizer.id {
            throw .unknownModel(model, known: [ScriptedRecognizer.id])
        }
        let room = ScriptedInput()
        var facts = RecognizerSource.Facts(rate: ScriptedRecognizer.rate, language: "en")
        // Use a single lane, so that the chunks of a file are processed in order.
        facts.lanes = 1
        return RecognizerSource(
            facts, from: ScriptedSounds(recognizer: recognizer, room: room), .installed(),
            openLane: { ScriptedRecognizerLane(room) })
    }

    package func memory() -> UInt64 { memoryNow.read { $0 } }
    package var engineFigures: [EngineFigures] { figuresNow.read { $0 } }
    package func abandonEngines() {}

    /// Returns a snapshot of a machine without engines and voices.
    package func snapshot(_ scan: HostSnapshot.Scan) -> HostSnapshot {
        let environment = ["HOME": "/dev/null"]
        return HostSetup(
            installation: Installation(), folders: UserFolders(environment: environment), environment: environment
        ).host().snapshot(scan)
    }
}

/// A download controlled by a test.
package final class ScriptedDownload: Sendable {
    private let continuation: AsyncStream<DownloadState>.Continuation
    package let download: VoiceDownload
    /// Whether the download was cancelled. If `obeysCancel` is set, a cancelled download ends immediately; otherwise,
    /// it continues until the test ends it.
    package let isCancelled = Monitor(false)

    package init(obeysCancel: Bool = true) {
        let (states, continuation) = AsyncStream.makeStream(
            of: DownloadState.self, bufferingPolicy: .bufferingNewest(1))
        self.continuation = continuation
        download = VoiceDownload(testing: states) { [isCancelled] in
            isCancelled.update { $0 = true }
            guard obeysCancel else { return }
            continuation.yield(.cancelled)
            continuation.finish()
        }
    }

    package func arrive(_ bytes: Int64, of total: Int64) {
        continuation.yield(
            .downloading(
                DownloadProgress(bytes: bytes, total: total, bytesPerSecond: 1000, timeLeft: .seconds(3))))
    }

    package func be(_ state: DownloadState) { continuation.yield(state) }

    package func end(_ state: DownloadState) {
        continuation.yield(state)
        continuation.finish()
    }
}
