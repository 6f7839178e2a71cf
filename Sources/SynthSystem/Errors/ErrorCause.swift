/// The typed error of a module: it says what happened, once, for the library and for every front end. `SpeechError` carries it.
package protocol ErrorCause: Error, Sendable {
    var code: SpeechError.Code { get }
    /// What the message names, for programs.
    var facts: SpeechError.Facts { get }
    /// What happened, in one sentence or two, without a command or an option to type.
    var message: String { get }
    /// What the user can do; nil = nothing, or the message says it.
    var remedy: SpeechError.Remedy? { get }
    /// What a `catch` can look into: this error, or the one that it wraps.
    var underlying: (any Error)? { get }
}

extension ErrorCause {
    package var facts: SpeechError.Facts { SpeechError.Facts() }
    package var remedy: SpeechError.Remedy? { nil }
    package var underlying: (any Error)? { self }

    /// For `rethrowing(…, as: AudioError.asSpeechError)`.
    package static func asSpeechError(_ error: Self) -> SpeechError { SpeechError(error) }
}

/// What any module may report, because it is a matter of the system or of the caller.
package enum CommonFailure: ErrorCause, Equatable {
    /// The work was cancelled, or the task that did it.
    case cancelled
    /// The system, or a limit of this user, leaves no thread.
    case noThread
    /// Other texts, or other sounds, leave no room for this one now.
    case overloaded
    /// The file or stream of this name cannot be read.
    case notReadable(String, Errno)

    package var code: SpeechError.Code {
        switch self {
        case .cancelled: .cancelled
        case .noThread: .threadsExhausted
        case .overloaded: .overloaded
        case .notReadable: .fileNotReadable
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .notReadable(let name, let reason): .init(path: name, reason: "\(reason)", errno: reason.code)
        case .cancelled, .noThread, .overloaded: .init()
        }
    }

    package var message: String {
        switch self {
        case .cancelled: "The speech was cancelled."
        case .noThread: "The system has no thread left to speak on."
        case .overloaded: "Too many long texts wait to be spoken."
        case .notReadable(let name, let reason): "\(name) cannot be read: \(reason)."
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .cancelled: nil
        case .noThread: .raiseThreadLimit
        case .overloaded: .tryLater
        case .notReadable: .chooseText
        }
    }
}

extension SpeechError {
    /// The speech was cancelled, or the task that read it. Not thrown by one that was read to its end.
    package static let cancelled = SpeechError(CommonFailure.cancelled)
    /// The system, or a limit of this user, leaves no thread.
    package static let noThread = SpeechError(CommonFailure.noThread)
    /// Other texts leave no room for this one now.
    package static let overloaded = SpeechError(CommonFailure.overloaded)

    /// The file or stream of this name cannot be read.
    package static func notReadable(_ name: String, _ reason: Errno) -> SpeechError {
        SpeechError(CommonFailure.notReadable(name, reason))
    }
}
