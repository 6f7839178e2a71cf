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
        let access = ConfigurationAccess(context)
        for entry in try access.file.show() {
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
            value = try ProfileAccess(context).value(of: path, key: key)
        } else {
            let access = ConfigurationAccess(context)
            value = try access.file.value(of: key)
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
        let access = ConfigurationAccess(context)
        try ConfigurationFile.check(key, value)
        let check = ConfigurationCheck(context)
        let warning = try check.warning(about: key, value)
        let (path, text) = try check.stored(key, value)
        try access.file.set(path, to: text)
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
            wasSet = try ProfileAccess(context).unset(path, key: key)
        } else {
            let access = ConfigurationAccess(context)
            wasSet = try access.file.unset(key)
        }
        if !wasSet { context.printMessage("\(key) was not set.") }
    }
}

/// `synthhost config path`: prints the path of the configuration.
struct ConfigPathCommand: Command {
    let context: CommandContext

    func run() throws {
        try context.print(data: ConfigurationAccess(context).file.path)
    }
}

/// The configuration file used by a command.
struct ConfigurationAccess {
    let file: ConfigurationFile

    init(_ context: CommandContext) {
        // `set` creates the file if it does not exist.
        file = ConfigurationFile(path: context.configurationFile.path)
    }

    /// See `ConfigurationFile.choose`.
    func choose(_ name: String, of engine: String) throws {
        try file.choose(name, of: engine)
    }
}

/// Accesses the profiles in the configuration by any of a voice's names.
struct ProfileAccess {
    private let access: ConfigurationAccess
    private let check: ConfigurationCheck

    init(_ context: CommandContext) {
        access = ConfigurationAccess(context)
        check = ConfigurationCheck(context)
    }

    /// Returns the current value of a key below "profiles".
    func value(of path: ProfilePath, key: String) throws -> String? {
        let configuration = try access.file.load()
        do {
            let voice = try check.known(path.voice, try check.library(), suggestsHidden: true)
            return path.text(in: VoiceMarks(configuration).profile(of: voice))
        } catch {
            // The voice may have been removed.
            guard configuration.profiles[path.voice] != nil else { throw error }
            return try access.file.value(of: key)
        }
    }

    /// Removes a key below "profiles".
    ///
    /// - Returns: whether it was set.
    func unset(_ path: ProfilePath, key: String) throws -> Bool {
        let voice = try? check.known(path.voice, try check.library(), suggestsHidden: true)
        let wasSet = try voice.map { try access.file.unset(path, of: $0) } ?? false
        // The file may contain unknown keys, or a voice that has been removed.
        if wasSet { return true }
        return try access.file.unset(key)
    }
}
