import SynthCatalogue
import SynthCommandSyntax
import SynthEngineWire
import SynthHost
import SynthTerminal

/// `synthhost engines list`: lists the files in the plugins folders with their states.
struct EnginesListCommand: Command {
    let context: CommandContext

    func run() throws {
        let configuration = try context.configuration()
        let host = try context.host(configuration)
        let inventory = host.snapshot(arguments[Options.rescan] ? .anew : .usual)
        let plugins = inventory.listings
        let query = VoiceQuery(preferredEngine: configuration.engine)
        let isBroken = inventory.failure(ofEngineSelectedBy: query) != nil
        let chosen = isBroken ? nil : inventory.engine(selectedBy: query)
        if arguments[Options.json] {
            return try context.print(json: plugins.map { $0.json(chosen: chosen) })
        }
        guard !plugins.isEmpty else {
            throw CommandFailure(
                .unavailable, "No engines are installed in \(inventory.host.pluginFolders.joined(separator: ", ")).",
                "Put an engine's .so file in \(inventory.host.folders.plugins).")
        }
        let registry = Result { () throws(RegistryError) in try inventory.registry() }
        let voices = inventory.all(in: (try? registry.get()) ?? Registry()).voices
        for plugin in plugins {
            for line in paragraph(plugin, chosen: chosen, voices, inventory) { try context.print(line) }
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
        let remedy = registry.remedies[id] ?? "Put the engine's .so file in \(folders.plugins)."
        return [
            "- \(id)  not installed; needed by \(count == 1 ? "a downloadable voice" : "\(count) downloadable voices")",
            "    \(remedy)",
        ]
    }

    private func paragraph(
        _ plugin: EngineListing, chosen: String?, _ voices: [Voice], _ inventory: HostSnapshot
    ) -> [String] {
        switch plugin.verdict {
        case .usable(let engine):
            let mark = engine.id == chosen ? "*" : " "
            let counts = Self.counts(voices.filter { $0.engine == engine.id }, inventory)
            return [
                "\(mark) \(engine.id)  \(engine.name) \(engine.version), \(engine.license), \(counts)",
                "    \(plugin.path)",
            ] + (plugin.requests?.lines ?? []).map { "    \($0)" } + plugin.unusableVoices.map { "    \($0.message)" }
        case .shadowed(let engine, let owner):
            return ["- \(engine.id)  not used: \(owner) takes precedence", "    \(plugin.path)"]
        case .unusable(let failure):
            return ["! \(SpeechError(failure).message)", "    \(SpeechError(failure).nextStep)"]
        }
    }

    /// The number of voices by state, such as "131 voices" or "2 voices ready, 165 to download".
    private static func counts(_ voices: [Voice], _ inventory: HostSnapshot) -> String {
        func count(_ count: Int) -> String { count == 1 ? "1 voice" : "\(count) voices" }
        var (builtIn, ready, toDownload) = (0, 0, 0)
        for voice in voices {
            switch inventory.state(of: voice) {
            case .ready where inventory.isBuiltIn(voice): builtIn += 1
            case .ready: ready += 1
            case .notDownloaded: toDownload += 1
            default: break
            }
        }
        let parts = [
            builtIn > 0 ? count(builtIn) : nil, ready > 0 ? "\(count(ready)) ready" : nil,
            toDownload > 0 ? "\(count(toDownload)) to download" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "no voices" : parts.joined(separator: ", ")
    }
}

extension EngineListing {
    /// A plugin in `engines list --json`. The verdict is "usable", "shadowed" or "unusable".
    fileprivate func json(chosen: String?) -> JSONMembers {
        let known: SpeechEngine?
        let (word, reason): (String, String?)
        switch verdict {
        case .usable(let engine): (known, word, reason) = (engine, "usable", nil)
        case .shadowed(let engine, let owner): (known, word, reason) = (engine, "shadowed", "\(owner) takes precedence")
        case .unusable(let failure): (known, word, reason) = (nil, "unusable", SpeechError(failure).message)
        }
        return [
            "path": path, "verdict": word, "reason": reason, "id": known?.id, "name": known?.name,
            "version": known?.version, "license": known?.license, "voices": known?.voiceCount,
            "chosen": engine.map { $0.id == chosen } ?? false, "needs": requests.needsJSON,
            "variables": requests.variablesJSON,
        ]
    }
}

extension PluginRequests? {
    fileprivate var needsJSON: [JSONMembers] {
        (self?.needs ?? []).map { need in
            ["kind": need.name, "path": need.path, "reason": need.reason, "allowed": need.isAllowed]
        }
    }

    /// The requested environment variables. The plugin's process receives harmless variables even if the user has not
    /// allowed them.
    fileprivate var variablesJSON: [JSONMembers] {
        (self?.variables ?? []).map { variable in
            [
                "name": variable.name, "allowed": variable.isAllowed,
                "passed": variable.isAllowed || variable.isHarmless, "set": variable.isSet,
            ]
        }
    }
}

/// `synthhost engines show`: shows the details and permissions of an engine or recognizer.
struct EnginesShowCommand: Command {
    let context: CommandContext

    func run() throws {
        let host = try context.host(try context.configuration())
        let inventory = host.snapshot()
        let name = arguments.positionals[0]
        let requests = inventory.requests(of: name)
        let path = requests.first { !$0.isRecognizer }?.path
        guard let plugin = inventory.listings.first(where: { $0.path == path }), let engine = plugin.engine else {
            let path = requests.first { $0.isRecognizer }?.path
            guard let recognizer = inventory.recognizerListings.first(where: { $0.path == path }) else {
                throw inventory.absence(of: name)
            }
            return try show(recognizer)
        }
        if arguments[Options.json] {
            return try context.print(json: plugin.json(chosen: nil))
        }
        for line in lines(of: engine, plugin) { try context.print(line) }
    }

    private func lines(of engine: SpeechEngine, _ plugin: EngineListing) -> [String] {
        let abilities = [
            engine.timesWords ? "reports word timings" : nil,
            engine.timesPhonemes ? "reports its phonemes" : nil, engine.speaksPhonemes ? "speaks phonemes" : nil,
            engine.variesReadings ? "varies its readings" : nil,
            engine.shapesPitch ? "changes the pitch within a sentence" : nil, engine.whispers ? "whispers" : nil,
        ].compactMap(\.self)
        let files = engine.roles.map { $0.name + ($0.isOptional ? " (optional)" : "") }
        return [
            "\(engine.name) \(engine.version)",
            "id: \(engine.id)", "license: \(engine.license)", "file: \(plugin.path)",
            "built-in voices: \(engine.voiceCount)",
            "files of a voice: \(files.isEmpty ? "none" : files.joined(separator: ", "))",
        ] + (abilities.isEmpty ? [] : ["abilities: \(abilities.joined(separator: ", "))"])
            + lines(of: plugin.requests)
    }

    private func lines(of requests: PluginRequests?) -> [String] {
        guard let requests else { return [] }
        let needs = requests.needs.map { "requests: \($0.words)" } + (requests.allowRemedy.map { ["    \($0)"] } ?? [])
        let variables = requests.variables.flatMap { variable in
            ["requests: \(variable.words)"] + (variable.isWithheld ? ["    \(requests.remedy(for: variable))"] : [])
        }
        return (requests.needs.isEmpty ? ["requests: no permissions beyond those that every engine has"] : needs)
            + variables
    }

    private func show(_ listing: RecognizerListing) throws {
        guard let recognizer = try? listing.verdict.get() else { return }
        if arguments[Options.json] {
            let result: JSONMembers = [
                "path": listing.path, "id": recognizer.id, "name": recognizer.name, "version": recognizer.version,
                "license": recognizer.license, "needs": listing.requests.needsJSON,
                "variables": listing.requests.variablesJSON,
            ]
            return try context.print(json: result)
        }
        let lines = [
            "\(recognizer.name) \(recognizer.version)", "id: \(recognizer.id)", "license: \(recognizer.license)",
            "file: \(listing.path)",
        ]
        for line in lines + self.lines(of: listing.requests) { try context.print(line) }
    }
}

extension HostSnapshot {
    /// The failure for an ID that has no usable engine or recognizer, with the reason.
    func absence(of id: String) -> CommandFailure {
        for listing in listings where listing.isOf(id) {
            if case .unusable(let failure) = listing.verdict {
                return CommandFailure(failure).with(.engineCrashed)
            }
        }
        return CommandFailure(
            .unavailable, "No engine is called \"\(id)\".", "`synthhost engines list` shows the installed engines.")
    }
}
