package import SynthAudio
import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
package import SynthModelStore
import SynthSpeech
package import SynthSystem

/// The speech host on this machine: its installation, folders, plugins and limits. Copies share their engines and
/// downloads.
package struct LocalHost: Sendable {
    let setup: HostSetup
    package var installation: Installation { setup.installation }
    package var folders: UserFolders { setup.folders }
    package let limits: EngineLimits
    package var network: NetworkPolicy { setup.network }
    /// The file in which changes to the defaults are saved.
    var configuration: ConfigurationFile { setup.configuration }
    var lanes: any LaneSource { setup.lanes }
    /// The files that the host reads and that no output may replace.
    package var inUse: FilesInUse { setup.inUse }
    let store: ModelStore
    /// The store's root folder.
    package var modelsFolder: String { store.root }
    /// The user's defaults: the configuration as it was loaded, plus later changes made through this host or its
    /// copies.
    package var presets: Configuration { shared.read { $0 } }
    private let shared: Monitor<Configuration>
    /// The locale's language, or nil if it specifies none.
    private let localeLanguage: String?
    let engines = PluginCache<Engine>()
    let recognizers = PluginCache<Recognizer>()
    private let scans = ScanMemory()
    /// The latest plugin and registry information, along with the identities of the files it was read from.
    private let facts = Monitor<(files: [String: FileIdentity], facts: HostFacts)?>(nil)
    /// Text normalization for all languages, or nil if the language tables are not installed.
    let verbalizers: Verbalizers?
    /// The plugins folders, in order of precedence.
    package let pluginFolders: [String]
    /// The pace that the user specified. It is used instead of a measurement.
    let configuredPace: MachinePace?
    /// The engines' environment, or nil for the variables of this process.
    private let engineEnvironment: [String: String]?
    /// Decodes recordings that libsndfile cannot read.
    package let media: MediaProgram
    /// The properties that determine how engines speak on this host.
    package let identity: HostIdentity

    package init(_ setup: HostSetup) {
        self.setup = setup
        let (installation, folders, environment) = (setup.installation, setup.folders, setup.environment)
        // Existing variables override the configuration, because the user set them deliberately.
        let variables = setup.presets.engineVariables
        engineEnvironment =
            variables.isEmpty
            ? setup.childEnvironment : variables.merging(setup.childEnvironment ?? environment) { $1 }
        identity = setup.identity
        limits = setup.engineLimits
        let starter = setup.starter?.starter
        media = MediaProgram(path: installation.read, environment: setup.childEnvironment, by: starter)
        verbalizers = installation.languages.map { Verbalizers(tables: $0) }
        localeLanguage = LocaleLanguage.tag(environment: environment)
        shared = Monitor(setup.presets)
        store = ModelStore(
            root: "\(folders.data)/models",
            fetcher: FetchProgram(path: installation.fetch, environment: setup.childEnvironment, starter: starter),
            network: setup.network)
        configuredPace = environment["SYNTHHOST_PACE"].flatMap { Double($0) }.flatMap { MachinePace(rate: $0) }
        let named = environment["SYNTHHOST_PLUGINS"]?.split(separator: ":").map(String.init) ?? []
        pluginFolders = setup.extraPluginFolders + named + [folders.plugins] + installation.plugins
        noteFiles()
    }

    /// Registers the files with fixed locations. Other voices and clips are registered as they are found.
    private func noteFiles() {
        inUse.add(path: configuration.path, as: .configuration)
        for path in [lexiconPath, vocabularyPath] { inUse.add(path: path, as: .lexicon) }
        inUse.add(path: store.root, as: .voice)
        for path in [installation.registry, ownRegistry].compactMap(\.self) { inUse.add(path: path, as: .registry) }
        if let tables = installation.languages { inUse.add(path: tables, as: .languageTable) }
        for path in [installation.worker, installation.fetch, Installation.executable] {
            inUse.add(path: path, as: .program)
        }
        inUse.add(as: .engine) { [pluginFolders] in pluginFolders.flatMap(PluginScan.files) }
    }

    package var workerProgram: WorkerProgram {
        var program = WorkerProgram(
            path: installation.worker, logFolder: "\(folders.state)/logs", environment: engineEnvironment,
            readable: [store.root], confinement: limits.confinement)
        program.starter = programStarter
        return program
    }

    /// The variables from which the host selects the environment of engine processes.
    var engineVariables: [String: String] { engineEnvironment ?? ProcessEnvironment().variables }

    /// Starts programs on behalf of this process, or nil if this process starts them itself.
    package var programStarter: ProgramStarter? { setup.starter?.starter }

    /// The user's language (BCP 47), or nil if it is unknown.
    package var language: String? { presets.language ?? localeLanguage }

    /// Changes the voice settings in the configuration file and reloads them.
    func change(_ body: (ConfigurationFile) throws(SpeechError) -> Void) throws(SpeechError) {
        try change(body) { presets, saved in
            presets.profiles = saved.profiles
            presets.favorites = saved.favorites
            presets.hidden = saved.hidden
        }
    }

    /// Makes a voice and its engine the default.
    ///
    /// - Parameter name: the name of a voice, a speaker or a blend of the engine.
    func choose(_ name: String, of engine: String) throws(SpeechError) {
        try changeChoice { file throws(SpeechError) in try file.choose(name, of: engine) }
    }

    func forgetVoice(of engine: String, withEngine: Bool) throws(SpeechError) -> Bool {
        try changeChoice { file throws(SpeechError) in
            try file.forgetVoice(of: engine, withEngine: withEngine)
        }
    }

    private func changeChoice<Value>(
        _ body: (ConfigurationFile) throws(SpeechError) -> Value
    ) throws(SpeechError) -> Value {
        try change(body) { presets, saved in
            presets.engine = saved.engine
            presets.voices = saved.voices
        }
    }

    /// - Parameter take: copies the changed settings from the saved configuration.
    private func change<Value>(
        _ body: (ConfigurationFile) throws(SpeechError) -> Value,
        _ take: (inout Configuration, _ saved: Configuration) -> Void
    ) throws(SpeechError) -> Value {
        // Report an error in the file before writing anything.
        _ = try configuration.load()
        let value = try body(configuration)
        let saved = try configuration.load()
        shared.update { take(&$0, saved) }
        return value
    }

    /// Returns the engines, recognizers and voices as they are now.
    package func snapshot(_ mode: HostSnapshot.Scan = .usual) -> HostSnapshot {
        let files = factFiles
        if mode == .usual, let known = facts.read({ $0 }), known.files == files, !known.facts.hasFailures {
            return HostSnapshot(host: self, facts: known.facts)
        }
        let new = HostFacts(scan, mode, registries: (installation.registry, ownRegistry))
        if mode == .usual { facts.update { $0 = (files, new) } }
        return HostSnapshot(host: self, facts: new)
    }

    /// The identities of all plugin and registry files and of their folders.
    private var factFiles: [String: FileIdentity] {
        let paths = pluginFolders.flatMap { [$0] + PluginScan.files(in: $0) } + [installation.worker, ownRegistry]
        var files: [String: FileIdentity] = [:]
        for path in paths + [installation.registry].compactMap(\.self) { files[path] = FileIdentity(path: path) }
        return files
    }

    var scan: PluginScan {
        PluginScan(
            folders: pluginFolders, program: workerProgram, limits: limits, cacheFolder: caches.scans, memory: scans)
    }

    /// Stops the shared processes of all engines and recognizers, for a program that is about to exit. Pending requests
    /// end. Can be called from any thread; does not block.
    package func abandonEngines() {
        for engine in engines.held { engine.abandon() }
        for recognizer in recognizers.held { recognizer.abandon() }
    }

    /// Statistics for the shared engines and recognizers, sorted by ID.
    package var engineFigures: [EngineFigures] {
        (engines.held.map(\.figures) + recognizers.held.map(\.figures)).sorted {
            ($0.id, $0.plugin) < ($1.id, $1.plugin)
        }
    }

    func engine(_ plugin: PluginFile, onLog: @escaping EngineLog = { _, _ in }) -> Engine? {
        plugin.engine.map {
            Engine(
                file: plugin.path, description: $0, program: workerProgram, limits: limits, allowing: allowed(plugin),
                onLog: onLog)
        }
    }

    var caches: CacheFolders { CacheFolders(root: folders.cache) }

    /// Why the user's cache is not writable, or nil if it is. Without a writable cache, engines must prepare their
    /// models each time.
    package var cacheProblem: FileFailure? { caches.problem }

    /// The path of the user's lexicon, next to the configuration. The file need not exist.
    package var lexiconPath: String { "\(LinkTarget.folder(of: configuration.path))/lexicon.txt" }

    /// The path of the user's vocabulary for recognizers, next to the configuration. The file need not exist.
    package var vocabularyPath: String { "\(LinkTarget.folder(of: configuration.path))/vocabulary.txt" }

    /// The path of the user's own registry. The file need not exist.
    package var ownRegistry: String { "\(folders.data)/models.json" }
}

/// The properties that, besides the voice and the text, determine how an engine speaks. Hosts with equal identities
/// produce the same audio.
package struct HostIdentity: Equatable, Sendable {
    /// One line for each property.
    package let lines: [String]

    package init(lines: [String]) { self.lines = lines }

    /// - Parameters:
    ///   - permissions: the permissions file, or nil for none.
    ///   - environment: the environment of engine processes.
    package init(
        _ installation: Installation, _ folders: UserFolders, _ limits: EngineLimits,
        allowing permissions: String? = nil, environment: [String: String]
    ) {
        func state(of file: String) -> String {
            FileIdentity(path: file)?.numbers.map(String.init).joined(separator: " ") ?? ""
        }
        let variables = environment.filter { variable in
            (variable.key.hasSuffix("_DATA_PATH") || Self.prefixes.contains { variable.key.hasPrefix($0) })
                && !Self.passedOver.contains(variable.key)
        }
        lines =
            [
                "version \(hostVersion)", "worker \(installation.worker) \(state(of: installation.worker))",
                "limits \(limits)",
                "data \(folders.data)", "cache \(folders.cache)", "state \(folders.state)",
                "allowed \(permissions.map(state) ?? "")",
            ] + variables.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// The prefixes of variables that engines, their libraries and the dynamic loader read.
    private static let prefixes = ["SYNTHHOST_", "LD_", "ORT_", "OMP_"]
    /// Variables that affect only the program and not its engines.
    private static let passedOver: Set = [
        "SYNTHHOST_CONFIG", "SYNTHHOST_DEVICE", "SYNTHHOST_ENGINE", "SYNTHHOST_LANGUAGE", "SYNTHHOST_MIRROR",
        "SYNTHHOST_OFFLINE", "SYNTHHOST_PACE", "SYNTHHOST_PITCH", "SYNTHHOST_PLAIN", "SYNTHHOST_PLUGINS",
        "SYNTHHOST_RATE", "SYNTHHOST_VOICE", "SYNTHHOST_VOLUME",
    ]
}
