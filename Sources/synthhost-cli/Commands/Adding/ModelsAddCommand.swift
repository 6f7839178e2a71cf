import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost models add`: adds the user's own voices or recognizer models, which are copied and tested before they are
/// installed.
struct ModelsAddCommand: Command {
    let context: CommandContext
    private let cancellation = Cancellation()

    func run() throws {
        do {
            try add()
        } catch let error as SpeechError {
            throw failure(error)
        }
    }

    private func add() throws {
        context.interruption.handle { cancellation.cancel() }
        let paths = arguments.positionals
        for path in paths { try check(path) }
        let named = paths.count == 1 ? paths.first.map { OwnFiles.plainName(of: $0) } : nil
        let label = "Adding \(named ?? "\(paths.count) files")"
        let wait = ShownWait(context, label)
        defer { wait.end() }
        let library = try context.library()
        let addition = try VoiceAddition(library)
        defer { addition.discard() }
        cancellation.set { addition.cancel() }
        if !words.describe {
            let known = try addition.known(paths)
            wait.show(label)
            if !known.voices.isEmpty {
                wait.end()
                return try adopt(known, library, cancellation)
            }
        }
        let choice = try addition.takeRecognizer(paths, as: words) { wait.show("Testing \($0.name)") }
        if let choice {
            if cancellation.isRequested { throw Self.interruption }
            _ = try addition.commit()
            wait.end()
            guard !arguments[Options.quiet] else { return }
            return tell(choice)
        }
        let leftOut = try addition.take(paths, as: words) { voice, position, count in
            count == 1
                ? wait.show("Testing \(voice.title)")
                : wait.show("Testing \(count) voices", .fraction(Double(position) / Double(count)))
        }
        wait.show(label)
        let added = cancellation.isRequested ? [] : try addition.commit()
        if cancellation.isRequested { throw Self.interruption }
        LoudnessCheck(
            context: context, inventory: library.inventory, cancellation: cancellation
        ).measure(added, during: wait)
        wait.end()
        guard !arguments[Options.quiet] else { return }
        let now = try context.library()
        if let wanted = words.id, let own = added.first?.id, own != wanted {
            context.printMessage(
                "\(wanted) is already the ID of a registry voice, so your voice was given the ID \(own).")
        }
        for left in leftOut { context.printMessage("Skipped \(left.words): \(left.reason).") }
        if added.count > Self.maximumLines, let first = added.first {
            context.printMessage("\(added.count) voices are ready: \(added.map(\.title).joined(separator: ", ")).")
            let word = ShellWord.quoted(now.word(for: first))
            return context.printMessage("To hear one, type: synthhost speak -v \(word) \"Hello\"")
        }
        for voice in added {
            let word = ShellWord.quoted(now.word(for: voice))
            context.printMessage("\(voice.title) is ready. To hear it, type: synthhost speak -v \(word) \"Hello\"")
        }
    }

    /// The maximum number of voices to report on separate lines.
    private static let maximumLines = 8

    private func tell(_ choice: RecognizerChoice) {
        let model = choice.model
        if let wanted = words.id, model.id != wanted {
            context.printMessage("\(wanted) is already a registry ID, so your model was given the ID \(model.id).")
        }
        guard choice.transcribes else {
            return context.printMessage(
                "\(model.name) is ready. `synthhost listen` now uses it to detect where speech begins and ends.")
        }
        let names = "--recognizer \(model.recognizer) --model \(ShellWord.quoted(model.id))"
        context.printMessage("\(model.name) is ready. To use it, type: synthhost listen \(names)")
    }

    /// The voice properties from the options.
    private var words: AddedVoiceOptions {
        var words = AddedVoiceOptions()
        words.id = arguments[Options.addedID]
        words.name = arguments[Options.addedName]
        words.language = arguments[Options.addedLanguage]
        words.engine = arguments[Options.addedEngine]
        return words
    }

    /// Installs registered voices from the user's files. Missing files are downloaded.
    private func adopt(
        _ known: RegistryMatches, _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws {
        let download = ShownDownload(context: context, library: library, cancellation: cancellation)
        for voice in known.voices {
            if library.isInstalled(voice) {
                download.measure(voice)
            } else {
                try download.pull(voice, offering: known.files)
            }
            guard !arguments[Options.quiet] else { continue }
            context.printMessage("Your voice is identical to \(voice.title) in the registry.")
            let word = ShellWord.quoted(library.word(for: voice))
            context.printMessage("To hear the voice, type: synthhost speak -v \(word) \"Hello\"")
        }
    }

    /// The command line, without the options for the ID and the name.
    private var command: String {
        var words = arguments.positionals
        if let language = arguments[Options.addedLanguage] { words += ["--language", language] }
        if let engine = arguments[Options.addedEngine] { words += ["--engine", engine] }
        return (["synthhost", "models", "add"] + words.map(ShellWord.quoted)).joined(separator: " ")
    }

    private func check(_ path: String) throws {
        let files = OwnFiles(path)
        guard files.exist else {
            throw CommandFailure(.inputMissing, "\(path) does not exist.", "Pass a file, a folder or an archive.")
        }
        guard files.isOrdinary else {
            throw CommandFailure(
                .inputMissing, "\(path) is not a regular file: it is a pipe, a socket or a device.",
                "Pass a file, a folder or an archive.")
        }
    }

    private static let interruption = CommandFailure(
        .interrupted, "Nothing was added.", "To add the files, run the same command again.")

    /// The failure for a problem with the user's files.
    private func failure(_ error: SpeechError) -> CommandFailure {
        if error.code == .cancelled || cancellation.isRequested && error.facts.voice != nil {
            return CommandFailure(
                .interrupted, error.facts.voice.map { "\($0) was not added." } ?? "Nothing was added.",
                "To add the files, run the same command again.")
        }
        // If the file contains several voices, an ID selects one.
        guard case .replaceOwnFile(_, let isShared)? = error.remedy else { return CommandFailure(error) }
        return CommandFailure(
            .unavailable, error.message,
            !isShared
                ? "If the file is incomplete, replace it with a complete one. If it contains several voices, "
                    + "select one: \(command) --id NAME"
                : "Replace the file with a complete one of the correct type, then type: \(command)")
    }
}
