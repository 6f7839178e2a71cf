import EngineKit

/// The names of the files of a voice, as the host knows them.
enum HibariRole {
    static let model = "model"
}

/// Turns errors of the layers below into messages for the user who downloaded the voice.
enum HibariFailure {
    static func model(_ what: String) -> EngineError {
        EngineError(.badFile, "The model \(what).", role: HibariRole.model)
    }

    static func of(_ error: VoiceGraphError) -> EngineError { model(error.description) }

    /// The sentence could not be computed, which is no fault of the request.
    static func run(_ message: String) -> EngineError {
        EngineError(.failed, "The voice could not speak: \(message)")
    }
}

/// Why a graph is no voice of the family.
struct VoiceGraphError: Error, Equatable, CustomStringConvertible {
    /// What follows "The model", without a full stop.
    let description: String

    init(_ description: String) { self.description = description }
}
