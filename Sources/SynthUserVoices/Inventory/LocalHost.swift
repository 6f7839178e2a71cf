package import SynthAudio
package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
package import SynthModelStore
package import SynthSpeech
package import SynthSystem

/// This machine as a host of speech: the places of the parts, the plugins, the limits. Copies share their
/// engines and downloads.
package struct LocalHost: Sendable {
    package let installation: Installation
    package let folders: UserFolders
    package let limits: EngineLimits
    package let network: NetworkPolicy
    /// The files of the voices.
    let store: ModelStore
    /// The folder of all voices.
    package var modelsFolder: String { store.root }
    /// What applies if a caller says nothing else: as it was read, and changed through this host or a copy of it since.
    package var presets: Configuration { shared.read { $0 } }
    private let shared: Monitor<Configuration>
    /// Of the locale; nil = it says none.
    private let localeLanguage: String?
    /// Where changes of the presets are kept.
    let configuration: ConfigurationFile
    let engines = PluginCache<Engine>()
    let recognizers = PluginCache<Recognizer>()
    private let scans = ScanMemory()
    let lanes: any LaneSource
    /// nil = their tables are not installed.
    let verbalizers: Verbalizers?
    /// What it reads, which nothing that is written may replace.
    package let inUse: FilesInUse
    /// In the order in which the first engine of an id wins.
    package let pluginFolders: [String]
    /// What the user says of the machine, instead of what would be measured.
    let givenPace: MachinePace?
    /// What engines get; nil = the variables of this process.
    private let engineEnvironment: [String: String]?
    private let starter: EngineStarter?
    /// What decodes the recordings that libsndfile does not read.
    package let media: MediaProgram
    /// What decides how engines speak here.
    package let identity: HostIdentity

    /// - Parameters:
    ///   - childEnvironment: what the programs that it starts get; nil = the variables of this process, to the byte.
    ///   - extraPluginFolders: come before all others.
    ///   - configuration: the file that the presets are from; nil = the one in force in the environment.
    ///   - inUse: gets the files that it reads.
    ///   - starter: starts the programs; nil = this process does.
    ///   - makeLanes: makes where sessions have their lanes from; nil = each has its own.
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
        // Who sets a variable by hand means it.
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

    /// Those that need no search. Voices that lie elsewhere, and clips, are noted when they are found.
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

    /// The variables from which the processes of engines get some.
    var engineVariables: [String: String] { engineEnvironment ?? ProcessEnvironment().variables }

    /// What starts programs for this process; nil = it may do so itself.
    package var programStarter: ProgramStarter? { starter?.starter }

    /// The user's language (BCP-47); nil = not known.
    package var language: String? { presets.language ?? localeLanguage }

    /// Changes what the file says of voices and, once it is saved, reads that anew.
    func change(_ body: (ConfigurationFile) throws(SpeechError) -> Void) throws(SpeechError) {
        try change(body) { presets, saved in
            presets.profiles = saved.profiles
            presets.favourites = saved.favourites
            presets.hidden = saved.hidden
        }
    }

    /// Replaces the profile of a voice.
    ///
    /// - Throws: `notSettable` for a factor out of its range.
    package func tune(_ voice: Voice, to profile: VoiceProfile) throws(SpeechError) {
        try change { file throws(SpeechError) in try file.setProfile(profile, of: voice) }
    }

    /// Puts a voice on a list, or takes it off.
    package func mark(_ voice: Voice, _ list: VoiceList, _ isOn: Bool) throws(SpeechError) {
        try change { file throws(SpeechError) in
            if isOn { try file.add(voice, to: list) } else { try file.remove(voice, from: list) }
        }
    }

    /// Chooses a voice for everything that names none, and its engine with it.
    ///
    /// - Parameter name: what means the voice, a speaker of it, or a blend, among the voices of the engine.
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

    /// - Parameter take: gives the presets what may have changed.
    private func change<Value>(
        _ body: (ConfigurationFile) throws(SpeechError) -> Value,
        _ take: (inout Configuration, _ saved: Configuration) -> Void
    ) throws(SpeechError) -> Value {
        // A mistake in the file is found before anything is written.
        _ = try configuration.current()
        let value = try body(configuration)
        let saved = try configuration.current()
        shared.update { take(&$0, saved) }
        return value
    }

    /// What is here now.
    package func inventory(_ scan: Inventory.Scan = .usual) -> Inventory { Inventory(self, scan) }

    var scan: PluginScan {
        PluginScan(
            folders: pluginFolders, program: workerProgram, limits: limits, cacheFolder: caches.scans, memory: scans)
    }

    /// Ends the processes of all engines and recognizers that others share, for a program that leaves: speeches that wait for
    /// them end. From any thread; waits for nothing.
    package func abandonEngines() {
        for engine in engines.held { engine.abandon() }
        for recognizer in recognizers.held { recognizer.abandon() }
    }

    /// What the engines and recognizers take that others share, in the order of their ids.
    package var engineFigures: [EngineFigures] {
        (engines.held.map(\.figures) + recognizers.held.map(\.figures)).sorted {
            ($0.id, $0.plugin) < ($1.id, $1.plugin)
        }
    }

    /// The engine of a plugin, ready to speak.
    func engine(_ plugin: PluginFile, onLog: @escaping EngineLog = { _, _ in }) -> Engine? {
        plugin.engine.map {
            Engine(
                file: plugin.path, description: $0, program: workerProgram, limits: limits, allowing: allowed(plugin),
                onLog: onLog)
        }
    }

    /// The folders below the user's cache.
    var caches: CacheFolders { CacheFolders(root: folders.cache) }

    /// Why the user's cache takes no files, so that engines prepare their models again each time; nil = it takes them.
    package var cacheProblem: FileFailure? { caches.problem }

    /// The path of the user's own words, beside the configuration, whether it is there or not.
    package var lexiconPath: String { "\(LinkTarget.folder(of: configuration.path))/lexicon.txt" }

    /// The path of the user's own names and terms for recognizers, beside the configuration, whether it is there or not.
    package var vocabularyPath: String { "\(LinkTarget.folder(of: configuration.path))/vocabulary.txt" }

    /// The path of the user's own registry, whether it is there or not.
    package var ownRegistry: String { "\(folders.data)/models.json" }

    /// The registry that came along, the user's own over it, and what engines declare.
    func registry(_ texts: [RegistryText], _ plugins: [PluginFile]) -> Result<Registry, RegistryError> {
        do {
            var registry = try Registry(texts)
            for engine in plugins.compactMap(\.engine) {
                registry.add(try engine.declaredVoices(), from: "engine \(engine.id)")
            }
            // The precision that was chosen is the one that is here: other voices of the model should share it.
            let families = Dictionary(grouping: registry.models, by: \.family).values.filter { $0.count > 1 }
            for models in families { if let model = store.newest(of: models) { registry.prefer(model) } }
            return .success(registry)
        } catch {
            return .failure(error)
        }
    }
}

/// What decides how an engine speaks, beside the voice and the text: two hosts with the same identity speak alike.
package struct HostIdentity: Equatable, Sendable {
    /// A line for each part.
    package let lines: [String]

    package init(lines: [String]) { self.lines = lines }

    /// - Parameters:
    ///   - permissions: the file with what engines are allowed; nil = nobody allows them anything.
    ///   - environment: of the engines' processes.
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

    /// Of the variables that engines, their libraries and the loader look at.
    private static let prefixes = ["SYNTHHOST_", "LD_", "ORT_", "OMP_"]
    /// These are for the program alone.
    private static let passedOver: Set = [
        "SYNTHHOST_CONFIG", "SYNTHHOST_DEVICE", "SYNTHHOST_ENGINE", "SYNTHHOST_LANGUAGE", "SYNTHHOST_MIRROR",
        "SYNTHHOST_OFFLINE", "SYNTHHOST_PACE", "SYNTHHOST_PITCH", "SYNTHHOST_PLAIN", "SYNTHHOST_PLUGINS",
        "SYNTHHOST_RATE", "SYNTHHOST_VOICE", "SYNTHHOST_VOLUME",
    ]
}
