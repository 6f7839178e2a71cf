import SynthInference
import SynthRecognizerParts

/// Why sound could not be understood.
package struct WhisperError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Sendable {
        /// `tokenizer.json` cannot be read, or is of another kind.
        case tokenizer
        /// The same for `generation_config.json`.
        case configuration
        case encoder
        case decoder
        /// It is no sound that can be understood.
        case sound
        /// The model does not know the language that was named.
        case language
        /// Somebody asked for a stop.
        case stopped
        /// Anything else.
        case failed
    }

    package var reason: Reason
    /// What is wrong with that, as the end of a sentence without a full stop.
    package var description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// - Parameter part: Whose model it was.
    init(_ error: InferenceError, of part: Reason) {
        switch error.reason {
        case .model, .tensor, .run: self.init(part, error.description)
        case .terminated: self = .stopped
        case .library: self.init(.failed, error.description)
        }
    }

    static let stopped = WhisperError(.stopped, "a stop was asked for")
}

extension RunStop {
    func check() throws {
        if isStopped { throw WhisperError.stopped }
    }

    /// Makes one run that a stop ends.
    ///
    /// - Parameter part: Whose model it is, for errors.
    func run(
        _ session: InferenceSession, _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String],
        of part: WhisperError.Reason
    ) throws -> [InferenceOutput] {
        do {
            return try run(session, inputs, outputs: outputs)
        } catch {
            throw WhisperError(error, of: part)
        }
    }
}
