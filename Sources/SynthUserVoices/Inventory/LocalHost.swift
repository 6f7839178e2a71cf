package import SynthAudio
package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
package import SynthModelStore
package import SynthSpeech
package import SynthSystem

/// The speech host on this machine: its installation, folders, plugins and limits. Copies share their engines and downloads.
package struct LocalHost: Sendable {
    package let installation: Installation
    package let folders: UserFolders
    package let limits: EngineLimits
    package let network: NetworkPolicy
    /// The store of voice files.
    let store: ModelStore
    /// The folder of that store.
    package var modelsFolder: String { store.root }
    /// The user's defaults: the configuration as it was read, including later changes through this host or its copies.
    package var presets: Configuration { shared.read { $0 } }
    private let shared: Monitor<Configuration>
    /// The locale's language, or nil if it specifies none.
    private let localeLanguage: String?
    /// The file to which changes of the defaults are saved.
    let configuration: ConfigurationFile
    let engines = PluginCache<Engine>()
    let recognizers = PluginCache<Recognizer>()
    private let scans = ScanMemory()
    let lanes: any LaneSource
    /// Text normalization for all languages, or nil if the language tables are not installed.
    let verbalizers: Verbalizers?
    /// The files that the host reads and that no output may overwrite.
    package let inUse: FilesInUse
    /// The plugins folders, in order of precedence.
    package let pluginFolders: [String]
    /// The pace given by the user, which replaces a measurement.
    let givenPace: MachinePace?
    /// The engines' environment, or nil for the variables of this process.
    private let engineEnvironment: [String: String]?
    private let starter: EngineStarter?
    /// Decodes recordings that libsndfile cannot read.
    package let media: MediaProgram
    /// The properties that determine how engines speak on this host.
    package let identity: HostIdentity

    /// - Parameters:
    ///   - childEnvironment: the environment of child processes, or nil for the variables of this process.
    ///   - extraPluginFolders: additional plugins folders that take precedence over all others.
    ///   - configuration: the configuration file, or nil for the one that the environment selects.
    ///   - inUse: receives the files that the host reads.
    ///   - starter: starts child processes, or nil if this process starts them itself.
    ///   - makeLanes: creates the source of lanes for sessions, or nil for separate lanes in each session.
    package init(
        installation: Installation, folders: UserFolders, environment: [String: String],
        childEnvironment: [String: String]? = nil, extraPluginFolders: [String] = [],
        limits: EngineLimits = EngineLimits(),
        network: NetworkPolicy = NetworkPolicy(), presets: Configuration = Configuration(),
        configuration: ConfigurationFile? = nil, inUse: FilesInUse = FilesInUse(),
        starter: EngineStarter? = nil, lanes makeLanes: ((HostIdentity) -> any LaneSource)? = nil
    ) {
        var limits = limits
        if let starter { limits.confinement = starter.confinement }
        let configuration = configuration ?? ConfigurationFile.inForce(environment: { environment[$0] })
        self.configuration = configuration
        // Existing variables override the configuration: the user set them deliberately.
        let variables = presets.engineVariables
        engineEnvironment =
            variables.isEmpty ? childEnvironment : variables.merging(childEnvironment ?? environment) { $1 }
        identity = HostIdentity(
            installation, folders, limits, allowing: EnginePermissions.path(beside: configuration.path),
            environment: variables.merging(environment) { $1 })
        lanes = makeLanes?(identity) ?? OwnLanes()
        self.installation = installation
        media = MediaProgram(path: installation.read, environment: childEnvironment, by: starter?.starter)
        verbalizers = installation.languages.map { Verbalizers(tables: $0) }
        self.folders = folders
        localeLanguage = LocaleLanguage.tag(environment: environment)
        self.limits = limits
        self.network = network
        shared = Monitor(presets)
        store = ModelStore(
            root: "\(folders.data)/models",
            fetcher: FetchProgram(path: installation.fetch, environment: childEnvironment, starter: starter?.starter),
            network: network)
        self.starter = starter
        givenPace = environment["SYNTHHOST_PACE"].flatMap { Double($0) }.flatMap { MachinePace(rate: $0) }
        let named = environment["SYNTHHOST_PLUGINS"]?.split(separator: ":").map(String.init) ?? []
        pluginFolders = extraPluginFolders + named + [folders.plugins] + installation.plugins
        self.inUse = inUse
        noteFiles()
    }

    /// Registers the files at fixed locations. Other voices and clips are registered when they are found.
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
        program.starter = starter?.starter
        return program
    }

    /// The variables from which those for engine processes are selected.
    var engineVariables: [String: String] { engineEnvironment ?? ProcessEnvironment().variables }

    /// Starts programs on behalf of this process, or nil if this process starts them itself.
    package var programStarter: ProgramStarter? { starter?.starter }

    /// The user's language (BCP 47), or nil if it is unknown.
    package var language: String? { presets.language ?? localeLanguage }

    /// Changes the voice settings in the configuration file and reloads them.
    func change(_ body: (ConfigurationFile) throws(SpeechError) -> Void) throws(SpeechError) {
        try change(body) { presets, saved in
            presets.profiles = saved.profiles
            presets.favourites = saved.favourites
            presets.hidden = saved.hidden
        }
    }

    /// Replaces a voice's profile.
    ///
    /// - Throws: `notSettable` if a factor is out of range.
    package func tune(_ voice: Voice, to profile: VoiceProfile) throws(SpeechError) {
        try change { file throws(SpeechError) in try file.setProfile(profile, of: voice) }
    }

    /// Adds a voice to a list or removes it from the list.
    package func mark(_ voice: Voice, _ list: VoiceList, _ isOn: Bool) throws(SpeechError) {
        try change { file throws(SpeechError) in
            if isOn { try file.add(voice, to: list) } else { try file.remove(voice, from: list) }
        }
    }

    /// Makes a voice and its engine the default.
    ///
    /// - Parameter name: the name of a voice, a speaker or a blend of the engine.
    package func choose(_ name: String, of engine: String) throws(SpeechError) {
        try changeChoice { file throws(SpeechError) in try file.choose(name, of: engine) }
    }

    /// See `ConfigurationFile.forgetVoice`.
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
        _ = try configuration.current()
        let value = try body(configuration)
        let saved = try configuration.current()
        shared.update { take(&$0, saved) }
        return value
    }

    /// Returns the current inventory.
    package func inventory(_ scan: Inventory.Scan = .usual) -> Inventory { Inventory(self, scan) }

    var scan: PluginScan {
        PluginScan(
            folders: pluginFolders, program: workerProgram, limits: limits, cacheFolder: caches.scans, memory: scans)
    }

    /// Stops the shared processes of all engines and recognizers, for a program that is about to exit. Pending speech ends. Can be called
    /// from any thread; does not wait.
    package func abandonEngines() {
        for engine in engines.held { engine.abandon() }
        for recognizer in recognizers.held { recognizer.abandon() }
    }

    /// Statistics of the shared engines and recognizers, sorted by ID.
    package var engineFigures: [EngineFigures] {
        (engines.held.map(\.figures) + recognizers.held.map(\.figures)).sorted {
            ($0.id, $0.plugin) < ($1.id, $1.plugin)
        }
    }

    /// Creates the engine of a plugin.
    func engine(_ plugin: PluginFile, onLog: @escaping EngineLog = { _, _ in }) -> Engine? {
        plugin.engine.map {
            Engine(
                file: plugin.path, description: $0, program: workerProgram, limits: limits, allowing: allowed(plugin),
                onLog: onLog)
        }
    }

    /// The folders in the user's cache.
    var caches: CacheFolders { CacheFolders(root: folders.cache) }

    /// Why the user's cache is not writable, in which case engines must prepare their models each time. nil if it is writable.
    package var cacheProblem: FileFailure? { caches.problem }

    /// The path of the user's lexicon next to the configuration. The file need not exist.
    package var lexiconPath: String { "\(LinkTarget.folder(of: configuration.path))/lexicon.txt" }

    /// The path of the user's vocabulary for recognizers, next to the configuration. The file need not exist.
    package var vocabularyPath: String { "\(LinkTarget.folder(of: configuration.path))/vocabulary.txt" }

    /// The path of the user's own registry. The file need not exist.
    package var ownRegistry: String { "\(folders.data)/models.json" }

    /// Reads the shipped registry, overridden by the user's own, and adds the voices that engines declare.
    func registry(_ texts: [RegistryText], _ plugins: [PluginFile]) -> Result<Registry, RegistryError> {
        do {
            var registry = try Registry(texts)
            for engine in plugins.compactMap(\.engine) {
                registry.add(try engine.declaredVoices(), from: "engine \(engine.id)")
            }
            // If a model exists in several precisions, all its voices use the newest installed one, so that they share it.
            let families = Dictionary(grouping: registry.models, by: \.family).values.filter { $0.count > 1 }
            for models in families { if let model = store.newest(of: models) { registry.prefer(model) } }
            return .success(registry)
        } catch {
            return .failure(error)
        }
    }
}

/// The properties, apart from the voice and the text, that determine how an engine speaks. Hosts with equal identities produce the same
/// audio.
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
