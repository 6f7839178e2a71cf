/// The typed error of a module, for callers that look into it: it says what happened, once, for the library and for every front end.
/// What nobody looks into is made as a `SpeechError` at once.
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
extension SpeechError {
    /// The speech was cancelled, or the task that read it. Not thrown by one that was read to its end.
    package static let cancelled = SpeechError(.cancelled, "The speech was cancelled.")

    /// The system, or a limit of this user, leaves no thread.
    package static let noThread = SpeechError(
        .threadsExhausted, "The system has no thread left to speak on.", remedy: .raiseLimit(.threads))

    /// Other texts leave no room for this one now.
    package static let overloaded = SpeechError(
        .overloaded, "Too many long texts wait to be spoken.", remedy: .tryLater)

    /// The file or stream of this name cannot be read.
    package static func notReadable(
        _ name: String, _ reason: Errno, remedy: Remedy = .chooseText
    ) -> SpeechError {
        SpeechError(
            .fileNotReadable, "\(name) cannot be read: \(reason).",
            Facts(path: name, reason: "\(reason)", errno: reason.code), remedy: remedy, cause: reason)
    }

    /// The same error with other words and further facts.
    package func reworded(_ message: String, code: Code? = nil, _ add: (inout Facts) -> Void) -> SpeechError {
        var facts = facts
        add(&facts)
        return SpeechError(code ?? self.code, message, facts, remedy: remedy, cause: cause)
    }
}
