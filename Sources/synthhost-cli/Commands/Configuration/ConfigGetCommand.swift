import CommandSyntax
import SynthHost

/// `synthhost config get`: the value in force of a key.
struct ConfigGetCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

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
