import SynthHost

/// `synthhost config unset`: removes a key.
struct ConfigUnsetCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let key = arguments.positionals.first ?? ""
        let access = ConfigurationAccess(context, arguments)
        let wasSet = try access.attempt { file throws(ConfigurationError) in try file.unset(key) }
        if !wasSet { context.say("\(key) was not set.") }
    }
}
