package import EngineWire
package import Engines
import LinuxSystem
package import ModelStore
import SynthAudio

extension SpeechHost {
    /// The voices that could speak now: what engines speak without files, and what is in the store.
    package func readyVoices(_ plugins: [PluginFile]) -> VoiceDirectory {
        let engines = plugins.compactMap(\.engine)
        let installed = store.installedVoices().map(\.voice)
        return VoiceDirectory(engines: engines, voices: engines.flatMap(\.builtInVoices) + installed)
    }

    /// All voices that are known, downloaded or not; those that a newcomer is offered come first.
    package func allVoices(_ plugins: [PluginFile]) throws(RegistryError) -> VoiceDirectory {
        let ready = readyVoices(plugins)
        let registry = try registry(plugins)
        let here = Set(ready.voices.map(\.folder))
        let rest = registry.voices.filter { !here.contains($0.folder) && $0.starter == nil }
        let starters = registry.starters.filter { !here.contains($0.folder) }
        return VoiceDirectory(engines: ready.engines, voices: ready.voices + starters + rest)
    }

    /// The voice that is meant, with the plugin that speaks it. It may have to be downloaded first.
    package func voice(
        _ wish: VoiceWish, among plugins: [PluginFile]
    ) throws(SpeechFailure) -> (plugin: PluginFile, choice: VoiceChoice) {
        let choice = try choose(wish, among: plugins)
        guard let plugin = plugins.first(where: { $0.engine?.id == choice.voice.engine }) else {
            throw .voice(.noEngine)
        }
        return (plugin, choice)
    }

    private func choose(_ wish: VoiceWish, among plugins: [PluginFile]) throws(SpeechFailure) -> VoiceChoice {
        if let id = wish.engine, plugins.allSatisfy({ $0.engine?.id != id }) {
            let file = plugins.first { $0.path.hasSuffix("/\(id).so") || $0.path.hasSuffix("/lib\(id).so") }
            if let file { throw .voice(.unusableEngine(file.path)) }
        }
        do throws(VoiceError) {
            return try readyVoices(plugins).choose(wish)
        } catch {
            guard error.mayBeInRegistry else { throw .voice(error) }
        }
        let known: VoiceDirectory
        do throws(RegistryError) {
            known = try allVoices(plugins)
        } catch {
            throw .registry(error)
        }
        do throws(VoiceError) {
            return try known.choose(wish)
        } catch {
            throw .voice(error)
        }
    }

    /// What the engine is handed for a voice; throws `notDownloaded` where its files are not all there.
    package func prepare(_ choice: VoiceChoice, of engine: EngineDescription) throws(VoiceError) -> PreparedVoice {
        let voice = choice.voice
        var files: [HandedFile] = []
        let isBuiltIn = engine.voices.contains { $0.id == voice.id && $0.sources.isEmpty }
        if !isBuiltIn {
            guard let installed = store.installedVoice(id: voice.id, engine: engine.id) else {
                throw .notDownloaded(
                    title: voice.title, id: voice.id, bytes: voice.downloadSize, why: store.shortfall(of: voice))
            }
            files = (installed.modelFiles + installed.files).map { HandedFile(role: $0.role, path: $0.path) }
            store.recordUse(of: installed)
            if let role = engine.roles.first(where: { role in
                !role.isOptional && !files.contains { $0.role == role.name }
            }) {
                throw .missingFile(title: voice.title, role: role.name)
            }
        }
        let ofVoice = Set(engine.roles.filter(\.isOfVoice).map(\.name))
        let cache = "\(folders.cache)/\(engine.id)"
        makeFolder(of: "\(cache)/")
        return PreparedVoice(
            load: LoadRequest(
                id: voice.model?.id ?? voice.id, cacheDirectory: isFolder(cache) ? cache : nil,
                files: files.filter { !ofVoice.contains($0.role) }),
            use: VoiceUse(
                id: voice.id, speaker: choice.speaker, files: files.filter { ofVoice.contains($0.role) }),
            gain: Gain(Decibels(voice.gain)))
    }
}

extension VoiceError {
    /// It was not found among the voices that are here, so it may be one that can be downloaded.
    fileprivate var mayBeInRegistry: Bool {
        switch self {
        case .unknownVoice, .unknownLanguage, .forgottenVoice, .noVoices: true
        default: false
        }
    }
}

extension ModelStore {
    /// Why a voice that is not ready is not, where there is more to say than that.
    fileprivate func shortfall(of voice: Voice) -> String? {
        if case .notDownloaded(let why) = state(of: voice) { why } else { nil }
    }
}
