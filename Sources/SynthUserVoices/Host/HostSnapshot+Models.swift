package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

extension HostSnapshot {
    /// The size in bytes of the data that an engine has derived from models. The data is stored outside the model
    /// store; if it is deleted, the engine recreates it.
    package func preparedBytes(of engine: String) -> Int64 {
        FolderSize.bytes(below: host.caches.prepared(.engine, engine))
            + host.caches.ofEarlierVersions.filter { $0 == engine }.reduce(0) {
                $0 + FolderSize.bytes(below: "\(host.caches.root)/\($1)")
            }
    }

    /// The total size in bytes of derived data for all engines and recognizers.
    package var preparedBytes: Int64 {
        [.engine, .recognizer].reduce(0) { $0 + FolderSize.bytes(below: host.caches.prepared($1)) }
    }

    /// Returns all installed models whose engines are installed. Each model is loaded only once, even if several voices
    /// share it, in a separate process that exits afterwards. Loading a model can take several seconds.
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
            if let position = places[key] {
                models[position].voices.append(voice)
                continue
            }
            places[key] = models.count
            let loading = Result { () throws(SpeechError) in try load(voice, of: plugin) }
            models.append(InstalledModel(engine: description.id, voices: [voice], loading: loading))
        }
        return models
    }

    /// Loads the model of an installed voice. Returns its engine's log lines or the error, or nil if the voice is not
    /// installed. Blocks like `installedModels`.
    package func loading(of voice: Voice) -> Result<[String], SpeechError>? {
        guard host.store.installedVoice(id: voice.id, engine: voice.engine) != nil, let plugin = plugin(of: voice),
            plugin.engine != nil
        else { return nil }
        return Result { () throws(SpeechError) in try load(voice, of: plugin) }
    }

    /// The maximum number of log lines to keep, because an engine may log without limit.
    private static let maximumLines = 8

    /// Loads a voice temporarily.
    ///
    /// - Returns: the first lines that the engine logged, without debug messages.
    private func load(_ voice: Voice, of plugin: PluginFile) throws(SpeechError) -> [String] {
        let lines = Monitor<[String]>([])
        // Use a separate engine instance. Its process ends at the end of this scope, freeing the model's memory.
        guard
            let engine = host.engine(
                plugin,
                onLog: { severity, line in
                    guard severity != .debug else { return }
                    lines.update { if $0.count < Self.maximumLines { $0.append(line) } }
                })
        else { throw SpeechError(VoiceError.missingEngine(title: voice.title, engine: voice.engine)) }
        let prepared = try rethrowing(
            prepare(VoiceChoice(voice: voice), of: engine.description, isUse: false), as: VoiceError.asSpeechError)
        _ = try rethrowing(engine.openLane(on: prepared.load, handing: prepared.files), as: prepared.failure)
        return lines.read { $0 }
    }
}

/// An installed model with all its voices.
package struct InstalledModel: Sendable {
    package let engine: String
    /// The voices. Never empty.
    package var voices: [Voice]
    /// The engine's log lines from loading the model, or the error.
    package let loading: Result<[String], SpeechError>
}
