import SynthHost
import VoiceCatalogue

/// The chosen voice of each engine, as the configuration remembers it.
struct VoicePreference {
    private let file: ConfigurationFile

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        // A file that is to be made need not be there.
        file = ConfigurationFile(path: context.configurationFile(arguments).path)
    }

    /// The voice speaks from now on, and its engine.
    func choose(_ voice: Voice, word: String) throws(CommandFailure) {
        try attempt { () throws(ConfigurationError) in
            try file.set("voices.\(voice.engine)", to: word)
            try file.set("engine", to: voice.engine)
        }
    }

    /// No voice of the engine is chosen any more.
    ///
    /// - Parameter withEngine: nor the engine, where it was.
    /// - Returns: whether the engine was.
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
