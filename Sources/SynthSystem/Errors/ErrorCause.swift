/// A module's typed error, for callers that inspect it. Its message is defined here once, for the library and all front
/// ends. Errors that no caller inspects are created directly as `SpeechError`.
package protocol ErrorCause: Error, Sendable {
    var code: SpeechError.Code { get }
    /// The names, paths and numbers in the message, for programs.
    var facts: SpeechError.Facts { get }
    /// A description of the error, in one or two sentences that name no command or option.
    var message: String { get }
    /// The action to suggest to the user; nil if there is none, or the message already states it.
    var remedy: SpeechError.Remedy? { get }
    /// The error for a `catch` clause to inspect: this error, or the error that it wraps.
    var underlying: (any Error)? { get }
}

extension ErrorCause {
    package var facts: SpeechError.Facts { SpeechError.Facts() }
    package var remedy: SpeechError.Remedy? { nil }
    package var underlying: (any Error)? { self }

    /// Converts the error, as in `rethrowing(…, as: AudioError.asSpeechError)`.
    package static func asSpeechError(_ error: Self) -> SpeechError { SpeechError(error) }
}

/// Errors that any module may report, because they concern the system or the caller.
extension SpeechError {
    /// The request, or the task that read its audio, was cancelled. Never thrown after the audio has been read to the
    /// end.
    package static let cancelled = SpeechError(.cancelled, "The speech was cancelled.")

    /// The system or a user limit does not allow another thread.
    package static let noThread = SpeechError(
        .threadsExhausted, "The system does not allow more threads.", remedy: .raiseLimit(.threads))

    /// Other requests are currently using all available capacity.
    package static let overloaded = SpeechError(
        .overloaded, "Too many long texts are waiting to be spoken.", remedy: .tryLater)

    /// The file or stream with this name cannot be read.
    package static func notReadable(
        _ name: String, _ reason: Errno, remedy: Remedy = .chooseText
    ) -> SpeechError {
        SpeechError(
            .fileNotReadable, "\(name) cannot be read: \(reason).",
            Facts(path: name, reason: "\(reason)", errno: reason.code), remedy: remedy, cause: reason)
    }

    /// Returns a copy of the error with a different message and additional facts.
    package func reworded(_ message: String, code: Code? = nil, _ add: (inout Facts) -> Void) -> SpeechError {
        var facts = facts
        add(&facts)
        return SpeechError(code ?? self.code, message, facts, remedy: remedy, cause: cause)
    }
}

extension FileFailure: ErrorCause {
    package var code: SpeechError.Code {
        switch reason {
        case .noSpace, .quotaExceeded: .diskFull
        case .fileTooLarge where call != "read": .fileTooLarge
        default: .storeFailed
        }
    }

    package var facts: SpeechError.Facts { .init(path: path, reason: "\(reason)", errno: reason.code) }

    package var remedy: SpeechError.Remedy? {
        switch reason {
        case .noSpace, .quotaExceeded: .freeSpace(for: .voices)
        case .fileTooLarge where call != "read": .raiseLimit(.fileSize)
        case .noAccess, .notPermitted, .readOnly: .checkPermissions(path)
        case .crossesLinks: .replaceLink(path)
        case .notFolder: .moveAway(path)
        case .notOrdinaryFile, .isFolder: .putFileInPlace
        default: .runAgainOrCheckDisk
        }
    }

    package var message: String {
        switch reason {
        case .noSpace, .quotaExceeded: "The disk is full: cannot write \(path)."
        case .fileTooLarge where call != "read": "Cannot write \(path): it would exceed the file size limit."
        case .noAccess, .notPermitted, .readOnly: "You do not have permission to change \(path): \(reason)."
        case .crossesLinks: "\(path) is a link, and synthhost does not follow links when writing."
        case .notFolder: "\(path) must be a folder, but it is not."
        case .notOrdinaryFile, .isFolder: "\(path) is not a regular file: it is a folder, a pipe, a socket or a device."
        default: "\(path): \(call) failed: \(reason)."
        }
    }
}
