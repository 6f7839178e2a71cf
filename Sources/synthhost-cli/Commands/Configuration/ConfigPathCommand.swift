import SynthHost

/// `synthhost config path`: where the configuration lies.
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
