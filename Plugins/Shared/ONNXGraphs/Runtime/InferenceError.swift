/// Why ONNX Runtime, or this layer above it, failed.
public struct InferenceError: Error, Equatable, CustomStringConvertible {
    public enum Reason: Sendable {
        /// The library itself is missing, too old or refuses to start.
        case library
        /// The model file cannot be read, is damaged or is of another kind.
        case model
        /// An input or output does not fit the model.
        case tensor
        /// `InferenceRun.terminate()` was called.
        case terminated
        /// The model failed while it ran, for any other reason.
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
