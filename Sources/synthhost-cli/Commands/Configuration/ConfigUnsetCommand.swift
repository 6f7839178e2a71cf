import CommandSyntax
import SynthHost

/// `synthhost config unset`: removes a key.
struct ConfigUnsetCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        let key = arguments.positionals.first ?? ""
        let wasSet: Bool
        if let path = ProfilePath(key) {
            wasSet = try ProfileAccess(context, arguments).unset(path, key: key)
        } else {
            let access = ConfigurationAccess(context, arguments)
            wasSet = try access.attempt { file throws(ConfigurationError) in try file.unset(key) }
        }
        if !wasSet { context.say("\(key) was not set.") }
    }
}
