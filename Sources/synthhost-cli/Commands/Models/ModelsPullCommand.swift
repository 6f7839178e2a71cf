import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem

/// `synthhost models pull`: downloads any recognizer models, and then the voices, one at a time. If the download of a
/// voice fails, the remaining voices are still downloaded.
struct ModelsPullCommand: Command {
    let context: CommandContext

    func run() throws {
        let cancellation = context.cancellation()
        let library = try context.library()
        // Check all names first, so that a typo is reported before a long download starts.
        var voices: [Voice] = []
        let models = try recognizerModelEntries(library)
        for name in arguments.positionals where models.allSatisfy({ $0.id != name }) {
            var voice = try library.voice(name)
            if let precision = arguments[Options.precision] { voice = try library.voice(voice, precision: precision) }
            if !voices.contains(where: { $0.folder == voice.folder }) { voices.append(voice) }
        }
        var results: [JSONMembers] = []
        let download = RecognizerDownload(context: context, inventory: library.inventory, cancellation: cancellation)
        for model in models {
            try download.pull(model)
            results.append(["engine": model.recognizer, "id": model.id, "state": "ready"])
        }
        if !voices.isEmpty || models.isEmpty { return try pull(voices, after: results, library, cancellation) }
        if arguments[Options.json] { try context.print(json: results) }
    }

    /// Returns the recognizer models that the arguments name.
    private func recognizerModelEntries(_ library: VoiceLibrary) throws -> [RecognizerModelEntry] {
        // Look in the registry first, because a registered model can be downloaded even if its recognizer is not installed.
        let registered = try library.inventory.registry().recognizerModelEntries
        let rest = arguments.positionals.contains { name in registered.allSatisfy { $0.id != name } }
        let known = registered + (rest ? ((try? library.inventory.recognizerChoices()) ?? []).map(\.model) : [])
        return arguments.positionals.compactMap { name in known.first { $0.id == name } }
    }

    /// - Parameter models: the results for recognizer models.
    private func pull(
        _ voices: [Voice], after models: [JSONMembers], _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws {
        let download = ShownDownload(context: context, library: library, cancellation: cancellation)
        var results = models
        var failures: [CommandFailure] = []
        for (position, voice) in voices.enumerated() {
            do {
                try pull(voice, library, download)
                results.append(voice.json(state: "ready"))
            } catch {
                let failure = CommandFailure(error)
                if failure.code == .interrupted { throw interruption(failure, voices[position...], library) }
                results.append(voice.json(state: "failed", failure.message))
                failures.append(failure)
                context.report(failure)
            }
        }
        if failures.isEmpty, arguments[Options.precision] != nil {
            try PrecisionChange(library: library, download: download).follow(voices).forEach(printMessage)
        }
        if arguments[Options.json] { try context.print(json: results) }
        if let first = failures.first { throw CommandFailure(first.code, nil) }
    }

    private func pull(_ voice: Voice, _ library: VoiceLibrary, _ download: ShownDownload) throws {
        switch library.state(of: voice) {
        case .ready where library.isBuiltIn(voice):
            printMessage("\(voice.title) is built into \(voice.engine) and does not need to be downloaded.")
        case .ready where library.isInstalled(voice):
            download.measure(voice)
            printMessage("\(voice.title) is already installed.")
        case .unusable(let error) where error.code == .voiceDamaged: throw CommandFailure(error)
        default: try download.pull(voice)
        }
    }

    private func interruption(
        _ failure: CommandFailure, _ rest: ArraySlice<Voice>, _ library: VoiceLibrary
    ) -> CommandFailure {
        let words = rest.map { ShellWord.quoted(library.word(for: $0)) }.joined(separator: " ")
        return CommandFailure(
            .interrupted, failure.message,
            "To continue, type: synthhost models pull \(words)\(PrecisionChange.words(arguments))")
    }

    private func printMessage(_ line: String) {
        if !arguments[Options.quiet], !arguments[Options.json] { context.printMessage(line) }
    }
}

extension Voice {
    /// A voice in `models pull --json` and `models verify --json`. The state is "ready" or "failed".
    func json(state: String, _ reason: String? = nil) -> JSONMembers {
        ["engine": engine, "id": id, "state": state, "reason": reason]
    }
}
