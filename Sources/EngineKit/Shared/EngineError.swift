import CSynthEngine

/// An error reported by an engine. The message is one sentence for the user, without paths.
public struct EngineError: Error, Sendable, CustomStringConvertible {
    /// The category of an error.
    public enum Status: Sendable {
        /// This text, voice or setting (or this audio or language) is not supported, but other requests may succeed.
        case badRequest
        case missingFile
        /// The file is damaged, or its format is not supported. The host can repair it if `role` is set.
        case badFile
        case outOfMemory
        /// Any other error. The lane remains usable.
        case failed
    }

    /// The category of the error.
    public var status: Status
    /// One sentence for the user, without paths.
    public var message: String
    /// The role of the invalid or missing file.
    public var role: String?

    /// Creates an error.
    public init(_ status: Status, _ message: String, role: String? = nil) {
        self.status = status
        self.message = message
        self.role = role
    }

    /// The message.
    public var description: String { message }
}

/// The request has been cancelled. Thrown by the functions of a lane's parameters; do not catch it.
public struct Stopped: Error, Sendable {
    /// Creates the error.
    public init() {}
}

extension EngineError {
    static let misuse = EngineError(.failed, "A required pointer is NULL.")

    var code: synth_status {
        switch status {
        case .badRequest: SYNTH_BAD_REQUEST
        case .missingFile: SYNTH_MISSING_FILE
        case .badFile: SYNTH_BAD_FILE
        case .outOfMemory: SYNTH_NO_MEMORY
        case .failed: SYNTH_FAILED
        }
    }
}

/// Runs a plugin's code, converting any error to a status and filling in the caller's error struct.
func reporting(
    to destination: UnsafeMutablePointer<synth_error>?, _ parts: PluginParts?, _ body: () throws -> Void
) -> synth_status {
    do {
        try body()
        return SYNTH_OK
    } catch is Stopped {
        return SYNTH_CANCELLED
    } catch {
        let error = error as? EngineError ?? EngineError(.failed, "\(error)")
        guard let destination, Int(destination.pointee.struct_size) >= MemoryLayout<synth_error>.size else {
            return error.code
        }
        let role = error.role.flatMap { parts?.roleName($0) }
        if destination.pointee.message == nil { destination.pointee.capacity = 0 }
        return synth_fail(destination, error.code, role, error.message)
    }
}
