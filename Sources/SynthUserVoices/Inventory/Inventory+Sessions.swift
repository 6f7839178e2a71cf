import Glibc
package import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthModelStore
package import SynthSpeech
import SynthSystem

extension Inventory {
    /// A session that speaks with a voice or a blend whose files are here. Its engine starts with the first speech.
    ///
    /// - Parameters:
    ///   - uncommitted: voices that are being added and are not in the store yet.
    ///   - onLog: gets the lines that the engine logs, if this session is the first of its engine.
    package func session(
        _ choice: VoiceChoice, uncommitted: [InstalledVoice] = [], onLog: @escaping EngineLog = { _, _ in }
    ) throws(SpeechError) -> SpeechSession {
        guard let plugin = plugin(of: choice.voice),
            let engine = host.engines.plugin(of: plugin.path, { host.engine(plugin, onLog: onLog) })
        else { throw SpeechError(VoiceError.missingEngine(title: choice.voice.title, engine: choice.voice.engine)) }
        let voice: PreparedVoice
        do {
            voice = try prepare(choice, of: engine.description, uncommitted: uncommitted)
        } catch {
            throw SpeechError(error)
        }
        // Kept, so that it stays warm as long as this one does.
        let standIn = Monitor<SpeechSession?>(nil)
        return SpeechSession(
            SpeechVoice(choice, state: .ready, VoiceMarks(host.presets)),
            SpeechSession.Source(
                engine: engine.description, voice: voice, presets: host.presets,
                openLane: { isReplaceable throws(EngineFailure) in
                    try engine.openLane(on: voice.load, handing: voice.files, whileReplaceable: isReplaceable)
                },
                plugin: plugin.path,
                // Nobody else has heard of a voice that is being added.
                lanes: uncommitted.isEmpty ? host.lanes : OwnLanes(),
                findVoice: { [self] asked, main throws(SpeechError) in
                    guard let choice = try companion(for: asked, beside: main), choice != main.choice else {
                        return nil
                    }
                    return try session(choice, onLog: onLog)
                },
                findFallback: { [self] voice, failed in
                    for choice in fallbacks(for: voice.language, without: failed) {
                        if let session = standIn.read({ $0 }), session.voice.choice == choice { return session }
                        guard let session = try? session(choice, onLog: onLog) else { continue }
                        standIn.update { $0 = session }
                        return session
                    }
                    return nil
                }, lexicon: try lexicon(), clips: clips, verbalizers: host.verbalizers,
                inUse: host.inUse))
    }

    /// The lanes of a model; nil if the plugin is none of those that are used.
    ///
    /// - Parameter plugin: the engine's file.
    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? {
        guard let plugin = plugins.first(where: { $0.path == plugin }),
            let engine = host.engines.plugin(of: plugin.path, { host.engine(plugin, onLog: { _, _ in }) })
        else { return nil }
        return host.lanes.lanes(
            of: ModelKey(plugin: plugin.path, load), limit: SpeechSession.laneLimit(of: engine.description)
        ) { isReplaceable throws(EngineFailure) in try engine.openLane(on: load, whileReplaceable: isReplaceable) }
    }

    /// The user's own words; nil if there is no such file.
    package func lexicon() throws(SpeechError) -> SpeechLexicon? {
        let path = host.lexiconPath
        return access(path, F_OK) == 0 ? try SpeechLexicon(path: path) : nil
    }

    /// The clips of the configuration, for names from anywhere.
    package var clips: ClipLibrary { host.clips }
}

/// The engines that sessions hold, so that sessions of one engine share its processes, or recognizers likewise. An engine ends
/// with the last session that holds it, and with it the memory that its models take.
final class PluginCache<Plugin: AnyObject & Sendable>: Sendable {
    private struct Place {
        weak var plugin: Plugin?
    }
    private struct Key: Hashable {
        let file: String
        let identity: FileIdentity?
    }
    private let places = Monitor<[Key: Place]>([:])

    /// What is made of a plugin's file as it is now, made if there is none yet, or none any more.
    func plugin(of file: String, _ make: () -> Plugin?) -> Plugin? {
        let key = Key(file: file, identity: FileIdentity(path: file))
        if let plugin = places.read({ $0[key]?.plugin }) { return plugin }
        // Without the lock: it may look at the whole file. Of two that are made at once, the first is taken.
        let made = make()
        return places.update { places in
            if let plugin = places[key]?.plugin { return plugin }
            places = places.filter { $0.value.plugin != nil }
            places[key] = Place(plugin: made)
            return made
        }
    }

    /// Those that are held.
    var held: [Plugin] { places.read { $0.values.compactMap(\.plugin) } }
}
