import ModelStore
import SynthHost
import System
import Terminal
import VoiceCatalogue

/// `synthhost models verify`: checks all downloaded files.
struct ModelsVerifyCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        context.interruption.handle { cancellation.cancel() }
        let library = try VoiceLibrary(context, arguments)
        let names = arguments.positionals
        let voices = names.isEmpty ? library.stored : try library.stored(names)
        let damages = try verify(names.isEmpty ? nil : voices, library.store, cancellation)
        let broken = voices.filter { voice in damages.contains { voice.owns($0) } }
        var repaired: [Voice] = []
        if !arguments[Options.json] {
            for damage in damages { try context.print("\(damage.path): \(damage.reason)") }
        }
        if arguments[Options.repair] { repaired = try repair(broken, library, cancellation) }
        try conclude(voices, broken, repaired, library)
    }

    private func verify(
        _ voices: [Voice]?, _ store: ModelStore, _ cancellation: Cancellation
    ) throws(CommandFailure) -> [Damage] {
        var seen: Set<String> = []
        let entries = voices.map { voices in
            voices.flatMap { [$0.folder, $0.model?.id].compactMap { $0 } }.filter { seen.insert($0).inserted }
        }
        let reporter = context.reporter(json: arguments[Options.json], quiet: arguments[Options.quiet])
        let result = AsyncWork.run(context, cancellation) { () -> Result<[Damage], StoreError> in
            do throws(StoreError) {
                return .success(
                    try await reporter.wait("Checking the files") { () async throws(StoreError) in
                        try await store.verify(entries)
                    })
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let damages): return damages
        case .failure(let error) where error.kind == .cancelled:
            throw CommandFailure(.interrupted, "The check was stopped.", "To check all, run the same command again.")
        case .failure(let error): throw CommandFailure(error)
        }
    }

    private func repair(
        _ voices: [Voice], _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws(CommandFailure) -> [Voice] {
        let download = VoiceDownload(context, arguments, library, cancellation)
        var repaired: [Voice] = []
        for voice in voices {
            guard isFetched(voice, library) else { continue }
            if library.condition(of: voice) != .ready {
                try download.pull(voice, word: library.word(for: voice))
            }
            repaired.append(voice)
        }
        return repaired
    }

    private func conclude(
        _ voices: [Voice], _ broken: [Voice], _ repaired: [Voice], _ library: VoiceLibrary
    ) throws(CommandFailure) {
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
                    ? "No voice is downloaded." : "Whole: \(voices.map(\.title).joined(separator: ", "))")
        }
        guard !rest.isEmpty else { return }
        let own = rest.filter { !isFetched($0, library) }
        var remedies = own.map { voice in
            let word = ShellWord.quoted(library.word(for: voice))
            return "\(voice.title) is your own: add it again with `synthhost models add PATH --id "
                + "\(ShellWord.quoted(voice.id))`, or remove it with `synthhost models remove \(word)`."
        }
        if own.count < rest.count { remedies.append("Type: synthhost models verify --repair") }
        throw CommandFailure(
            .unavailable, "Damaged: \(rest.map(\.title).joined(separator: ", ")).", remedies.joined(separator: "\n"))
    }

    /// Whether its files can be downloaded again; those that the user added cannot.
    private func isFetched(_ voice: Voice, _ library: VoiceLibrary) -> Bool {
        library.registry.voices.contains { $0.folder == voice.folder }
    }
}

extension Voice {
    fileprivate func owns(_ damage: Damage) -> Bool { damage.entry == folder || damage.entry == model?.id }
}
