import SynthHost

/// The configuration file that a command is about, and what went wrong with it in the program's words.
struct ConfigurationAccess {
    let file: ConfigurationFile

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        // A file that `set` is to make need not be there.
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
}
