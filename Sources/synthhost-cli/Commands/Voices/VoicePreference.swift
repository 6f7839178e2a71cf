import SynthHost
import VoiceCatalogue

/// The chosen voice of each engine in the configuration.
struct VoicePreference {
    private let file: ConfigurationFile

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        // The file is made if it does not exist.
        file = ConfigurationFile(path: context.configurationFile(arguments).path)
    }

    /// Chooses the voice and its engine for all later commands.
    func choose(_ voice: Voice, word: String) throws(CommandFailure) {
        try attempt { () throws(ConfigurationError) in
            try file.set("voices.\(voice.engine)", to: word)
            try file.set("engine", to: voice.engine)
        }
    }

    /// Removes the chosen voice of the engine.
    ///
    /// - Parameter withEngine: whether to remove the engine too, if it was chosen.
    /// - Returns: whether the engine was removed.
    func forget(engine: String, withEngine: Bool) throws(CommandFailure) -> Bool {
        try attempt { () throws(ConfigurationError) in
            try file.unset("voices.\(engine)")
            guard withEngine, try file.load().engine == engine else { return false }
            return try file.unset("engine")
        }
    }

    private func attempt<Value>(_ body: () throws(ConfigurationError) -> Value) throws(CommandFailure) -> Value {
        do {
            return try body()
        } catch {
            throw CommandFailure(error)
        }
    }
}
