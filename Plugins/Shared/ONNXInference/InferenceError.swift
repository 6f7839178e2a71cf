/// Why ONNX Runtime, or this layer over it, could not do what was asked.
public struct InferenceError: Error, Equatable, CustomStringConvertible {
    public enum Reason: Sendable {
        /// The library itself is missing, too old or refuses to start.
        case library
        /// The model file cannot be read or is damaged or of another kind.
        case model
        /// An input or output does not fit the model.
        case tensor
        /// `InferenceRun.terminate()` was called.
        case terminated
        /// Anything else that failed while the model ran.
        case run
    }

    public var reason: Reason
    /// One sentence without a full stop.
    public var description: String

    public init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
