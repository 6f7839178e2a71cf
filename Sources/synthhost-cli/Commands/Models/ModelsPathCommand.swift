import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// `synthhost models path`: the folders of the voices.
struct ModelsPathCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        guard let name = arguments.positionals.first else {
            let configuration = try context.configuration(arguments)
            return try context.print(data: try context.host(arguments, configuration).store.root)
        }
        let library = try VoiceLibrary(context, arguments)
        for voice in try library.stored([name]) {
            guard let installed = library.store.installedVoice(id: voice.id, engine: voice.engine) else {
                throw CommandFailure(
                    .unavailable, "\(voice.title) is \(library.condition(of: voice).words).",
                    "Type: synthhost models pull \(ShellWord.quoted(library.word(for: voice)))")
            }
            try context.print(data: installed.folder)
        }
    }
}
