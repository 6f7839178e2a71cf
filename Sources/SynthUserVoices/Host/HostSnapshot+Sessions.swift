import Glibc
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

    /// The lane pool of a model, or nil if the plugin is not in use.
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

/// Caches the plugins in use, so that sessions of the same engine or recognizer share its processes. When the last session that retains a
/// plugin ends, the plugin is stopped, which releases the memory of its models.
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
        // Create the plugin outside the lock, because this may read the entire file. If two threads create the plugin
        // concurrently, the first of the two is used.
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
