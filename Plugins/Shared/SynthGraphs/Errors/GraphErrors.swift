/// An error from reading or changing a graph, from ONNX Runtime, or from the layer above it.
public struct InferenceError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Reason: Sendable {
        /// The library itself is missing, too old or refuses to start.
        case library
        /// The model file cannot be read, is damaged, or contains another kind of model.
        case model
        /// An input or output does not fit the model.
        case tensor
        /// `InferenceRun.terminate()` was called.
        case terminated
        /// The model failed while it ran, for any other reason.
        case run

        // The following reasons never reach code that opens or runs a model.
        /// The bytes are not a graph.
        case damaged
        /// A rewrite left the model unchanged.
        case refused
        /// A cache file cannot be used.
        case file
    }

    /// The kind of failure, for callers that handle specific ones.
    public var reason: Reason
    /// A sentence without a full stop.
    public var description: String

    /// - Parameter description: A sentence without a full stop.
    public init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

/// Errors from reading, changing or caching a model's graph.
extension InferenceError {
    /// The bytes are not a valid protobuf message; the error was found at this offset.
    package static func damaged(offset: Int) -> InferenceError {
        InferenceError(.damaged, "byte \(offset) does not belong to a graph")
    }

    /// A rewrite left the model unchanged. The reason is a clause for the log.
    package static func refused(_ reason: String) -> InferenceError { InferenceError(.refused, reason) }

    /// The system's error for a file, as `errno`.
    package static func file(code: Int32) -> InferenceError {
        InferenceError(.file, "a file cannot be used (\(code))")
    }
}
