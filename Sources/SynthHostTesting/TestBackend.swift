import SynthAudio
import SynthCatalogue
import SynthEngineWire
public import SynthHost
import SynthScript
import SynthSystem

/// The backend of a test host. Its voices are named by the test and share one engine.
struct TestBackend: SpeechBackend {
    let engine: TestEngine
    let names: [String]
    let recognizer: ScriptedRecognizer?
    /// The configuration, which exists only in memory.
    let presets = Monitor(Configuration())

    var device: String? { nil }
    var clips: ClipLibrary { ClipLibrary() }
    let inUse = FilesInUse()

    func voices() throws(SpeechError) -> [SpeechVoice] {
        var voices: [SpeechVoice] = []
        for name in names { voices.append(try voice(name)) }
        return voices
    }

    func voice(_ name: String?) throws(SpeechError) -> SpeechVoice {
        guard let found = name.map({ wanted in names.first { $0 == wanted } }) ?? chosen else {
            throw SpeechError(VoiceError.unknownVoice(name ?? "", near: names))
        }
        do {
            // Voice names can contain any characters, so IDs are numbers.
            let number = names.firstIndex(of: found) ?? 0
            let declared = DeclaredVoice(id: "voice-\(number)", name: found, language: "en")
            return SpeechVoice(
                VoiceChoice(voice: try Voice(declared, by: TestEngine.id)), state: .ready, marks)
        } catch {
            throw SpeechError(error)
        }
    }

    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        let engine = engine
        return SpeechSession(
            voice,
            SpeechSession.Source(
                engine: engine.description,
                voice: PreparedVoice(
                    load: LoadRequest(id: voice.id), uses: [VoiceUse(id: voice.id)], gain: Gain(factor: 1)),
                presets: presets.read { $0 }, openLane: { _ in engine.makeLane() },
                findVoice: { asked, main throws(SpeechError) in
                    guard let name = asked.name, name != main.name else { return nil }
                    guard names.contains(name) else { throw SpeechError(VoiceError.unknownVoice(name, near: names)) }
                    do {
                        return try session(try self.voice(name))
                    } catch {
                        throw SpeechError(VoiceError.unknownVoice(name, near: names))
                    }
                }))
    }

    func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        try profile.check(of: voice.choice.heaviest.voice)
        presets.update { $0.profiles[voice.choice.voice.key] = profile.isEmpty ? nil : profile }
        return SpeechVoice(voice.choice, state: voice.state, marks)
    }

    func set(_ list: VoiceList, _ isOn: Bool, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        let key = voice.choice.voice.key
        presets.update { presets in
            if isOn || list == .favourites { presets.favourites.removeAll { $0 == key } }
            if isOn || list == .hidden { presets.hidden.removeAll { $0 == key } }
            guard isOn else { return }
            if list == .favourites { presets.favourites.append(key) } else { presets.hidden.append(key) }
        }
        return SpeechVoice(voice.choice, state: voice.state, marks)
    }

    private var chosen: String? { presets.read { $0.voices[TestEngine.id] } ?? names.first }

    private var marks: VoiceMarks { VoiceMarks(presets.read { $0 }) }

    func download(_ voice: SpeechVoice) -> VoiceDownload { VoiceDownload.finished }

    func usableEngines() -> [SpeechEngine] { [SpeechEngine(engine.description)] }

    func fallbacks(for voice: SpeechVoice) -> [SpeechVoice] { [] }

    func hearing(model: String?, language: String?) throws(SpeechError) -> RecognizerSource {
        guard let recognizer else { throw .recognizerMissing(folder: "") }
        if let model, model != ScriptedRecognizer.id {
            throw .unknownModel(model, known: [ScriptedRecognizer.id])
        }
        let room = ScriptedInput()
        var facts = RecognizerSource.Facts(rate: ScriptedRecognizer.rate, language: "en")
        // With a single lane, the pieces of a file are processed in order.
        facts.lanes = 1
        return RecognizerSource(
            facts, hearing: ScriptedSounds(recognizer: recognizer, room: room), .installed(),
            openLane: { ScriptedRecognizerLane(room) })
    }

    func choose(_ voice: SpeechVoice) throws(SpeechError) {
        presets.update { $0.voices[TestEngine.id] = voice.name }
    }

    /// A no-op, because no files exist.
    func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64 { 0 }

    func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice { voice }
}

extension SpeechHost {
    /// Creates a host for tests. Sessions, streams, cancellation and errors are real, but the engine runs in this process. The host reads
    /// no configuration and uses no devices and no files except the tables for expanding numbers.
    ///
    /// - Parameters:
    ///   - engine: the test engine.
    ///   - voices: the names of the voices. All are ready, and the first one is the default.
    ///   - recognizer: the recognizer, or nil for a host without one.
    public init(
        testing engine: TestEngine, voices: [String] = ["Voice"], hearing recognizer: ScriptedRecognizer? = nil
    ) {
        self.init(TestBackend(engine: engine, names: voices, recognizer: recognizer))
    }
}
