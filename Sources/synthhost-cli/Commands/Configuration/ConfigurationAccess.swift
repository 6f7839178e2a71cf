import SynthCatalogue
import SynthCommandSyntax
import SynthHost

/// The configuration file used by a command.
struct ConfigurationAccess {
    let file: ConfigurationFile

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        // `set` creates the file if it does not exist.
        file = ConfigurationFile(path: context.configurationFile(arguments).path)
    }

    /// See `ConfigurationFile.choose`.
    func choose(_ name: String, of engine: String) throws {
        try file.choose(name, of: engine)
    }
}

/// Access to the profiles in the configuration, by any name of a voice.
struct ProfileAccess {
    private let access: ConfigurationAccess
    private let check: ConfigurationCheck

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        access = ConfigurationAccess(context, arguments)
        check = ConfigurationCheck(context, arguments)
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
