package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

extension Inventory {
    /// What an engine keeps of the models that it has loaded, in bytes, beside what is in the store. Whatever of it is
    /// removed, the engine makes again.
    package func preparedBytes(of engine: String) -> Int64 {
        FolderSize.bytes(below: host.caches.prepared(.engine, engine))
            + host.caches.ofEarlierVersions.filter { $0 == engine }.reduce(0) {
                $0 + FolderSize.bytes(below: "\(host.caches.root)/\($1)")
            }
    }

    /// The same of all engines and recognizers.
    package var preparedBytes: Int64 {
        [.engine, .recognizer].reduce(0) { $0 + FolderSize.bytes(below: host.caches.prepared($1)) }
    }

    /// All installed models whose engine is here. Each is loaded, in a process that ends again, which takes up to some
    /// seconds; a model of several voices once.
    package func installedModels() -> [InstalledModel] {
        struct Key: Hashable {
            let engine: String
            let model: String
        }
        var places: [Key: Int] = [:]
        var models: [InstalledModel] = []
        for voice in host.store.installedVoices().map(\.voice) {
            guard let plugin = plugin(of: voice), let description = plugin.engine else { continue }
            let key = Key(engine: description.id, model: VoiceEngine(description).model(of: voice))
            if let place = places[key] {
                models[place].voices.append(voice)
                continue
            }
            places[key] = models.count
            let loading = Result { () throws(SpeechError) in try load(voice, of: plugin) }
            models.append(InstalledModel(engine: description.id, voices: [voice], loading: loading))
        }
        return models
    }

    /// What the engine of a voice whose files are here says about its model, or why it does not load; nil for any other voice.
    /// Blocks like `installedModels`.
    package func loading(of voice: Voice) -> Result<[String], SpeechError>? {
        guard host.store.installedVoice(id: voice.id, engine: voice.engine) != nil, let plugin = plugin(of: voice),
            plugin.engine != nil
        else { return nil }
        return Result { () throws(SpeechError) in try load(voice, of: plugin) }
    }

    /// An engine may log without end.
    private static let mostLines = 8

    /// Loads a voice for a moment.
    ///
    /// - Returns: the first lines that its engine logged meanwhile, without those for its author.
    private func load(_ voice: Voice, of plugin: PluginFile) throws(SpeechError) -> [String] {
        let lines = Monitor<[String]>([])
        // An engine of its own: its processes end here, and with them the memory of the model.
        guard
            let engine = host.engine(
                plugin,
                onLog: { severity, line in
                    guard severity != .debug else { return }
                    lines.update { if $0.count < Self.mostLines { $0.append(line) } }
                })
        else { throw SpeechError(VoiceError.missingEngine(title: voice.title, engine: voice.engine)) }
        let prepared: PreparedVoice
        do {
            prepared = try prepare(VoiceChoice(voice: voice), of: engine.description, isUse: false)
        } catch {
            throw SpeechError(error)
        }
        do {
            _ = try engine.openLane(on: prepared.load, handing: prepared.files)
        } catch {
            throw prepared.failure(error)
        }
        return lines.read { $0 }
    }
}

/// A model that is here, with all its voices.
package struct InstalledModel: Sendable {
    package let engine: String
    /// At least one.
    package var voices: [Voice]
    /// What its engine said about it while it was loaded, or why it cannot be loaded.
    package let loading: Result<[String], SpeechError>
}
