import SynthHost

/// `synthhost config set`: sets a key.
struct ConfigSetCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let key = arguments.positionals.first ?? ""
        let value = arguments.positionals.last ?? ""
        let access = ConfigurationAccess(context, arguments)
        try access.attempt { _ throws(ConfigurationError) in try ConfigurationFile.check(key, value) }
        let warning = try ConfigurationCheck(context, arguments).warning(about: key, value)
        try access.attempt { file throws(ConfigurationError) in try file.set(key, to: value) }
        if let warning { context.say(warning) }
    }
}
