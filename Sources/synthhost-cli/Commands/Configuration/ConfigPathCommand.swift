import SynthHost

/// `synthhost config path`: the path of the configuration.
struct ConfigPathCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        try context.print(data: ConfigurationAccess(context, arguments).file.path)
    }
}
