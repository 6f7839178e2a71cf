import CommandSyntax
import SynthHost
import Terminal

/// `synthhost config show`: every key with its value and what it means.
struct ConfigShowCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        var table = Table(columns: [
            .init("KEY", worth: .name), .init("VALUE", worth: .name), .init("SET"), .init("MEANING"),
        ])
        let access = ConfigurationAccess(context, arguments)
        for entry in try access.attempt({ file throws(ConfigurationError) in try file.show() }) {
            table.append([entry.path, entry.value ?? "", entry.isSet ? "yes" : "", entry.help])
        }
        try context.print(text: table.render(for: context.output))
    }
}
