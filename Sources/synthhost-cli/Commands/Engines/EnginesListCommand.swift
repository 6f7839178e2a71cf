import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost engines list`: lists the files in the plugins folders with their states.
struct EnginesListCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, configuration)
        let inventory = host.snapshot(arguments[Options.rescan] ? .anew : .usual)
        let plugins = inventory.listings
        let query = VoiceQuery(preferredEngine: configuration.engine)
        let isBroken = inventory.failure(ofEngineSelectedBy: query) != nil
        let chosen = isBroken ? nil : inventory.engine(selectedBy: query)
        if arguments[Options.json] {
            return try context.print(try JSONText.line(of: plugins.map { EngineResult($0, chosen: chosen) }))
        }
        guard !plugins.isEmpty else {
            throw CommandFailure(
                .unavailable, "No engine is installed in \(inventory.host.pluginFolders.joined(separator: ", ")).",
                "Put an engine's .so file into \(inventory.host.folders.plugins).")
        }
        let registry: Result<Registry, RegistryError>
        do {
            registry = .success(try inventory.registry())
        } catch {
            registry = .failure(error)
        }
        let counts = VoiceCounts(inventory.all(in: (try? registry.get()) ?? Registry()), inventory)
        for plugin in plugins {
            for line in paragraph(plugin, chosen: chosen, counts) { try context.print(line) }
        }
        switch registry {
        case .failure(let error): throw CommandFailure(error)
        case .success(let registry):
            for id in Set(registry.voices.map(\.engine)).sorted() where plugins.allSatisfy({ !$0.isOf(id) }) {
                for line in absence(of: id, registry, inventory.host.folders) { try context.print(line) }
            }
        }
    }

    private func absence(of id: String, _ registry: Registry, _ folders: UserFolders) -> [String] {
        let count = registry.voices.count { $0.engine == id }
        let remedy = registry.remedies[id] ?? "Put its .so file into \(folders.plugins)."
        return [
            "- \(id)  not installed; \(count == 1 ? "a voice" : "\(count) voices") to download \(count == 1 ? "needs" : "need") it",
            "    \(remedy)",
        ]
    }

    private func paragraph(_ plugin: EngineListing, chosen: String?, _ counts: VoiceCounts) -> [String] {
        switch plugin.verdict {
        case .usable(let engine):
            let mark = engine.id == chosen ? "*" : " "
            let voices = counts.voices(of: engine.id)
            return [
                "\(mark) \(engine.id)  \(engine.name) \(engine.version), \(engine.licence), \(voices)",
                "    \(plugin.path)",
            ] + (plugin.requests?.lines ?? []).map { "    \($0)" } + plugin.unusableVoices.map { "    \($0.message)" }
        case .shadowed(let engine, let owner):
            return ["- \(engine.id)  not used: \(owner) takes precedence", "    \(plugin.path)"]
        case .unusable(let failure):
            return ["! \(SpeechError(failure).message)", "    \(SpeechError(failure).nextStep)"]
        }
    }
}

/// Counts the voices of engines by state.
struct VoiceCounts {
    private let directory: VoiceDirectory
    private let inventory: HostSnapshot

    init(_ directory: VoiceDirectory, _ inventory: HostSnapshot) {
        self.directory = directory
        self.inventory = inventory
    }

    /// The counts as text, such as "131 voices" or "2 voices ready, 165 to download".
    func voices(of engine: String) -> String {
        var (builtIn, ready, toDownload) = (0, 0, 0)
        for voice in directory.voices where voice.engine == engine {
            switch inventory.state(of: voice) {
            case .ready where inventory.isBuiltIn(voice): builtIn += 1
            case .ready: ready += 1
            case .notDownloaded: toDownload += 1
            default: break
            }
        }
        let parts = [
            builtIn > 0 ? Self.count(builtIn) : nil, ready > 0 ? "\(Self.count(ready)) ready" : nil,
            toDownload > 0 ? "\(Self.count(toDownload)) to download" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "no voices" : parts.joined(separator: ", ")
    }

    private static func count(_ count: Int) -> String { count == 1 ? "1 voice" : "\(count) voices" }
}

/// A plugin in `engines list --json`.
struct EngineResult: Encodable {
    let path: String
    /// "usable", "shadowed" or "unusable".
    let verdict: String
    let id: String?
    let name: String?
    let version: String?
    let licence: String?
    let voices: Int?
    let reason: String?
    let chosen: Bool
    let needs: [NeedResult]
    let variables: [VariableResult]

    struct NeedResult: Encodable {
        /// "network", "executable-memory", "device" or "folder".
        let kind: String
        let path: String?
        let reason: String
        let allowed: Bool
    }

    /// A requested environment variable.
    struct VariableResult: Encodable {
        let name: String
        /// Whether the user allows it.
        let allowed: Bool
        /// Whether the process gets the variable if it is set.
        let passed: Bool
        let set: Bool
    }

    static func needs(_ requests: PluginRequests?) -> [NeedResult] {
        (requests?.needs ?? []).map { need in
            NeedResult(kind: need.name, path: need.path, reason: need.reason, allowed: need.isAllowed)
        }
    }

    static func variables(_ requests: PluginRequests?) -> [VariableResult] {
        (requests?.variables ?? []).map { variable in
            VariableResult(
                name: variable.name, allowed: variable.isAllowed, passed: variable.isAllowed || variable.isHarmless,
                set: variable.isSet)
        }
    }

    init(_ plugin: EngineListing, chosen: String?) {
        path = plugin.path
        needs = Self.needs(plugin.requests)
        variables = Self.variables(plugin.requests)
        switch plugin.verdict {
        case .usable(let engine), .shadowed(let engine, _):
            id = engine.id
            name = engine.name
            version = engine.version
            licence = engine.licence
            voices = engine.voiceCount
        case .unusable:
            (id, name, version, licence, voices) = (nil, nil, nil, nil, nil)
        }
        switch plugin.verdict {
        case .usable: (verdict, reason) = ("usable", nil)
        case .shadowed(_, let owner): (verdict, reason) = ("shadowed", "\(owner) takes precedence")
        case .unusable(let failure): (verdict, reason) = ("unusable", SpeechError(failure).message)
        }
        self.chosen = plugin.engine.map { $0.id == chosen } ?? false
    }
}
