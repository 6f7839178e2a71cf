/// Why a graph cannot be read or changed, or why ONNX Runtime, or the layer above it, failed.
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

        // Who opens or runs a model never sees these.
        /// The bytes are no graph.
        case damaged
        /// A rewrite leaves the model as it is.
        case refused
        /// A file of the cache cannot be used.
        case file
    }

    public var reason: Reason
    /// One sentence without a full stop.
    public var description: String

    public init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

/// Why a model's graph cannot be read, changed or kept.
extension InferenceError {
    /// The bytes are no protobuf message, which was found at this offset.
    package static func damaged(offset: Int) -> InferenceError {
        InferenceError(.damaged, "byte \(offset) is no part of a graph")
    }

    /// A rewrite leaves the model as it is; why, as half a sentence for the log.
    package static func refused(_ reason: String) -> InferenceError { InferenceError(.refused, reason) }

    /// What the system says of a file, as `errno`.
    package static func file(code: Int32) -> InferenceError {
        InferenceError(.file, "a file cannot be used (\(code))")
    }
}
