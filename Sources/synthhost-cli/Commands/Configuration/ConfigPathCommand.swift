import CommandSyntax
import SynthHost

/// `synthhost config path`: the path of the configuration.
struct ConfigPathCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        try context.print(data: ConfigurationAccess(context, arguments).file.path)
    }
}
