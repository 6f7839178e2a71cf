package import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSpeech
package import SynthSystem

/// The interface of a host, implemented by the local machine and by test doubles. Thread-safe. Every method except
/// `download` and `abandonEngines` blocks.
package protocol HostBackend: Sendable {
    /// The configuration as loaded, plus the changes made through this host.
    var presets: Configuration { get }

    /// The configured clips.
    var clips: ClipLibrary { get }

    /// Files that no audio output may replace.
    var inUse: FilesInUse { get }

    /// The properties that determine how engines speak on this host.
    var identity: HostIdentity { get }

    /// Returns the voices in a selection.
    func voices(_ list: VoiceSelection) throws(SpeechError) -> [SpeechVoice]

    /// Finds the requested voice, which may need to be downloaded first. Properties that the query does not specify are
    /// taken from the user's configuration.
    func voice(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice

    /// Creates a separate session.
    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession

    /// Changes the settings of a voice in the user's configuration.
    ///
    /// - Returns: the voice with its new profile and marks.
    func change(_ change: PreferenceChange, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice

    /// Starts downloading a voice's missing files.
    func download(_ voice: SpeechVoice) -> VoiceDownload

    /// Removes a voice's files, and its model's files if no other voice needs them. If the voice was the default, that
    /// setting is removed.
    ///
    /// - Returns: the number of bytes freed.
    func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64

    /// Verifies a voice's files.
    ///
    /// - Returns: the voice with its new state.
    func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice

    /// Returns a recognizer with its model.
    ///
    /// - Parameters:
    ///   - model: the model's ID or name, or nil for the configured model or the first suitable model.
    ///   - language: the spoken language (BCP 47), or nil if it is unknown.
    func recognizerSource(model: String?, language: String?) throws(SpeechError) -> RecognizerSource

    /// Returns the usable engines in order of precedence.
    func usableEngines() -> [SpeechEngine]

    /// Returns the lanes of a model, or nil if the plugin is not in use.
    ///
    /// - Parameter plugin: the path of the engine's file.
    func lanes(of plugin: String, _ load: LoadRequest) -> LanePool?

    /// Returns the model of a voice, or nil if some of its files are missing.
    func model(of voice: SpeechVoice) -> ModelKey?

    /// The engines in use, with their current memory use.
    var engineFigures: [EngineFigures] { get }

    /// Returns the current memory use of the engine processes in bytes.
    func memory() -> UInt64

    /// Stops the engine processes immediately, for a program that is about to exit. Does not block.
    func abandonEngines()

    /// Returns the current engines, recognizers and voices of this machine.
    func snapshot(_ scan: HostSnapshot.Scan) -> HostSnapshot
}

extension HostBackend {
    /// Finds a fallback for a voice that was not found or whose session could not be created. Returns nil if none is
    /// available.
    ///
    /// - Parameter voice: the voice, or nil if it was not found.
    package func fallback(
        for query: VoiceQuery, _ voice: SpeechVoice?, after failure: SpeechError
    ) -> VoiceReplacement? {
        let snapshot = snapshot(.usual)
        if let voice { return snapshot.fallback(for: voice, after: failure) }
        return snapshot.fallback(for: snapshot.completed(query), after: failure)
    }

    /// Returns the user's settings for a voice.
    ///
    /// - Parameter usesProfile: whether the voice's profile applies, or only the settings for all voices.
    package func settings(_ voice: SpeechVoice, usesProfile: Bool) -> SpeechSettings {
        usesProfile ? SpeechSettings(presets, for: voice.choice) : SpeechSettings(presets)
    }
}

/// A change to a voice in the user's configuration. For a blend, the change applies to the voice with the greatest
/// weight.
package enum PreferenceChange: Sendable {
    case profile(VoiceProfile)
    case list(VoiceList, Bool)
    case chosen
}

extension LocalHost: HostBackend {
    package var clips: ClipLibrary { ClipLibrary(presets, from: configuration).noted(in: inUse) }

    package func voices(_ list: VoiceSelection) throws(SpeechError) -> [SpeechVoice] {
        try snapshot().voices(list)
    }

    package func voice(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice { try snapshot().voice(query) }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        try snapshot().session(voice.choice)
    }

    package func change(_ change: PreferenceChange, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        let main = voice.choice.heaviest.voice
        switch change {
        case .profile(let profile):
            try self.change { file throws(SpeechError) in try file.setProfile(profile, of: main) }
        case .list(let list, let isOn):
            try self.change { file throws(SpeechError) in
                if isOn { try file.add(main, to: list) } else { try file.remove(main, from: list) }
            }
        case .chosen:
            // The name must remain unambiguous if other voices are downloaded later.
            try choose((try? snapshot().all())?.word(for: main) ?? main.id, of: main.engine)
        }
        return voice.with(VoiceMarks(presets))
    }

    package func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64 {
        try VoiceLibrary(snapshot()).remove(voice.choice.heaviest.voice).freed
    }

    package func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        _ = try await VoiceLibrary(snapshot()).verify(voice.choice.shares.map(\.voice))
        return snapshot().voice(voice.choice)
    }

    package func recognizerSource(model: String?, language: String?) throws(SpeechError) -> RecognizerSource {
        let inventory = snapshot()
        return try inventory.source(
            of: try inventory.chosenRecognizer(model: model, language: language), onLog: { _ in })
    }

    package func usableEngines() -> [SpeechEngine] {
        snapshot().plugins.compactMap { $0.engine.map { SpeechEngine($0) } }
    }

    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? { snapshot().lanes(of: plugin, load) }

    package func model(of voice: SpeechVoice) -> ModelKey? { snapshot().model(of: voice.choice.voice) }

    package func memory() -> UInt64 { ChildMemory.resident() }
}

extension HostSetup {
    /// Creates the host.
    package func host() -> any HostBackend { LocalHost(self) }
}
