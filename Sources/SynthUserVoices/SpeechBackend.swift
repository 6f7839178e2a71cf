package import SynthCatalogue
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
package import SynthSystem

/// What a host is made of: this machine, or a double of it for tests. Everything but the download blocks.
package protocol SpeechBackend: Sendable {
    /// The device of the configuration; nil = the default one.
    var device: String? { get }

    /// The clips of the configuration.
    var clips: ClipLibrary { get }

    /// Files that no sound may replace.
    var inUse: FilesInUse { get }

    /// All voices that are known; those that could speak now come first.
    func voices() throws(SpeechError) -> [SpeechVoice]

    /// - Parameter name: nil = the one that the user chose.
    func voice(_ name: String?) throws(SpeechError) -> SpeechVoice

    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession

    /// - Returns: the voice as it is known then.
    func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice

    /// Puts a voice on a list or takes it off.
    ///
    /// - Returns: the voice as it is known then.
    func set(_ list: VoiceList, _ isOn: Bool, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice

    func download(_ voice: SpeechVoice) -> VoiceDownload

    /// The engines that could speak.
    func usableEngines() -> [SpeechEngine]

    /// Who would speak on for a voice, the best first.
    func fallbacks(for voice: SpeechVoice) -> [SpeechVoice]

    /// A recognizer with its model.
    ///
    /// - Parameters:
    ///   - model: its id or name; nil = that of the configuration, or the first that suits.
    ///   - language: what is spoken (BCP-47); nil = not known.
    func hearing(model: String?, language: String?) throws(SpeechError) -> HearingSource

    /// From now on this voice speaks if none is named.
    func choose(_ voice: SpeechVoice) throws(SpeechError)

    /// - Returns: the bytes that are free again.
    func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64

    /// - Returns: the voice as it is known then.
    func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice
}

extension LocalHost: SpeechBackend {
    /// As `synthhost` would find everything.
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

    package var clips: ClipLibrary { ClipLibrary(presets, from: configuration).noted(in: inUse) }

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

    package func hearing(model: String?, language: String?) throws(SpeechError) -> HearingSource {
        let inventory = inventory()
        return try inventory.source(of: try inventory.chooseHearing(model: model, language: language), onLog: { _ in })
    }

    package func choose(_ voice: SpeechVoice) throws(SpeechError) {
        try choose(voice.choice.heaviest.voice)
    }

    /// Chooses a voice for everything that names none.
    package func choose(_ voice: Voice) throws(SpeechError) {
        // What is downloaded later must not take its name.
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
