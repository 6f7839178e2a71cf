import SynthHost

/// `synthhost config get`: the value in force of a key.
struct ConfigGetCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let key = arguments.positionals.first ?? ""
        let value: String?
        if let path = ProfilePath(key) {
            value = try ProfileAccess(context, arguments).value(of: path, key: key)
        } else {
            let access = ConfigurationAccess(context, arguments)
            value = try access.attempt { file throws(ConfigurationError) in try file.value(of: key) }
        }
        if let value { try context.print(data: value) }
    }
}
