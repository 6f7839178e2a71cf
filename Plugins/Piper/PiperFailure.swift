import EngineKit
import SynthInference
import SynthPhonemes

/// Converts errors from lower layers to messages for the user who downloaded the voice.
enum PiperFailure {
    static func config(_ what: String) -> EngineError {
        EngineError(.badFile, "The voice's configuration \(what).", role: PiperRole.config)
    }

    static func model(_ what: String) -> EngineError {
        EngineError(.badFile, "The voice's model \(what).", role: PiperRole.model)
    }

    static let noNumbers = model("returns samples that are not finite numbers")

    static func of(_ error: InferenceError) -> EngineError {
        switch error.reason {
        case .model: model("cannot be loaded: \(error)")
        // A run is terminated only if its request is cancelled. In that case, EngineKit ignores the error.
        default: EngineError(.failed, "The voice could not speak: \(error).")
        }
    }

    static func of(_ error: PhonemeError) -> EngineError {
        switch error {
        case .missingSymbol(let symbol): config("has no ID for the symbol \"\(symbol)\"")
        case .espeakMissing, .unknownVoice, .unknownSound: EngineError(.failed, error.description)
        }
    }

    static func of(_ error: DecodingError) -> EngineError {
        switch error {
        case .keyNotFound(let key, let context):
            config("lacks \"\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))\"")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            config("has an unexpected value at \"\(context.codingPath.map(\.stringValue).joined(separator: "."))\"")
        @unknown default: config("cannot be read")
        }
    }
}

/// The roles of a Piper voice's files.
enum PiperRole {
    static let model = "model"
    static let config = "config"
}
