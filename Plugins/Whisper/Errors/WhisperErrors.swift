import EngineKit
import SynthInference
import SynthRecognizerParts

/// The roles of a model's files.
enum WhisperRole {
    /// `encoder_model*.onnx`
    static let encoder = "encoder"
    /// `decoder_model_merged*.onnx`
    static let decoder = "decoder"
    /// `tokenizer.json`
    static let tokenizer = "tokenizer"
    /// `generation_config.json`
    static let configuration = "config"
}

/// Errors for the user who downloaded the model. Each error names the file to repair and ends with a description of the
/// problem.
extension EngineError {
    static func tokenizer(_ fault: String) -> EngineError {
        EngineError(.badFile, "The model's tokens cannot be used: the file \(fault).", role: WhisperRole.tokenizer)
    }

    static func configuration(_ fault: String) -> EngineError {
        EngineError(
            .badFile, "The model's configuration cannot be used: the file \(fault).", role: WhisperRole.configuration)
    }

    static func encoder(_ fault: String) -> EngineError { model(WhisperRole.encoder, "it \(fault)") }

    static func decoder(_ fault: String) -> EngineError { model(WhisperRole.decoder, "it \(fault)") }

    /// - Parameter role: The role of the file in which the error occurred.
    static func model(_ role: String, _ fault: String) -> EngineError {
        EngineError(.badFile, "The model's \(role) cannot be used: \(fault).", role: role)
    }

    static func sound(_ fault: String) -> EngineError {
        EngineError(.badRequest, "The audio cannot be transcribed: \(fault).")
    }

    /// The model does not support the request.
    static func request(_ fault: String) -> EngineError { EngineError(.badRequest, "The model \(fault).") }

    static func internalFault(_ fault: String) -> EngineError {
        EngineError(.failed, "The recognizer failed: \(fault).")
    }
}

extension InferenceError {
    /// - Parameter role: The role of the file in which the error occurred.
    func asEngineError(of role: String) -> any Error {
        switch reason {
        case .terminated: Stopped()
        case .library: EngineError.internalFault(description)
        default: EngineError.model(role, description)
        }
    }
}

extension RunStop {
    func check() throws {
        if isStopped { throw Stopped() }
    }

    /// Performs a run that `stop` can interrupt.
    ///
    /// - Parameter role: The role of the file to name in error messages.
    func run(
        _ session: InferenceSession, _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String],
        of role: String
    ) throws -> [InferenceOutput] {
        do {
            return try run(session, inputs, outputs: outputs)
        } catch {
            throw error.asEngineError(of: role)
        }
    }
}
