import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost config show`: prints every key with its value and meaning.
struct ConfigShowCommand: Command {
    let context: CommandContext

    func run() throws {
        var table = Table(columns: [
            .init("KEY", priority: .name), .init("VALUE", priority: .name), .init("SET"), .init("MEANING"),
        ])
        for entry in try context.changedConfiguration.show() {
            table.append([entry.path, entry.value ?? "", entry.isSet ? "yes" : "", entry.help])
        }
        try context.print(text: table.render(for: context.output))
    }
}

/// `synthhost config get`: prints the current value of a key.
struct ConfigGetCommand: Command {
    let context: CommandContext

    func run() throws {
        let key = arguments.positionals.first ?? ""
        let value: String?
        if let path = ProfilePath(key) {
            value = try ProfileAccess(context: context).value(of: path, key: key)
        } else {
            value = try context.changedConfiguration.value(of: key)
        }
        if let value { try context.print(data: value) }
    }
}

/// `synthhost config set`: sets a key.
struct ConfigSetCommand: Command {
    let context: CommandContext

    func run() throws {
        let key = arguments.positionals.first ?? ""
        let value = arguments.positionals.last ?? ""
        try ConfigurationFile.check(key, value)
        let check = ConfigurationCheck(context: context)
        let warning = try check.warning(about: key, value)
        let (path, text) = try check.stored(key, value)
        try context.changedConfiguration.set(path, to: text)
        if let warning { context.printMessage(warning) }
    }
}

/// `synthhost config unset`: removes a key.
struct ConfigUnsetCommand: Command {
    let context: CommandContext

    func run() throws {
        let key = arguments.positionals.first ?? ""
        let wasSet: Bool
        if let path = ProfilePath(key) {
            wasSet = try ProfileAccess(context: context).unset(path, key: key)
        } else {
            wasSet = try context.changedConfiguration.unset(key)
        }
        if !wasSet { context.printMessage("\(key) was not set.") }
    }
}

/// `synthhost config path`: prints the path of the configuration.
struct ConfigPathCommand: Command {
    let context: CommandContext

    func run() throws {
        try context.print(data: context.changedConfiguration.path)
    }
}

/// Provides access to the profiles in the configuration by any name of a voice.
struct ProfileAccess {
    let context: CommandContext
    private var file: ConfigurationFile { context.changedConfiguration }
    private var check: ConfigurationCheck { ConfigurationCheck(context: context) }

    /// Returns the current value of a key under "profiles".
    func value(of path: ProfilePath, key: String) throws -> String? {
        let configuration = try file.load()
        do {
            let voice = try check.known(path.voice, try check.library(), suggestsHidden: true)
            return path.text(in: VoiceMarks(configuration).profile(of: voice))
        } catch {
            // The voice may have been removed.
            guard configuration.profiles[path.voice] != nil else { throw error }
            return try file.value(of: key)
        }
    }

    /// Removes a key under "profiles".
    ///
    /// - Returns: whether the key was set.
    func unset(_ path: ProfilePath, key: String) throws -> Bool {
        let voice = try? check.known(path.voice, try check.library(), suggestsHidden: true)
        let wasSet = try voice.map { try file.unset(path, of: $0) } ?? false
        // The file may contain unknown keys or name a voice that has been removed.
        if wasSet { return true }
        return try file.unset(key)
    }
}
