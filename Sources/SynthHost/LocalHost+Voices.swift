package import Engines
package import EngineWire
import Glibc
package import ModelStore
import SynthAudio
import System

extension LocalHost {
    /// The voices that could speak now: what engines speak without files, and what is in the store.
    package func readyVoices(_ plugins: [PluginFile]) -> VoiceDirectory {
        let engines = plugins.compactMap(\.engine)
        let installed = store.installedVoices().map(\.voice)
        return VoiceDirectory(engines: engines, voices: engines.flatMap(\.builtInVoices) + installed)
    }

    /// All voices of usable engines that are known, downloaded or not; those that a newcomer is offered come first.
    package func allVoices(_ plugins: [PluginFile]) throws(RegistryError) -> VoiceDirectory {
        allVoices(plugins, try registry(plugins))
    }

    package func allVoices(_ plugins: [PluginFile], _ registry: Registry) -> VoiceDirectory {
        let ready = readyVoices(plugins)
        let damaged = store.damagedVoices().map(\.voice)
        let here = Set((ready.voices + damaged).map(\.folder))
        let rest = registry.voices.filter { !here.contains($0.folder) && $0.starter == nil }
        let starters = registry.starters.filter { !here.contains($0.folder) }
        return VoiceDirectory(engines: ready.engines, voices: ready.voices + damaged + starters + rest)
    }

    /// The voice that is meant, with the plugin that speaks it. It may have to be downloaded first.
    package func voice(
        _ wish: VoiceWish, among plugins: [PluginFile]
    ) throws(SpeechFailure) -> (plugin: PluginFile, choice: VoiceChoice) {
        let choice = try choose(wish, among: plugins)
        guard let plugin = plugins.first(where: { $0.engine?.id == choice.voice.engine }) else {
            throw .voice(.noEngine)
        }
        for voice in choice.shares.map(\.voice) {
            if let why = voice.unsupported { throw .voice(.unsupportedVoice(title: voice.title, why: why)) }
        }
        return (plugin, choice)
    }

    /// What is wrong with the engine that is meant: the one that was asked for or is configured, else the first one.
    /// No other may take its place unasked.
    package func failure(ofEngineMeantBy wish: VoiceWish, among plugins: [PluginFile]) -> EngineFailure? {
        plugins.failure(of: wish.engine ?? wish.preferredEngine ?? VoiceDirectory.firstEngine)
    }

    private func choose(_ wish: VoiceWish, among plugins: [PluginFile]) throws(SpeechFailure) -> VoiceChoice {
        guard let failure = failure(ofEngineMeantBy: wish, among: plugins) else {
            return try choose(wish, amongEnginesOf: plugins)
        }
        // A voice that was named may be another engine's.
        guard wish.name != nil, wish.engine == nil else { throw .engine(failure) }
        let choice: VoiceChoice
        do throws(SpeechFailure) {
            choice = try choose(wish, amongEnginesOf: plugins)
        } catch {
            if case .voice(let error) = error, !error.isMistyped { throw .engine(failure) }
            throw error
        }
        // Nothing is to be downloaded for a name that the configured engine may well know.
        if wish.preferredEngine != nil {
            let here = Set(readyVoices(plugins).voices.map(\.folder))
            guard choice.shares.allSatisfy({ here.contains($0.voice.folder) }) else { throw .engine(failure) }
        }
        return choice
    }

    private func choose(
        _ wish: VoiceWish, amongEnginesOf plugins: [PluginFile]
    ) throws(SpeechFailure) -> VoiceChoice {
        do throws(VoiceError) {
            return try readyVoices(plugins).choose(wish)
        } catch {
            guard error.mayBeInRegistry || error.mayNameVoice(in: wish) else { throw .voice(error) }
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
            throw withoutEngine(wish, among: plugins) ?? .voice(error)
        }
    }

    /// Where the voice that is meant is one of an engine that is not here, or cannot be used, that is what to tell.
    private func withoutEngine(_ wish: VoiceWish, among plugins: [PluginFile]) -> SpeechFailure? {
        guard let name = wish.name, wish.engine == nil, let registry = try? registry(plugins) else { return nil }
        let strangers = (registry.voices + store.installedVoices().map(\.voice)).filter { voice in
            plugins.allSatisfy { $0.engine?.id != voice.engine }
        }
        return (try? VoiceDirectory.find(name, among: strangers)).map { voice in
            plugins.failure(of: voice.engine).map { .engine($0) }
                ?? .voice(.missingEngine(title: voice.title, engine: voice.engine))
        }
    }

    /// What a list shows that is not to be long: what is here, whole or in part, and what a newcomer is offered.
    package func shownVoices(_ all: VoiceDirectory) -> VoiceDirectory {
        VoiceDirectory(
            engines: all.engines,
            voices: all.voices.filter { voice in
                voice.starter != nil || condition(of: voice, in: all) == .builtIn || store.holding(of: voice) != nil
            })
    }

    /// Where a voice stands.
    package func condition(of voice: Voice, in directory: VoiceDirectory) -> VoiceCondition {
        guard let engine = directory.engines.first(where: { $0.id == voice.engine }) else {
            return .engineMissing(voice.engine)
        }
        if engine.speaksWithoutFiles(voice) { return .builtIn }
        if store.installedVoice(id: voice.id, engine: engine.id) != nil { return .ready }
        if let why = store.damage(of: voice) { return .damaged(why) }
        if voice.unsupported != nil { return .unsupported }
        // A voice without any bytes of its own is not half here because others left its model.
        guard store.holding(of: voice) != nil else { return .notDownloaded(because: nil) }
        return .notDownloaded(because: store.shortfall(of: voice))
    }

    /// What the engine is handed for a voice or a blend; throws `notDownloaded` where its files are not all there.
    ///
    /// - Parameter uncommitted: voices that are being added and are not in the store yet.
    package func prepare(
        _ choice: VoiceChoice, of engine: EngineDescription, uncommitted: [InstalledVoice] = []
    ) throws(VoiceError) -> PreparedVoice {
        let ofVoice = Set(engine.roles.filter(\.isOfVoice).map(\.name))
        let lead = try files(of: choice.voice, engine, uncommitted)
        let modelFiles = lead.files.filter { !ofVoice.contains($0.role) }
        var uses: [VoiceUse] = []
        for share in choice.shares {
            let files =
                share.voice.folder == choice.voice.folder
                ? lead.files : try files(of: share.voice, engine, uncommitted).files
            // The same model, and another edition of its files.
            guard files.filter({ !ofVoice.contains($0.role) }) == modelFiles else {
                throw .blendOfModels(choice.voice.title, other: share.voice.title)
            }
            uses.append(
                VoiceUse(
                    id: share.voice.id, speaker: share.speaker, weight: Float(share.weight),
                    files: files.filter { ofVoice.contains($0.role) }))
        }
        let cache = "\(folders.cache)/\(engine.id)"
        makeFolder(of: "\(cache)/")
        return PreparedVoice(
            load: LoadRequest(
                id: engine.model(of: choice.voice), cacheDirectory: access(cache, W_OK | X_OK) == 0 ? cache : nil,
                files: modelFiles),
            uses: uses,
            gain: Gain(Decibels(choice.shares.reduce(0) { $0 + $1.weight * $1.voice.gain })),
            language: lead.language)
    }

    /// All files of an installed voice, and of its model; none for one that needs none. With them the language of a
    /// voice of the user's own.
    private func files(
        of voice: Voice, _ engine: EngineDescription, _ uncommitted: [InstalledVoice]
    ) throws(VoiceError) -> (files: [HandedFile], language: String?) {
        if engine.speaksWithoutFiles(voice) { return ([], nil) }
        let found =
            uncommitted.first { $0.voice.folder == voice.folder }
            ?? store.installedVoice(id: voice.id, engine: engine.id)
        guard let installed = found else {
            if let why = store.damage(of: voice) { throw .damaged(title: voice.title, id: voice.id, why: why) }
            throw .notDownloaded(
                title: voice.title, word: word(for: voice, of: engine), bytes: store.missingBytes(of: voice),
                why: store.shortfall(of: voice))
        }
        let files = (installed.modelFiles + installed.files).map { HandedFile(role: $0.role, path: $0.path) }
        store.recordUse(of: installed)
        if let role = engine.roles.first(where: { role in
            !role.isOptional && !files.contains { $0.role == role.name }
        }) {
            throw .missingFile(title: voice.title, role: role.name)
        }
        return (files, installed.isUsersOwn ? installed.voice.language : nil)
    }
}

extension LocalHost {
    /// What to type for a voice, for a message.
    private func word(for voice: Voice, of engine: EngineDescription) -> String {
        let known = (try? registry([]))?.voices.filter { $0.folder != voice.folder } ?? []
        return VoiceDirectory(engines: [engine], voices: known + [voice]).word(for: voice)
    }
}

extension VoiceError {
    /// It was not found among the voices that are here, so it may be one that can be downloaded.
    fileprivate var mayBeInRegistry: Bool {
        switch self {
        case .unknownVoice, .unknownLanguage, .forgottenVoice, .noVoices: true
        // In a blend; with the voices that can be downloaded it may have been meant otherwise.
        case .blendOfEngines, .blendOfModels: true
        default: false
        }
    }
}

extension VoiceError {
    /// "Heart+Bella": what was read as a speaker may be a voice.
    fileprivate func mayNameVoice(in wish: VoiceWish) -> Bool {
        if case .unknownSpeaker = self { wish.speaker == nil } else { false }
    }
}

extension EngineDescription {
    /// Whether the engine speaks the voice without any file.
    package func speaksWithoutFiles(_ voice: Voice) -> Bool {
        voices.contains { $0.id == voice.id && $0.sources.isEmpty }
    }
}

extension ModelStore {
    /// Why a voice that is not ready is not, where there is more to say than that.
    fileprivate func shortfall(of voice: Voice) -> String? {
        guard case .notDownloaded(let why?) = state(of: voice) else { return nil }
        let entry = "\(voice.folder): "
        return why.hasPrefix(entry) ? String(why.dropFirst(entry.count)) : why
    }
}
