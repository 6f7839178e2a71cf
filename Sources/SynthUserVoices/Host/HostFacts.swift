import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSystem

/// Information from a host's plugins and registries. Plugins are scanned and registries are read at most once, on first
/// use. Thread-safe.
final class HostFacts: Sendable {
    /// Information that is not needed to speak with a known voice.
    struct Found {
        let engines: [VoiceEngine]
        /// The default engine according to the registries, whether or not it is installed.
        let first: String?
        /// The IDs of the engines, in fallback order.
        let fallbacks: [String]
        let gains: [String: BuiltInGains]

        /// - Parameter notes: the registries' information on engines. If several entries specify the same property, the
        ///   first one takes precedence.
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
        var builtIn: [Voice]?
        var recognizers: [RecognizerFile]?
        var registry: Result<Registry, RegistryError>?
    }
    private let scan: PluginScan
    private let mode: HostSnapshot.Scan
    private let registries: (shipped: String?, own: String)
    private let state = Monitor(State())
    /// Whether a plugin was unusable or a registry was unreadable. Either may become usable even though its file has
    /// not changed, so the next snapshot must read all of this information again.
    private let failed = Monitor(false)

    /// - Parameter registries: the paths of the shipped registry and the user's own.
    init(_ scan: PluginScan, _ mode: HostSnapshot.Scan, registries: (shipped: String?, own: String)) {
        (self.scan, self.mode, self.registries) = (scan, mode, registries)
    }

    var hasFailures: Bool { failed.read { $0 } }

    /// All plugins with the results of their scans, in order of precedence. The first access blocks while plugins that
    /// are not in the scan cache are started.
    var plugins: [PluginFile] { state.update { plugins(&$0) } }

    /// The user's own registry takes precedence over the shipped registry. Unreadable registries are ignored.
    private static func engineNotes(in texts: [RegistryText]) -> [EngineNote] {
        texts.reversed().flatMap { (try? $0.content.get()).map { Registry.engineNotes(in: $0) } ?? [] }
    }

    private func texts(_ state: inout State) -> [RegistryText] {
        if let texts = state.texts { return texts }
        let texts = RegistryText.all(shipped: registries.shipped, user: registries.own)
        state.texts = texts
        if texts.contains(where: { (try? $0.content.get()) == nil }) { failed.update { $0 = true } }
        return texts
    }

    private func plugins(_ state: inout State) -> [PluginFile] {
        if let plugins = state.plugins { return plugins }
        let plugins = mode == .known ? scan.known() : scan.run(anew: mode == .anew)
        state.plugins = plugins
        if plugins.contains(where: { $0.failure != nil }) { failed.update { $0 = true } }
        return plugins
    }

    /// The voices that engines provide without files.
    var builtIn: [Voice] {
        state.update { state in
            if let builtIn = state.builtIn { return builtIn }
            let builtIn = plugins(&state).compactMap(\.engine).flatMap(\.builtInVoices)
            state.builtIn = builtIn
            return builtIn
        }
    }

    var found: Found {
        state.update { state in
            if let found = state.found { return found }
            let found = Found(plugins(&state), Self.engineNotes(in: texts(&state)))
            state.found = found
            return found
        }
    }

    /// The plugin files that are recognizers or failed to load as recognizers, one for each ID. The first access blocks
    /// while plugins that are not in the scan cache are started.
    var recognizers: [RecognizerFile] {
        state.update { state in
            if let found = state.recognizers { return found }
            let found = scan.recognizers(anew: mode == .anew)
            state.recognizers = found
            if found.contains(where: { $0.description == nil }) { failed.update { $0 = true } }
            return found
        }
    }

    /// The shipped registry, overridden by the user's own, with the voices that engines declare. Reading it takes
    /// several milliseconds.
    var registry: Result<Registry, RegistryError> {
        state.update { state in
            if let registry = state.registry { return registry }
            let registry = Result { () throws(RegistryError) in
                var registry = try Registry(texts(&state))
                for engine in plugins(&state).compactMap(\.engine) {
                    registry.add(try engine.declaredVoices(), from: "engine \(engine.id)")
                }
                return registry
            }
            state.registry = registry
            return registry
        }
    }
}
