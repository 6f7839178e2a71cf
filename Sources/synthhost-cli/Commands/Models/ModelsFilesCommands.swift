import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost models verify`: verifies the downloaded files.
struct ModelsVerifyCommand: Command {
    let context: CommandContext

    func run() throws {
        let cancellation = context.cancellation()
        let library = try context.library()
        let names = arguments.positionals
        let voices = names.isEmpty ? library.stored : try library.stored(names)
        let damages = try verify(names.isEmpty ? nil : voices, library, cancellation)
        let broken = voices.filter { voice in damages.contains { $0.belongs(to: voice) } }
        var repaired: [Voice] = []
        if !arguments[Options.json] {
            for damage in damages { try context.print("\(damage.path): \(damage.reason)") }
        }
        if arguments[Options.repair] { repaired = try repair(broken, library, cancellation) }
        try conclude(voices, broken, repaired, library)
    }

    private func verify(
        _ voices: [Voice]?, _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws -> [DamagedFile] {
        let reporter = context.reporter()
        let result = AsyncWork.run(context, cancellation) { () -> Result<[DamagedFile], SpeechError> in
            do throws(SpeechError) {
                return .success(
                    try await reporter.wait("Checking the files") { () async throws(SpeechError) in
                        try await library.verify(voices)
                    })
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let damages): return damages
        case .failure(let problem) where problem.code == .cancelled:
            throw CommandFailure(
                .interrupted, "The check was stopped.", "To check all files, run the same command again.")
        case .failure(let problem): throw CommandFailure(problem)
        }
    }

    private func repair(
        _ voices: [Voice], _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws -> [Voice] {
        let download = ShownDownload(context: context, library: library, cancellation: cancellation)
        var repaired: [Voice] = []
        for voice in voices {
            guard library.isFetched(voice) else { continue }
            if library.state(of: voice) != .ready {
                try download.pull(voice)
            }
            repaired.append(voice)
        }
        return repaired
    }

    private func conclude(
        _ voices: [Voice], _ broken: [Voice], _ repaired: [Voice], _ library: VoiceLibrary
    ) throws {
        let rest = broken.filter { voice in !repaired.contains { $0.folder == voice.folder } }
        if arguments[Options.json] {
            let results = voices.map { voice in
                rest.contains { $0.folder == voice.folder }
                    ? voice.json(state: "failed", "damaged") : voice.json(state: "ready")
            }
            try context.print(json: results)
        } else if broken.isEmpty {
            try context.print(
                voices.isEmpty
                    ? "No voices are downloaded." : "Complete: \(voices.map(\.title).joined(separator: ", "))")
        }
        guard !rest.isEmpty else { return }
        let own = rest.filter { !library.isFetched($0) }
        var remedies = own.map { voice in
            let word = ShellWord.quoted(library.word(for: voice))
            return "\(voice.title) is your own voice: add it again with `synthhost models add PATH --id "
                + "\(ShellWord.quoted(voice.id))`, or remove it with `synthhost models remove \(word)`."
        }
        if own.count < rest.count { remedies.append("Type: synthhost models verify --repair") }
        throw CommandFailure(
            .unavailable, "Damaged: \(rest.map(\.title).joined(separator: ", ")).", remedies.joined(separator: "\n"))
    }
}

/// `synthhost models path`: prints the paths of the voice folders.
struct ModelsPathCommand: Command {
    let context: CommandContext

    func run() throws {
        guard let name = arguments.positionals.first else {
            let host = try context.host(try context.configuration())
            return try context.print(data: host.snapshot().host.modelsFolder)
        }
        let library = try context.library()
        let voices = try library.stored([name])
        for voice in voices {
            guard let folder = library.folder(of: voice) else {
                throw CommandFailure(
                    .unavailable, "\(voice.title) is \(library.stateWords(of: voice)).",
                    "Type: synthhost models pull \(ShellWord.quoted(library.word(for: voice)))")
            }
            try context.print(data: folder)
        }
    }
}

/// `synthhost models remove`: removes downloaded voices.
struct ModelsRemoveCommand: Command {
    let context: CommandContext

    func run() throws {
        let library = try context.library()
        let models = library.inventory.installedRecognizerModels.filter { arguments.positionals.contains($0.id) }
        let names = arguments.positionals.filter { name in models.allSatisfy { $0.id != name } }
        // Check all names before removing anything.
        let voices = names.isEmpty ? [] : try library.stored(names, takesBest: false)
        for model in models {
            let removal = try library.inventory.remove(model)
            context.printNote("Removed \(model.name): \(ByteCount.words(removal.freed)) was freed.")
            for path in removal.foreign { context.printNote("Kept \(path): \(PruneCandidate.Reason.notOurs.words).") }
        }
        for voice in voices { tell(try library.remove(voice), of: voice) }
    }

    private func tell(_ removal: VoiceRemoval, of voice: Voice) {
        context.printNote("Removed \(voice.title): \(ByteCount.words(removal.freed)) was freed.")
        for path in removal.foreign { context.printNote("Kept \(path): \(PruneCandidate.Reason.notOurs.words).") }
        guard removal.wasChosen else { return }
        context.printNote("\(voice.title) was the chosen voice for \(voice.engine), which now has no chosen voice.")
        if removal.lostEngine {
            context.printNote("\(voice.engine) has no other voice, so it is no longer the chosen engine.")
        }
    }
}
