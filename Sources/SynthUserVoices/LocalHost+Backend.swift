package import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
package import SynthSpeech
package import SynthSystem

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
