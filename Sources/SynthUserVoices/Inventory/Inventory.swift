package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSpeech
import SynthSystem

/// A snapshot of the installed engines, the registry and the voices. Plugins are scanned and the registry is read at most once, on first
/// use. The store is read each time, because downloads change it. Thread-safe.
package final class Inventory: Sendable {
    /// How to obtain plugin information.
    package enum Scan: Sendable {
        /// Start plugins that are not in the scan cache.
        case usual
        /// Start all plugins.
        case anew
        /// Use only the scan cache and start nothing.
        case known
    }
    /// Information from the plugins and registries, which is not needed to speak with a known voice.
    private struct Found {
        let engines: [VoiceEngine]
        /// The default engine according to the registries, whether or not it is installed.
        let first: String?
        /// The engines that have a position in the fallback order, sorted by it.
        let fallbacks: [String]
        /// The gains of built-in voices, keyed by engine.
        let gains: [String: BuiltInGains]

        /// - Parameter notes: the information in the registries. The first entry that has a value takes precedence.
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
        /// The voices that engines provide without files.
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

    /// All plugins with the results of their scans, in order of precedence. The first access blocks while plugins that are not in the scan
    /// cache are started.
    package var plugins: [PluginFile] { state.update { plugins(&$0) } }

    /// The engines, with the properties needed to choose a voice.
    var engines: [VoiceEngine] { found.engines }

    /// The default engine if the user has not chosen one, whether or not it is usable. nil if no registry names one.
    package var firstEngine: String? { found.first }

    /// The preferred fallback engines, in order.
    var fallbackEngines: [String] { found.fallbacks }

    /// The gains of built-in voices, keyed by engine.
    var builtInGains: [String: BuiltInGains] { found.gains }

    /// The user's own registry takes precedence over the shipped one. Unreadable registries are ignored.
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

    /// The files in the plugins folders that are or should be recognizers, one for each ID. The first access blocks while plugins that are
    /// not in the scan cache are started.
    package var recognizers: [RecognizerFile] {
        state.update { state in
            if let found = state.recognizers { return found }
            let found = host.scan.recognizers(anew: scan == .anew)
            state.recognizers = found
            return found
        }
    }

    /// Returns the shipped registry, overridden by the user's own, together with the voices that engines declare. Reading takes several
    /// milliseconds, so it is avoided when speaking with an installed voice.
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

    /// The voices whose files are complete, whether or not their engines are installed.
    package var installed: [Voice] { host.store.installedVoices().map(\.voice) }

    /// The ready voices: built-in voices and those in the store.
    package var ready: VoiceDirectory {
        VoiceDirectory(
            engines: engines, voices: builtIn + host.store.installedVoices().map(\.voice), hidden: hidden)
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

    /// Returns the voices for the short list: starter voices and those that are at least partly downloaded.
    package func shown(of all: VoiceDirectory) -> VoiceDirectory {
        VoiceDirectory(
            engines: all.engines,
            voices: all.voices.filter { voice in
                voice.starter != nil || condition(of: voice) == .builtIn || host.store.diskUse(of: voice) != nil
            }, hidden: all.hidden)
    }

    /// Returns the condition of a voice.
    package func condition(of voice: Voice) -> VoiceCondition {
        guard let engine = engine(of: voice) else { return .engineMissing(voice.engine) }
        if engine.speaksWithoutFiles(voice) { return .builtIn }
        if host.store.installedVoice(id: voice.id, engine: engine.id) != nil { return .ready }
        if let why = host.store.damage(of: voice) { return .damaged(why) }
        if voice.unsupported != nil { return .unsupported }
        // A voice does not count as partly downloaded if only its shared model is present.
        guard host.store.diskUse(of: voice) != nil else { return .notDownloaded(because: nil) }
        return .notDownloaded(because: host.store.missingReason(of: voice))
    }

    /// Returns the voices of a choice that have yet to be downloaded. It reads only their records, because it delays the first audio of an
    /// installed voice.
    package func missing(of choice: VoiceChoice) -> [Voice] {
        choice.shares.map(\.voice).filter { voice in
            engine(of: voice)?.speaksWithoutFiles(voice) != true
                && host.store.installedVoice(id: voice.id, engine: voice.engine) == nil
        }
    }

    func plugin(of voice: Voice) -> PluginFile? { plugins.first { $0.engine?.id == voice.engine } }

    private func engine(of voice: Voice) -> VoiceEngine? { engines.first { $0.id == voice.engine } }
}

/// The condition of a voice.
package enum VoiceCondition: Equatable, Sendable {
    /// The engine provides the voice without files.
    case builtIn
    case ready
    /// The files must be downloaded. `because` is set if they are damaged or incomplete.
    case notDownloaded(because: String?)
    /// The user's own voice has damaged files.
    case damaged(String)
    /// The voice can be downloaded, but its engine does not support it.
    case unsupported
    /// The voice's engine is not installed.
    case engineMissing(String)

    package var words: String {
        switch self {
        case .builtIn: "built in"
        case .ready: "ready"
        case .notDownloaded(nil): "not downloaded"
        case .notDownloaded(let reason?): "not downloaded: \(reason)"
        case .damaged(let reason): "damaged: \(reason)"
        case .unsupported: "not supported"
        case .engineMissing(let engine): "needs the engine \(engine)"
        }
    }

    package var canSpeak: Bool { self == .builtIn || self == .ready }
}
