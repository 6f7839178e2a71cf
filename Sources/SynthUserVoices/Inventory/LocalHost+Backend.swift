package import SynthCatalogue
package import SynthEngineWire
package import SynthSpeech
package import SynthSystem

extension LocalHost: HostBackend {
    /// Creates the host with the same configuration as the `synthhost` command.
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

    package var clips: ClipLibrary { ClipLibrary(presets, from: configuration).noted(in: inUse) }

    package func voices(_ list: VoiceSelection) throws(SpeechError) -> [SpeechVoice] {
        try inventory().voices(list)
    }

    package func voice(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice { try inventory().voice(query) }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        try inventory().session(voice.choice)
    }

    package func fallbacks(for voice: SpeechVoice) -> [SpeechVoice] {
        let inventory = inventory()
        return inventory.fallbacks(for: voice.language, without: [voice.engine]).map { inventory.voice($0) }
    }

    package func standIn(
        for query: VoiceQuery, _ voice: SpeechVoice?, after failure: SpeechError
    ) -> VoiceReplacement? {
        let inventory = inventory()
        if let voice { return inventory.standIn(for: voice, after: failure) }
        return inventory.standIn(for: inventory.completed(query), after: failure)
    }

    package func change(_ change: VoiceChange, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
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
            try choose((try? inventory().all())?.word(for: main) ?? main.id, of: main.engine)
        }
        return voice.with(VoiceMarks(presets))
    }

    package func remove(_ voice: SpeechVoice) throws(SpeechError) -> Int64 {
        try VoiceLibrary(inventory()).remove(voice.choice.heaviest.voice).freed
    }

    package func verify(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechVoice {
        _ = try await VoiceLibrary(inventory()).verify(voice.choice.shares.map(\.voice))
        return inventory().voice(voice.choice)
    }

    package func hearing(model: String?, language: String?) throws(SpeechError) -> RecognizerSource {
        let inventory = inventory()
        return try inventory.source(of: try inventory.chosenRecognizer(model: model, language: language), onLog: { _ in })
    }

    package func usableEngines() -> [SpeechEngine] { inventory().listings.compactMap(\.engine) }

    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? { inventory().lanes(of: plugin, load) }

    package func model(of voice: SpeechVoice) -> ModelKey? { inventory().model(of: voice.choice.voice) }

    package func memory() -> UInt64 { ChildMemory.resident() }
}
