/// A module's typed error, for callers that inspect it. It words its message once, for the library and for every front
/// end. An error that no caller inspects is a `SpeechError` from the start.
package protocol ErrorCause: Error, Sendable {
    var code: SpeechError.Code { get }
    /// The values in the message, for programs.
    var facts: SpeechError.Facts { get }
    /// What happened, in one or two sentences, without a command or an option to type.
    var message: String { get }
    /// What the user can do; nil if there is nothing to do, or the message says it.
    var remedy: SpeechError.Remedy? { get }
    /// The error that a `catch` can inspect: this error, or the one that it wraps.
    var underlying: (any Error)? { get }
}

extension ErrorCause {
    package var facts: SpeechError.Facts { SpeechError.Facts() }
    package var remedy: SpeechError.Remedy? { nil }
    package var underlying: (any Error)? { self }

    /// A conversion for `rethrowing(…, as: AudioError.asSpeechError)`.
    package static func asSpeechError(_ error: Self) -> SpeechError { SpeechError(error) }
}

/// Errors that any module may report, because they concern the system or the caller.
extension SpeechError {
    /// The speech, or the task that read it, was cancelled. A speech that was read to its end does not throw this.
    package static let cancelled = SpeechError(.cancelled, "The speech was cancelled.")

    /// The system or a user limit allows no further thread.
    package static let noThread = SpeechError(
        .threadsExhausted, "The system allows no more threads.", remedy: .raiseLimit(.threads))

    /// Other texts are using all the capacity for now.
    package static let overloaded = SpeechError(
        .overloaded, "Too many long texts are waiting to be spoken.", remedy: .tryLater)

    /// The file or stream of this name cannot be read.
    package static func notReadable(
        _ name: String, _ reason: Errno, remedy: Remedy = .chooseText
    ) -> SpeechError {
        SpeechError(
            .fileNotReadable, "\(name) cannot be read: \(reason).",
            Facts(path: name, reason: "\(reason)", errno: reason.code), remedy: remedy, cause: reason)
    }

    /// The same error with another message and additional facts.
    package func reworded(_ message: String, code: Code? = nil, _ add: (inout Facts) -> Void) -> SpeechError {
        var facts = facts
        add(&facts)
        return SpeechError(code ?? self.code, message, facts, remedy: remedy, cause: cause)
    }
}
