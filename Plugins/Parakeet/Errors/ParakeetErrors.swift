import EngineKit
import SynthInference

/// The roles of a model's files.
enum ParakeetRole {
    /// `encoder-model*.onnx` or `encoder*.onnx`
    static let encoder = "encoder"
    /// `decoder_joint-model*.onnx`, or `decoder*.onnx` with a joiner
    static let decoder = "decoder"
    /// `joiner*.onnx`; if missing, the decoder includes the joiner
    static let joiner = "joiner"
    /// `vocab.txt` or `tokens.txt`
    static let tokens = "tokens"
    /// `config.json`
    static let configuration = "config"
}

/// Errors for the user who downloaded the model. Each error names the file to repair and ends with a description of the
/// problem.
extension EngineError {
    static func tokens(_ fault: String) -> EngineError {
        EngineError(.badFile, "The model's tokens cannot be used: the file \(fault).", role: ParakeetRole.tokens)
    }

    static func configuration(_ fault: String) -> EngineError {
        EngineError(
            .badFile, "The model's configuration cannot be used: the file \(fault).", role: ParakeetRole.configuration)
    }

    static func encoder(_ fault: String) -> EngineError {
        EngineError(.badFile, "The model's encoder cannot be used: it \(fault).", role: ParakeetRole.encoder)
    }

    static func predictor(_ fault: String) -> EngineError {
        EngineError(.badFile, "The model's decoder cannot be used: it \(fault).", role: ParakeetRole.decoder)
    }

    /// - Parameter role: The role of the file in which the error occurred.
    init(_ error: InferenceError, of role: String) {
        switch error.reason {
        case .model, .tensor, .run:
            self.init(.badFile, "The model's \(role) cannot be used: \(error).", role: role)
        // A cancellation is also reported here as an error, which EngineKit ignores.
        default: self.init(.failed, "The recognizer failed: \(error).")
        }
    }
}
