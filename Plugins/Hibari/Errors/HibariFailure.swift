import EngineKit

/// The names of the files of a voice, as the host knows them.
enum HibariRole {
    static let model = "model"
}

/// Messages for the user who downloaded the voice.
enum HibariFailure {
    /// - Parameter what: What follows "The model", without a full stop.
    static func model(_ what: String) -> EngineError {
        EngineError(.badFile, "The model \(what).", role: HibariRole.model)
    }

    /// The engine could not compute the sentence; the request is valid.
    static func run(_ message: String) -> EngineError {
        EngineError(.failed, "The voice could not speak: \(message)")
    }
}
