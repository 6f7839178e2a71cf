import SynthCatalogue
public import SynthHost
package import SynthSystem

/// A voice of a test host.
package struct TestVoice: Sendable {
    /// The download size of a voice with files, in bytes.
    package static let size: Int64 = 1000

    package let id: String
    let name: String
    package var state = SpeechVoice.State.ready
    /// Whether the voice is one of a library, with an accent, a licence and a size.
    private let isOfLibrary: Bool
    private let isStarter: Bool

    /// Creates a ready voice without files.
    ///
    /// - Parameter id: the ID, or nil if the name may be one.
    package init(_ name: String, id: String? = nil) {
        self.id = id ?? name
        self.name = name
        (isOfLibrary, isStarter) = (false, false)
    }

    /// Creates a voice of a library. Ann needs no files.
    package init(_ name: String, _ state: SpeechVoice.State, isStarter: Bool = false) {
        (id, self.name, self.state) = (name, name, state)
        (isOfLibrary, self.isStarter) = (true, isStarter)
    }

    var size: Int64 { isOfLibrary ? Self.size : 0 }

    var isRemovable: Bool { isOfLibrary && state == .ready && id != "Ann" }

    func isCalled(_ name: String) -> Bool { name == self.name }

    func speechVoice(of engine: String, _ presets: Configuration) throws(SpeechError) -> SpeechVoice {
        let declared =
            isOfLibrary
            ? DeclaredVoice(id: id, name: name, language: "en-US", accent: "American", licence: "CC0-1.0")
            : DeclaredVoice(id: id, name: name, language: "en")
        do {
            var voice = try Voice(declared, by: engine)
            voice.starter = isStarter ? 1 : nil
            return SpeechVoice(
                VoiceChoice(voice: voice), state: state, VoiceMarks(presets), size: size, isRemovable: isRemovable)
        } catch {
            throw SpeechError(error)
        }
    }
}

extension TestBackend {
    struct State {
        var voices: [TestVoice]
        var presets = Configuration()
        var chosen: String?
        var failure: SpeechError?
        var refusal: SpeechError?
        /// The downloads of each voice, in the order of the requests.
        var downloads: [String: [ScriptedDownload]] = [:]
        var isObedient = true
        var isHeld = false
        /// The number of requests for a list that found the backend held.
        var waiting = 0
        var looks = 0

        init(voices: [TestVoice], chosen: String?) {
            self.voices = voices
            self.chosen = chosen
        }

        /// - Returns: the changed configuration.
        mutating func apply(_ change: VoiceChange, to voice: Voice) -> Configuration {
            switch change {
            case .profile(let profile): presets.profiles[voice.key] = profile.isEmpty ? nil : profile
            case .list(let list, let isOn):
                if isOn || list == .favourites { presets.favourites.removeAll { $0 == voice.key } }
                if isOn || list == .hidden { presets.hidden.removeAll { $0 == voice.key } }
                if isOn, list == .favourites { presets.favourites.append(voice.key) }
                if isOn, list == .hidden { presets.hidden.append(voice.key) }
            case .chosen: chosen = voice.id
            }
            return presets
        }
    }

    /// Creates the backend of a library whose downloads a test controls. The first voice is a starter voice, and the
    /// first ready one is the default.
    package convenience init(ready: [String], missing: [String] = []) {
        let names = ready + missing
        self.init(
            TestEngine(),
            names.enumerated().map { place, name in
                TestVoice(
                    name, place < ready.count ? .ready : .notDownloaded(bytes: TestVoice.size), isStarter: place == 0)
            }, chosen: ready.first)
    }

    // MARK: - Methods for the test

    package func set(_ id: String, _ voiceState: SpeechVoice.State) {
        state.update { state in
            if let place = state.voices.firstIndex(where: { $0.id == id }) { state.voices[place].state = voiceState }
        }
    }

    /// Adds a voice that is not downloaded.
    package func add(_ name: String) {
        state.update { $0.voices.append(TestVoice(name, .notDownloaded(bytes: TestVoice.size))) }
    }

    package func configure(_ body: (inout Configuration) -> Void) { state.update { body(&$0.presets) } }

    /// Makes requests for voices fail from now on.
    package func fail(_ failure: SpeechError?) { state.update { $0.failure = failure } }

    /// Refuses changes from now on.
    package func refuse(_ refusal: SpeechError?) { state.update { $0.refusal = refusal } }

    /// While this is set, requests for voices wait.
    package func hold(_ isHeld: Bool) { state.update { $0.isHeld = isHeld } }

    /// The number of requests for a list.
    package var looks: Int { state.read { $0.looks } }

    /// Blocks until a request for a list waits.
    package func waitForLook() { _ = state.wait { $0.waiting > 0 ? true : nil } }

    /// Keeps cancelled downloads from ending until the test allows it.
    package func disobey() { state.update { $0.isObedient = false } }

    /// A download of a voice by its number, from 1. Blocks until it was requested.
    package func download(of id: String, _ number: Int = 1) -> ScriptedDownload {
        state.wait { state in
            let all = state.downloads[id] ?? []
            return all.count >= number ? all[number - 1] : nil
        } ?? ScriptedDownload()
    }

    package func downloadCount(of id: String) -> Int { state.read { $0.downloads[id]?.count ?? 0 } }

    /// Ends a download successfully.
    package func finish(_ id: String) {
        let download = download(of: id, downloadCount(of: id))
        set(id, .ready)
        download.end(.ready)
    }
}

extension SpeechHost {
    /// Creates a host for tests. Sessions, streams, cancellation and errors are real, but the engine runs without a
    /// process. The host reads no configuration and uses no devices and no files except the tables for number expansion.
    ///
    /// - Parameters:
    ///   - engine: the test engine.
    ///   - voices: the names of the voices. All are ready, and the first one is the default.
    ///   - recognizer: the recognizer, or nil for a host without one.
    public init(
        testing engine: TestEngine, voices: [String] = ["Voice"], hearing recognizer: ScriptedRecognizer? = nil
    ) {
        // Voice names may contain any characters, so the IDs are numbers.
        let voices = voices.enumerated().map { TestVoice($1, id: "voice-\($0)") }
        self.init(TestBackend(engine, voices, chosen: voices.first?.id, recognizer: recognizer))
    }
}
