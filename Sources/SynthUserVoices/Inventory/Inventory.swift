package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSpeech
import SynthSystem

/// What is here at a moment: the engines, the registry and the voices. The plugins are scanned once and the registry is
/// read once, each when it is first asked for; what is in the store is looked up anew, because downloads change it. Any
/// thread may use it.
package final class Inventory: Sendable {
    /// How to find out what the plugins are.
    package enum Scan: Sendable {
        /// Asks those that are not known yet.
        case usual
        /// Asks all of them.
        case anew
        /// Goes by what was found out before, and starts nothing.
        case known
    }
    /// What follows from the plugins and the registries. To speak with a voice that is known, nobody needs it.
    private struct Found {
        let engines: [VoiceEngine]
        /// What the registries say, whether that engine is here or not.
        let first: String?
        /// Those of which a place is known, in their order.
        let fallbacks: [String]
        /// How loud that is to be, by engine.
        let gains: [String: BuiltInGains]

        /// - Parameter notes: what the registries say; the first that says something counts.
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
        /// What the engines speak without any file.
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

    /// All plugins with their verdicts, in the order in which the first engine of an id wins. Blocks at its first call
    /// while engines that are not known yet answer.
    package var plugins: [PluginFile] { state.update { plugins(&$0) } }

    /// The same engines, as far as the choice of a voice asks.
    var engines: [VoiceEngine] { found.engines }

    /// The engine that speaks as long as nobody chose another, whether it can be used or not; nil = no registry names one.
    package var firstEngine: String? { found.first }

    /// The engines that speak on when another one fails, before all others.
    var fallbackEngines: [String] { found.fallbacks }

    /// How much louder the voices that engines speak without any file are played, by engine.
    var builtInGains: [String: BuiltInGains] { found.gains }

    /// The user's own registry counts before the shipped one. One that cannot be read says nothing.
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

    /// The files of the plugins folders that recognize speech, or should; of each id the first. Blocks at its first call while
    /// those that are not known yet answer.
    package var recognizers: [RecognizerFile] {
        state.update { state in
            if let found = state.recognizers { return found }
            let found = host.scan.recognizers(anew: scan == .anew)
            state.recognizers = found
            return found
        }
    }

    /// What is known of voices: the registry that came along, the user's own over it, and what engines declare.
    /// Reading it takes some milliseconds, which speaking with an installed voice need not pay.
    package func registry() throws(RegistryError) -> Registry {
        let plugins = plugins
        return try state.update { state in
            if let registry = state.registry { return registry }
            let registry = host.registry(texts(&state), plugins)
            state.registry = registry
            return registry
        }.get()
    }

    /// The voices that the user does not want to see.
    package var hidden: VoiceNames { VoiceNames(host.presets.hidden) }

    /// The voices with all their files, whether their engines are here or not.
    package var installed: [Voice] { host.store.installedVoices().map(\.voice) }

    /// The voices that could speak now: what engines speak without files, and what is in the store.
    package var ready: VoiceDirectory {
        VoiceDirectory(
            engines: engines, voices: builtIn + host.store.installedVoices().map(\.voice), hidden: hidden)
    }

    /// All voices of usable engines that are known, downloaded or not; those that a newcomer is offered come first.
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

    /// What a list shows that is not to be long: what is here, whole or in part, and what a newcomer is offered.
    package func shown(of all: VoiceDirectory) -> VoiceDirectory {
        VoiceDirectory(
            engines: all.engines,
            voices: all.voices.filter { voice in
                voice.starter != nil || condition(of: voice) == .builtIn || host.store.diskUse(of: voice) != nil
            }, hidden: all.hidden)
    }

    /// Whether a voice can speak.
    package func condition(of voice: Voice) -> VoiceCondition {
        guard let engine = engine(of: voice) else { return .engineMissing(voice.engine) }
        if engine.speaksWithoutFiles(voice) { return .builtIn }
        if host.store.installedVoice(id: voice.id, engine: engine.id) != nil { return .ready }
        if let why = host.store.damage(of: voice) { return .damaged(why) }
        if voice.unsupported != nil { return .unsupported }
        // A voice without any bytes of its own is not half here because others left its model.
        guard host.store.diskUse(of: voice) != nil else { return .notDownloaded(because: nil) }
        return .notDownloaded(because: host.store.missingReason(of: voice))
    }

    /// The voices of a choice that must be downloaded first. Reads nothing but their records, because only this stands
    /// between an installed voice and its first sound.
    package func missing(of choice: VoiceChoice) -> [Voice] {
        choice.shares.map(\.voice).filter { voice in
            engine(of: voice)?.speaksWithoutFiles(voice) != true
                && host.store.installedVoice(id: voice.id, engine: voice.engine) == nil
        }
    }

    func plugin(of voice: Voice) -> PluginFile? { plugins.first { $0.engine?.id == voice.engine } }

    private func engine(of voice: Voice) -> VoiceEngine? { engines.first { $0.id == voice.engine } }
}

/// Whether a voice could speak now.
package enum VoiceCondition: Equatable, Sendable {
    /// The engine speaks it without any file.
    case builtIn
    case ready
    /// `because` is set if its files are damaged or incomplete.
    case notDownloaded(because: String?)
    /// It is the user's own, and something is wrong with its files.
    case damaged(String)
    /// It can be downloaded, but its engine cannot speak it.
    case unsupported
    /// Its engine is not installed.
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
