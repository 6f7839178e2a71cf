package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

/// A snapshot of the installed engines, the registry and the voices. Plugins are scanned and the registry is read at
/// most once, when they are first needed. The store is read each time, because downloads change it. It may be used from
/// any thread.
package final class HostSnapshot: Sendable {
    /// How to obtain information about the plugins.
    package enum Scan: Sendable {
        /// Starts plugins that are not in the scan cache.
        case usual
        /// Starts all plugins.
        case anew
        /// Uses only the scan cache and starts nothing.
        case known
    }
    /// Information from the plugins and registries. It is not needed to speak with a known voice.
    private struct Found {
        let engines: [VoiceEngine]
        /// The default engine according to the registries, whether it is installed or not.
        let first: String?
        /// The engines with a position in the fallback order, sorted.
        let fallbacks: [String]
        /// The gains of built-in voices, by engine.
        let gains: [String: BuiltInGains]

        /// - Parameter notes: the information in the registries. The first entry with a value is used.
        init(_ plugins: [PluginFile], _ notes: [EngineNote]) {
            let first = notes.first(where: \.isFirst)?.id
            self.first = first
            let places = Dictionary(notes.compactMap { note in note.fallback.map { (note.id, $0) } }) { first, _ in
                first
            }
            fallbacks = places.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
            gains = Dictionary(notes.compactMap { note in note.gains.map { (note.id, $0) } }) { first, _ in first }
            let usable = plugins.compactMap(\.engine)
            engines = usable.map { VoiceEngine($0, first: first) }
        }
    }
    private struct State {
        var texts: [RegistryText]?
        var plugins: [PluginFile]?
        var found: Found?
        /// The voices that engines speak without files.
        var builtIn: [Voice]?
        var recognizers: [RecognizerFile]?
        var registry: Result<Registry, RegistryError>?
    }
    package let host: LocalHost
    private let scan: Scan
    private let state = Monitor(State())

    init(_ host: LocalHost, _ scan: Scan) {
        self.host = host
        self.scan = scan
    }

    /// All plugins with their verdicts, in order of precedence. The first access blocks while plugins that are not in
    /// the scan cache are started.
    package var plugins: [PluginFile] { state.update { plugins(&$0) } }

    /// The engines with the properties that the choice of a voice needs.
    var engines: [VoiceEngine] { found.engines }

    /// The default engine if the user has not chosen one, usable or not. nil if no registry names one.
    package var firstEngine: String? { found.first }

    /// The preferred fallback engines, in order.
    var fallbackEngines: [String] { found.fallbacks }

    /// The gains of built-in voices, by engine.
    var builtInGains: [String: BuiltInGains] { found.gains }

    /// The user's own registry takes precedence over the shipped one. An unreadable registry is ignored.
    private static func engineNotes(in texts: [RegistryText]) -> [EngineNote] {
        texts.reversed().flatMap { (try? $0.content.get()).map { Registry.engineNotes(in: $0) } ?? [] }
    }

    private func texts(_ state: inout State) -> [RegistryText] {
        if let texts = state.texts { return texts }
        let texts = RegistryText.all(shipped: host.installation.registry, user: host.ownRegistry)
        state.texts = texts
        return texts
    }

    private func plugins(_ state: inout State) -> [PluginFile] {
        if let plugins = state.plugins { return plugins }
        let plugins = scan == .known ? host.scan.known() : host.scan.run(anew: scan == .anew)
        state.plugins = plugins
        return plugins
    }

    private var builtIn: [Voice] {
        state.update { state in
            if let builtIn = state.builtIn { return builtIn }
            let builtIn = plugins(&state).compactMap(\.engine).flatMap(\.builtInVoices)
            state.builtIn = builtIn
            return builtIn
        }
    }

    private var found: Found {
        state.update { state in
            if let found = state.found { return found }
            let found = Found(plugins(&state), Self.engineNotes(in: texts(&state)))
            state.found = found
            return found
        }
    }

    /// The recognizers in the plugins folders and the files that should be recognizers, one for each ID. The first
    /// access blocks while plugins that are not in the scan cache are started.
    package var recognizers: [RecognizerFile] {
        state.update { state in
            if let found = state.recognizers { return found }
            let found = host.scan.recognizers(anew: scan == .anew)
            state.recognizers = found
            return found
        }
    }

    /// Returns the registry: the shipped one, overridden by the user's own, with the voices that engines declare.
    /// Reading it takes several milliseconds, so speaking with an installed voice avoids it.
    package func registry() throws(RegistryError) -> Registry {
        let plugins = plugins
        return try state.update { state in
            if let registry = state.registry { return registry }
            let registry = host.registry(texts(&state), plugins)
            state.registry = registry
            return registry
        }.get()
    }

    /// The voices that the user has hidden.
    package var hidden: VoiceNames { VoiceNames(host.presets.hidden) }

    /// The voices whose files are complete, whether their engines are installed or not.
    package var installed: [Voice] { host.store.installedVoices().map(\.voice) }

    /// The ready voices: built-in ones and those in the store.
    package var ready: VoiceDirectory {
        VoiceDirectory(
            engines: engines, voices: builtIn + host.store.installedVoices().map(\.voice), hidden: hidden)
    }

    /// Returns all known voices of usable engines, downloaded or not. Starter voices come first.
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

    /// Returns the voices for a short list: complete or partial ones, and starter voices.
    package func shown(of all: VoiceDirectory) -> VoiceDirectory {
        VoiceDirectory(
            engines: all.engines,
            voices: all.voices.filter { voice in
                voice.starter != nil || isBuiltIn(voice) || host.store.diskUse(of: voice) != nil
            }, hidden: all.hidden)
    }

    /// Whether the engine speaks the voice without files.
    package func isBuiltIn(_ voice: Voice) -> Bool { engine(of: voice)?.speaksWithoutFiles(voice) == true }

    /// Returns whether a voice can speak now.
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

    /// Returns the voices of a choice that must be downloaded first. It reads only their records, because it delays the
    /// first audio of an installed voice.
    package func missing(of choice: VoiceChoice) -> [Voice] {
        choice.shares.map(\.voice).filter { voice in
            !isBuiltIn(voice) && host.store.installedVoice(id: voice.id, engine: voice.engine) == nil
        }
    }

    func plugin(of voice: Voice) -> PluginFile? { plugins.first { $0.engine?.id == voice.engine } }

    private func engine(of voice: Voice) -> VoiceEngine? { engines.first { $0.id == voice.engine } }
}
