/// An error from reading or changing a graph, from ONNX Runtime, or from the code that runs models.
public struct InferenceError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Reason: Sendable {
        /// ONNX Runtime is missing or too old, or does not start.
        case library
        /// The model file is unreadable or damaged, or contains a model of an unsupported kind.
        case model
        /// An input or output does not match the model.
        case tensor
        /// `InferenceRun.terminate()` was called.
        case terminated
        /// Any other failure during a run.
        case run

        // The bytes are not a graph. Code that opens or runs a model never sees this reason or the ones below it.
        case damaged
        /// A rewrite left the model unchanged.
        case refused
        /// A cache file is unusable.
        case file
    }

    /// The kind of failure.
    public var reason: Reason
    /// A sentence without a final period.
    public var description: String

    /// - Parameter description: A sentence without a final period.
    public init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

/// Errors from reading, changing or caching a model's graph.
extension InferenceError {
    /// The bytes are not a valid protobuf message. `offset` is the position of the first error.
    package static func damaged(offset: Int) -> InferenceError {
        InferenceError(.damaged, "the data at byte \(offset) is not part of a valid graph")
    }

    /// A rewrite left the model unchanged. The reason is a clause for the log.
    package static func refused(_ reason: String) -> InferenceError { InferenceError(.refused, reason) }

    /// An error from a system call on a cache file.
    ///
    /// - Parameter code: The value of `errno`.
    package static func file(code: Int32) -> InferenceError {
        InferenceError(.file, "a cache file cannot be used (errno \(code))")
    }
}
