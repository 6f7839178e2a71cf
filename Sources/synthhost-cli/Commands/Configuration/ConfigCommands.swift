import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost config show`: prints every key with its value and meaning.
struct ConfigShowCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        var table = Table(columns: [
            .init("KEY", worth: .name), .init("VALUE", worth: .name), .init("SET"), .init("MEANING"),
        ])
        let access = ConfigurationAccess(context, arguments)
        for entry in try access.file.show() {
            table.append([entry.path, entry.value ?? "", entry.isSet ? "yes" : "", entry.help])
        }
        try context.print(text: table.render(for: context.output))
    }
}

/// `synthhost config get`: prints the current value of a key.
struct ConfigGetCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let key = arguments.positionals.first ?? ""
        let value: String?
        if let path = ProfilePath(key) {
            value = try ProfileAccess(context, arguments).value(of: path, key: key)
        } else {
            let access = ConfigurationAccess(context, arguments)
            value = try access.file.value(of: key)
        }
        if let value { try context.print(data: value) }
    }
}

/// `synthhost config set`: sets a key.
struct ConfigSetCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let key = arguments.positionals.first ?? ""
        let value = arguments.positionals.last ?? ""
        let access = ConfigurationAccess(context, arguments)
        try ConfigurationFile.check(key, value)
        let check = ConfigurationCheck(context, arguments)
        let warning = try check.warning(about: key, value)
        let (path, text) = try check.stored(key, value)
        try access.file.set(path, to: text)
        if let warning { context.say(warning) }
    }
}

/// `synthhost config unset`: removes a key.
struct ConfigUnsetCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let key = arguments.positionals.first ?? ""
        let wasSet: Bool
        if let path = ProfilePath(key) {
            wasSet = try ProfileAccess(context, arguments).unset(path, key: key)
        } else {
            let access = ConfigurationAccess(context, arguments)
            wasSet = try access.file.unset(key)
        }
        if !wasSet { context.say("\(key) was not set.") }
    }
}

/// `synthhost config path`: prints the path of the configuration.
struct ConfigPathCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        try context.print(data: ConfigurationAccess(context, arguments).file.path)
    }
}
