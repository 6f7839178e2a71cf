import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost models verify`: verifies the downloaded files.
struct ModelsVerifyCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let cancellation = Cancellation()
        context.interruption.handle { cancellation.cancel() }
        let library = try context.library(arguments)
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
        let reporter = context.reporter(json: arguments[Options.json], quiet: arguments[Options.quiet])
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
        let download = ShownDownload(context, arguments, library, cancellation)
        var repaired: [Voice] = []
        for voice in voices {
            guard library.isFetched(voice) else { continue }
            if library.condition(of: voice) != .ready {
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
            try context.print(
                try JSONText.line(
                    of: voices.map { voice in
                        let isDamaged = rest.contains { $0.folder == voice.folder }
                        return PullResult(
                            engine: voice.engine, id: voice.id, state: isDamaged ? "failed" : "ready",
                            reason: isDamaged ? "damaged" : nil)
                    }))
        } else if broken.isEmpty {
            try context.print(
                voices.isEmpty
                    ? "No voice is downloaded." : "Complete: \(voices.map(\.title).joined(separator: ", "))")
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
