import SynthHost

/// The configuration file of a command; its errors become failures of the command.
struct ConfigurationAccess {
    let file: ConfigurationFile

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        // `set` makes the file if it does not exist.
        file = ConfigurationFile(path: context.configurationFile(arguments).path)
    }

    func attempt<Value>(
        _ body: (ConfigurationFile) throws(ConfigurationError) -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try body(file)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// See `ConfigurationFile.choose`.
    func choose(_ name: String, of engine: String) throws(CommandFailure) {
        try attempt { file throws(ConfigurationError) in try file.choose(name, of: engine) }
    }
}
