package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

/// The installed engines, the registry and the voices as they are now. All snapshots of a host share plugin and
/// registry information until the files change. The store is read each time, because downloads change it. Thread-safe.
package struct HostSnapshot: Sendable {
    /// How the snapshot obtains its information about plugins.
    package enum Scan: Sendable {
        /// Start plugins that are not in the scan cache.
        case usual
        case anew
        /// Use only the scan cache; do not start any plugins.
        case known
    }
    package let host: LocalHost
    let facts: HostFacts

    /// All plugins with their verdicts, in order of precedence. The first access blocks while plugins that are not in
    /// the scan cache are started.
    package var plugins: [PluginFile] { facts.plugins }

    var engines: [VoiceEngine] { facts.found.engines }

    /// The default engine if the user has not chosen one, usable or not. nil if no registry names a default engine.
    package var firstEngine: String? { facts.found.first }

    /// The plugin files that are recognizers or failed to load as recognizers, one for each ID. The first access blocks
    /// while plugins that are not in the scan cache are started.
    package var recognizers: [RecognizerFile] { facts.recognizers }

    /// Returns the shipped registry, overridden by the user's own, together with the voices that engines declare.
    /// Reading the registry takes several milliseconds, so this is avoided when speaking with an installed voice.
    package func registry() throws(RegistryError) -> Registry {
        var registry = try facts.registry.get()
        // If a model exists in several precisions, all its voices use the most recently installed model, so that they
        // share it.
        let families = Dictionary(grouping: registry.models, by: \.family).values.filter { $0.count > 1 }
        for models in families { if let model = host.store.newest(of: models) { registry.prefer(model) } }
        return registry
    }

    /// The voices that the user has hidden.
    package var hidden: VoiceNames { VoiceNames(host.presets.hidden) }

    /// The voices whose files are complete, whether or not their engines are installed.
    package var installed: [Voice] { host.store.installedVoices().map(\.voice) }

    /// The ready voices: built-in voices and those in the store.
    package var ready: VoiceDirectory {
        VoiceDirectory(
            engines: engines, voices: facts.builtIn + host.store.installedVoices().map(\.voice), hidden: hidden)
    }

    /// Returns all known voices of usable engines, whether or not they are downloaded. Starter voices come first.
    package func all() throws(RegistryError) -> VoiceDirectory { all(in: try registry()) }

    package func all(in registry: Registry) -> VoiceDirectory {
        let ready = ready
        let damaged = host.store.damagedVoices().map(\.voice)
        let here = Set((ready.voices + damaged).map(\.folder))
        let rest = registry.voices.filter { !here.contains($0.folder) && $0.starter == nil }
        let starters = registry.starters.filter { !here.contains($0.folder) }
        return VoiceDirectory(
            engines: ready.engines, voices: ready.voices + damaged + starters + rest, hidden: ready.hidden)
    }

    /// Returns the voices for the short list: starter voices, built-in voices and voices that are at least partly
    /// downloaded.
    package func shown(of all: VoiceDirectory) -> VoiceDirectory {
        VoiceDirectory(
            engines: all.engines,
            voices: all.voices.filter { voice in
                voice.starter != nil || isBuiltIn(voice) || host.store.diskUse(of: voice) != nil
            }, hidden: all.hidden)
    }

    /// Whether the engine speaks the voice without files.
    package func isBuiltIn(_ voice: Voice) -> Bool { engine(of: voice)?.speaksWithoutFiles(voice) == true }

    /// Returns the state of a voice on this machine.
    package func state(of voice: Voice) -> SpeechVoice.State {
        func unusable(_ error: VoiceError) -> SpeechVoice.State { .unusable(SpeechError(error)) }
        guard let engine = engine(of: voice) else {
            return unusable(.missingEngine(title: voice.title, engine: voice.engine))
        }
        if let why = voice.unsupported { return unusable(.unsupportedVoice(title: voice.title, why: why)) }
        if engine.speaksWithoutFiles(voice) || host.store.installedVoice(id: voice.id, engine: engine.id) != nil {
            return .ready
        }
        if let why = host.store.damage(of: voice) {
            return unusable(.damaged(title: voice.title, id: voice.id, why: why))
        }
        return .notDownloaded(bytes: host.store.missingBytes(of: voice))
    }

    /// Returns the voices of a choice that have yet to be downloaded. To keep latency low for installed voices, only
    /// their records are read.
    package func missing(of choice: VoiceChoice) -> [Voice] {
        choice.shares.map(\.voice).filter { voice in
            !isBuiltIn(voice) && host.store.installedVoice(id: voice.id, engine: voice.engine) == nil
        }
    }

    func plugin(of voice: Voice) -> PluginFile? { plugins.first { $0.engine?.id == voice.engine } }

    private func engine(of voice: Voice) -> VoiceEngine? { engines.first { $0.id == voice.engine } }
}
