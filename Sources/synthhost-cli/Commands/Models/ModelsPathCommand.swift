import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// `synthhost models path`: where the files are.
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
            return try context.print(data: try context.host(arguments, limits: configuration.limits).store.root)
        }
        let stock = try VoiceStock(context, arguments)
        for voice in try stock.held([name]) {
            guard let installed = stock.store.installedVoice(id: voice.id, engine: voice.engine) else {
                throw CommandFailure(
                    .unavailable, "\(voice.title) is \(stock.condition(of: voice).words).",
                    "Type: synthhost models pull \(ShellWord.quoted(stock.word(for: voice)))")
            }
            try context.print(data: installed.folder)
        }
    }
}
