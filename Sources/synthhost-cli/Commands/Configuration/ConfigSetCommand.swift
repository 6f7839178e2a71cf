import CommandSyntax
import SynthHost

/// `synthhost config set`: sets a key.
struct ConfigSetCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        let key = arguments.positionals.first ?? ""
        let value = arguments.positionals.last ?? ""
        let access = ConfigurationAccess(context, arguments)
        try access.attempt { _ throws(ConfigurationError) in try ConfigurationFile.check(key, value) }
        let check = ConfigurationCheck(context, arguments)
        let warning = try check.warning(about: key, value)
        let (path, text) = try check.stored(key, value)
        try access.attempt { file throws(ConfigurationError) in try file.set(path, to: text) }
        if let warning { context.say(warning) }
    }
}
