import CommandParts
import CommandSyntax
import Sentences
import SynthHost
import System
import VoiceCatalogue

/// `synthhost models path`: the folders of the voices.
struct ModelsPathCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        guard let name = arguments.positionals.first else {
            let host = try context.host(arguments, try context.configuration(arguments))
            return try context.print(data: host.modelsFolder)
        }
        let library = try context.library(arguments)
        let voices = try CommandFailure.attempt { () throws(LibraryProblem) in try library.stored([name]) }
        for voice in voices {
            guard let folder = library.folder(of: voice) else {
                throw CommandFailure(
                    .unavailable, "\(voice.title) is \(library.condition(of: voice).words).",
                    "Type: synthhost models pull \(ShellWord.quoted(library.word(for: voice)))")
            }
            try context.print(data: folder)
        }
    }
}
