import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem

/// `synthhost models path`: prints the paths of the voice folders.
struct ModelsPathCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        guard let name = arguments.positionals.first else {
            let host = try context.host(arguments, try context.configuration(arguments))
            return try context.print(data: host.snapshot().host.modelsFolder)
        }
        let library = try context.library(arguments)
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
    let arguments: ParsedArguments

    func run() throws {
        let library = try context.library(arguments)
        let models = library.inventory.installedRecognizerModels.filter { arguments.positionals.contains($0.id) }
        let names = arguments.positionals.filter { name in models.allSatisfy { $0.id != name } }
        // Check all names before anything is removed.
        let voices = names.isEmpty ? [] : try library.stored(names, takesBest: false)
        for model in models {
            let removal = try library.inventory.remove(model)
            say("Removed \(model.name): \(ByteCount.words(removal.freed)) were freed.")
            for path in removal.foreign { say("Kept \(path): \(PruneCandidate.Reason.notOurs.words).") }
        }
        for voice in voices { tell(try library.remove(voice), of: voice) }
    }

    private func tell(_ removal: VoiceRemoval, of voice: Voice) {
        say("Removed \(voice.title): \(ByteCount.words(removal.freed)) were freed.")
        for path in removal.foreign { say("Kept \(path): \(PruneCandidate.Reason.notOurs.words).") }
        guard removal.wasChosen else { return }
        say("It was the chosen voice of \(voice.engine). Now no voice of \(voice.engine) is chosen.")
        if removal.lostEngine {
            say("\(voice.engine) has no other voice, so it is no longer the chosen engine.")
        }
    }

    private func say(_ line: String) {
        if !arguments[Options.quiet] { context.say(line) }
    }
}
