import Glibc
import SynthAudio
package import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthModelStore
package import SynthSpeech
import SynthSystem

extension HostSnapshot {
    /// Creates a session for an installed voice or blend. The engine starts when the session first speaks.
    ///
    /// - Parameters:
    ///   - uncommitted: voices that are being added and are not in the store yet.
    ///   - onLog: receives the engine's log lines if this is the engine's first session.
    package func session(
        _ choice: VoiceChoice, uncommitted: [InstalledVoice] = [], onLog: @escaping EngineLog = { _, _ in }
    ) throws(SpeechError) -> SpeechSession {
        guard let plugin = plugin(of: choice.voice),
            let engine = host.engines.plugin(of: plugin.path, { host.engine(plugin, onLog: onLog) })
        else { throw SpeechError(VoiceError.missingEngine(title: choice.voice.title, engine: choice.voice.engine)) }
        let voice = try rethrowing(
            prepare(choice, of: engine.description, uncommitted: uncommitted), as: VoiceError.asSpeechError)
        // Keep the fallback session loaded for the lifetime of this session.
        let fallback = Monitor<SpeechSession?>(nil)
        var source = SpeechSession.Source(
            engine: engine.description, voice: voice, presets: host.presets,
            openLane: { isReplaceable throws(EngineFailure) in
                try engine.openLane(on: voice.load, handing: voice.files, whileReplaceable: isReplaceable)
            })
        source.plugin = plugin.path
        // The service's lanes cannot load voices that are still being added.
        source.lanes = uncommitted.isEmpty ? host.lanes : OwnLanes()
        source.findVoice = { [self] asked, main throws(SpeechError) in
            guard let choice = try companion(for: asked, beside: main), choice != main.choice else { return nil }
            return try session(choice, onLog: onLog)
        }
        source.findFallback = { [self] voice, failed in
            for choice in fallbacks(for: voice.language, without: failed) {
                if let session = fallback.read({ $0 }), session.voice.choice == choice { return session }
                guard let session = try? session(choice, onLog: onLog) else { continue }
                fallback.update { $0 = session }
                return session
            }
            return nil
        }
        source.lexicon = try lexicon()
        source.clips = clips
        source.verbalizers = host.verbalizers
        source.inUse = host.inUse
        return SpeechSession(SpeechVoice(choice, state: .ready, VoiceMarks(host.presets)), source)
    }

    /// The lane pool of a model, or nil if the plugin is not usable.
    ///
    /// - Parameter plugin: the path of the engine's file.
    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? {
        guard let plugin = plugins.first(where: { $0.path == plugin }),
            let engine = host.engines.plugin(of: plugin.path, { host.engine(plugin, onLog: { _, _ in }) })
        else { return nil }
        return host.lanes.lanes(
            of: ModelKey(plugin: plugin.path, load), limit: SpeechSession.laneLimit(of: engine.description)
        ) { isReplaceable throws(EngineFailure) in try engine.openLane(on: load, whileReplaceable: isReplaceable) }
    }

    /// The user's lexicon, or nil if the file does not exist.
    package func lexicon() throws(SpeechError) -> SpeechLexicon? {
        let path = host.lexiconPath
        return access(path, F_OK) == 0 ? try SpeechLexicon(path: path) : nil
    }

    /// The configured clips, without access to other files. Safe for untrusted text.
    package var clips: ClipLibrary { host.clips }
}

/// Caches the plugins in use, so that sessions of the same engine or recognizer share its processes. When the last
/// session that retains a plugin ends, the plugin is stopped, freeing the memory used by its models.
final class PluginCache<Plugin: AnyObject & Sendable>: Sendable {
    private struct Entry {
        weak var plugin: Plugin?
    }
    private struct Key: Hashable {
        let file: String
        let identity: FileIdentity?
    }
    private let entries = Monitor<[Key: Entry]>([:])

    /// Returns the plugin for the current version of a file, creating it if necessary.
    func plugin(of file: String, _ make: () -> Plugin?) -> Plugin? {
        let key = Key(file: file, identity: FileIdentity(path: file))
        if let plugin = entries.read({ $0[key]?.plugin }) { return plugin }
        // Create the plugin outside the lock, because doing so may read the entire file. If two threads create the
        // plugin at the same time, the first one is kept.
        let made = make()
        return entries.update { entries in
            if let plugin = entries[key]?.plugin { return plugin }
            entries = entries.filter { $0.value.plugin != nil }
            entries[key] = Entry(plugin: made)
            return made
        }
    }

    var held: [Plugin] { entries.read { $0.values.compactMap(\.plugin) } }
}

extension HostSnapshot {
    /// Collects the data that the engine needs for a voice or a blend. Throws `notDownloaded`, `missingFile` or
    /// `damaged` if files are missing or damaged, and `blendOfModels` if the voices of a blend use different versions
    /// of the model.
    ///
    /// - Parameters:
    ///   - uncommitted: voices that are being added and are not in the store yet.
    ///   - isUse: whether the store should record that the voice was used.
    package func prepare(
        _ choice: VoiceChoice, of engine: EngineDescription, uncommitted: [InstalledVoice] = [], isUse: Bool = true
    ) throws(VoiceError) -> PreparedVoice {
        let ofVoice = Set(engine.roles.filter(\.isOfVoice).map(\.name))
        let lead = try files(of: choice.voice, engine, uncommitted, isUse)
        let modelFiles = lead.files.filter { !ofVoice.contains($0.role) }
        var uses: [VoiceUse] = []
        var gain = 0.0
        for share in choice.shares {
            let own =
                share.voice.folder == choice.voice.folder
                ? lead : try files(of: share.voice, engine, uncommitted, isUse)
            let files = own.files
            gain += share.weight * own.gain
            // The voices share a model, but this voice was installed with a different version of the model's files.
            guard files.filter({ !ofVoice.contains($0.role) }) == modelFiles else {
                throw .blendOfModels(choice.voice.title, other: share.voice.title)
            }
            uses.append(
                VoiceUse(
                    id: share.voice.id, speaker: share.speaker, weight: Float(share.weight),
                    files: files.filter { ofVoice.contains($0.role) }))
        }
        return PreparedVoice(
            load: LoadRequest(
                id: VoiceEngine(engine).model(of: choice.voice),
                cacheDirectory: preparedFolder(of: engine.id, .engine),
                files: modelFiles),
            uses: uses,
            gain: Gain(Decibels(gain)),
            language: lead.isUsersOwn ? choice.voice.language : nil, id: choice.voice.id, isUsersOwn: lead.isUsersOwn)
    }

    /// All files of an installed voice and its model, and the voice's gain in decibels. Built-in voices have no files.
    private func files(
        of voice: Voice, _ engine: EngineDescription, _ uncommitted: [InstalledVoice], _ isUse: Bool
    ) throws(VoiceError) -> (files: [HandedFile], gain: Double, isUsersOwn: Bool) {
        if engine.speaksWithoutFiles(voice) { return ([], gain(of: voice, nil), false) }
        let found =
            uncommitted.first { $0.voice.folder == voice.folder }
            ?? host.store.installedVoice(id: voice.id, engine: engine.id)
        guard let installed = found else {
            if let why = host.store.damage(of: voice) { throw .damaged(title: voice.title, id: voice.id, why: why) }
            throw .notDownloaded(
                title: voice.title, word: word(for: voice, of: engine), bytes: host.store.missingBytes(of: voice),
                why: host.store.missingReason(of: voice))
        }
        let files = (installed.modelFiles + installed.files).map { HandedFile(role: $0.role, path: $0.path) }
        if isUse { host.store.recordUse(of: installed) }
        for file in files { host.inUse.add(path: file.path, as: .voice) }
        if let role = engine.roles.first(where: { role in
            !role.isOptional && !files.contains { $0.role == role.name }
        }) {
            throw .missingFile(title: voice.title, role: role.name)
        }
        return (files, gain(of: voice, installed), installed.isUsersOwn)
    }

    /// The gain in decibels that brings a voice to the common loudness; 0 if the voice's loudness is unknown.
    package func gain(of voice: Voice) -> Double {
        gain(of: voice, host.store.installedVoice(id: voice.id, engine: voice.engine))
    }

    /// - Parameter installed: the voice in the store, or nil if it needs no files.
    package func gain(of voice: Voice, _ installed: InstalledVoice?) -> Double {
        let gain =
            if let installed { installed.loudness?.gain ?? voice.gain } else {
                facts.found.gains[voice.engine]?.gain(of: voice.id) ?? voice.gain
            }
        // Clamp the gain, because a registry may contain any value.
        return min(max(gain, -Self.largestGain), Self.largestGain)
    }

    private static let largestGain = 40.0
}

extension HostSnapshot {
    /// The name to type for a voice, as shown in an error message.
    private func word(for voice: Voice, of engine: EngineDescription) -> String {
        let known = (try? registry())?.voices.filter { $0.folder != voice.folder } ?? []
        return VoiceDirectory(engines: [VoiceEngine(engine)], voices: known + [voice]).word(for: voice)
    }
}

extension ModelStore {
    /// Additional information about why a voice is not ready; nil if there is none.
    func missingReason(of voice: Voice) -> String? {
        if case .notDownloaded(let why) = state(of: voice) { why } else { nil }
    }
}

extension HostSnapshot {
    /// The folder in which a plugin stores data derived from models, or nil if it is not writable.
    func preparedFolder(of id: String, _ kind: PluginKind) -> String? {
        host.caches.make(kind, id) {
            switch kind {
            case .engine: recognizers.contains { $0.description?.id == id }
            case .recognizer: plugins.contains { $0.engine?.id == id }
            }
        }
    }
}
