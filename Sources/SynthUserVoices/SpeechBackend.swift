package import SynthCatalogue
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
package import SynthSystem

/// The implementation of a host: this machine, or a test double. All methods except `download` block.
package protocol SpeechBackend: Sendable {
    /// The configured audio device, or nil for the default one.
    var device: String? { get }

    /// The clips of the configuration.
    var clips: ClipLibrary { get }

    /// Files that no audio output may overwrite.
    var inUse: FilesInUse { get }

    /// Returns all known voices. Ready voices come first.
    func voices() throws(SpeechError) -> [SpeechVoice]

    /// - Parameter name: the name, or nil for the default voice.
    func voice(_ name: String?) throws(SpeechError) -> SpeechVoice

    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession

    /// - Returns: the voice with its new profile.
    func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice

    /// Adds a voice to a list or removes it from the list.
    ///
    /// - Returns: the voice with its new marks.
    func set(_ list: VoiceList, _ isOn: Bool, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice

    func download(_ voice: SpeechVoice) -> VoiceDownload

    /// Returns the usable engines.
    func usableEngines() -> [SpeechEngine]

    /// Returns the fallbacks for a voice, best first.
    func fallbacks(for voice: SpeechVoice) -> [SpeechVoice]

    /// Returns a recognizer with its model.
    ///
    /// - Parameters:
    ///   - model: the model's ID or name, or nil for the configured one or, failing that, the first suitable one.
    ///   - language: the spoken language (BCP 47), or nil if it is unknown.
    func hearing(model: String?, language: String?) throws(SpeechError) -> RecognizerSource

    /// Makes this voice the default.
    func choose(_ voice: SpeechVoice) throws(SpeechError)

    /// - Returns: the number of bytes freed.
    func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64

    /// - Returns: the voice with its new state.
    func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice
}

extension LocalHost: SpeechBackend {
    /// Creates a host with the same configuration as the `synthhost` command.
    package static func ofThisUser() throws(SpeechError) -> LocalHost {
        let process = ProcessEnvironment()
        if let name = process.misleading.first { throw .environmentInvalid(name) }
        let environment = process.variables
        let file = ConfigurationFile.inForce(environment: { environment[$0] })
        let presets = try file.load()
        return LocalHost(
            installation: try Installation(executable: Installation.executable, environment: environment),
            folders: UserFolders(environment: environment), environment: environment, limits: presets.limits,
            network: NetworkPolicy(environment: environment), presets: presets, configuration: file)
    }

    package var device: String? { presets.device }

    package var clips: ClipLibrary { ClipLibrary(presets, from: configuration).noted(in: inUse).decoded(by: media) }

    package func voices() throws(SpeechError) -> [SpeechVoice] {
        try inventory().voices()
    }

    package func voice(_ name: String?) throws(SpeechError) -> SpeechVoice {
        try inventory().voice(VoiceQuery(name: name))
    }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        try inventory().session(voice.choice)
    }

    package func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        try change(voice) { file throws(SpeechError) in
            try file.setProfile(profile, of: voice.choice.heaviest.voice)
        }
    }

    package func set(_ list: VoiceList, _ isOn: Bool, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        try change(voice) { file throws(SpeechError) in
            let voice = voice.choice.heaviest.voice
            if isOn { try file.add(voice, to: list) } else { try file.remove(voice, from: list) }
        }
    }

    private func change(
        _ voice: SpeechVoice, _ body: (ConfigurationFile) throws(SpeechError) -> Void
    ) throws(SpeechError) -> SpeechVoice {
        try change(body)
        return SpeechVoice(voice.choice, state: voice.state, VoiceMarks(presets))
    }

    package func usableEngines() -> [SpeechEngine] { inventory().listings.compactMap(\.engine) }

    package func fallbacks(for voice: SpeechVoice) -> [SpeechVoice] {
        let inventory = inventory()
        return inventory.fallbacks(for: voice.language, without: [voice.engine]).map { inventory.voice($0) }
    }

    package func hearing(model: String?, language: String?) throws(SpeechError) -> RecognizerSource {
        let inventory = inventory()
        return try inventory.source(
            of: try inventory.chosenRecognizer(model: model, language: language), onLog: { _ in })
    }

    package func choose(_ voice: SpeechVoice) throws(SpeechError) {
        try choose(voice.choice.heaviest.voice)
    }

    /// Makes a voice the default.
    package func choose(_ voice: Voice) throws(SpeechError) {
        // Use a name that remains unambiguous if other voices are downloaded later.
        try choose((try? inventory().all())?.word(for: voice) ?? voice.id, of: voice.engine)
    }

    package func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64 {
        try VoiceLibrary(inventory()).remove(voice.choice.heaviest.voice).freed
    }

    package func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        _ = try await VoiceLibrary(inventory()).verify(voice.choice.shares.map(\.voice))
        return inventory().voice(voice.choice)
    }
}
