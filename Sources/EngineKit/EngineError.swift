import CSynthEngine

/// Why an engine failed. The message is one sentence for the user, without a path.
public struct EngineError: Error, Sendable, CustomStringConvertible {
    public enum Status: Sendable {
        /// This text, voice or setting cannot be spoken; another can.
        case badRequest
        case missingFile
        /// Damaged, or of another kind. The host can repair it when `role` says which.
        case badFile
        case outOfMemory
        /// Anything else. The lane still works.
        case failed
    }

    public var status: Status
    public var message: String
    /// The role of the bad or missing file.
    public var role: String?

    public init(_ status: Status, _ message: String, role: String? = nil) {
        self.status = status
        self.message = message
        self.role = role
    }

    public var description: String { message }
}

/// The request is to stop. Thrown by the calls of `SpeechOutput`; let it through.
public struct Stopped: Error, Sendable {}
