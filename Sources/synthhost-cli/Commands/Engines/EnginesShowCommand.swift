import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost engines show`: shows the details and permissions of an engine or recognizer.
struct EnginesShowCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let host = try context.host(arguments, try context.configuration(arguments))
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
            return try context.print(try JSONText.line(of: EngineResult(plugin, chosen: nil)))
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
            "id: \(engine.id)", "licence: \(engine.licence)", "file: \(plugin.path)",
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

    private func show(_ recognizer: RecognizerListing) throws {
        guard case .usable(let id, let name, let version, let licence) = recognizer.verdict else { return }
        if arguments[Options.json] {
            return try context.print(
                try JSONText.line(
                    of: RecognizerResult(recognizer, id: id, name: name, version: version, licence: licence)))
        }
        let lines = ["\(name) \(version)", "id: \(id)", "licence: \(licence)", "file: \(recognizer.path)"]
        for line in lines + self.lines(of: recognizer.requests) { try context.print(line) }
    }
}

/// A recognizer in `engines show --json`.
private struct RecognizerResult: Encodable {
    let path: String
    let id: String
    let name: String
    let version: String
    let licence: String
    let needs: [EngineResult.NeedResult]
    let variables: [EngineResult.VariableResult]

    init(_ recognizer: RecognizerListing, id: String, name: String, version: String, licence: String) {
        path = recognizer.path
        self.id = id
        self.name = name
        self.version = version
        self.licence = licence
        needs = EngineResult.needs(recognizer.requests)
        variables = EngineResult.variables(recognizer.requests)
    }
}

extension HostSnapshot {
    /// The failure for an ID without a usable engine or recognizer, with the reason.
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
