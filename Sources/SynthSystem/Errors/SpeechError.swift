/// Why something could not be spoken, played, stored, downloaded or transcribed.
///
/// `code` says what happened, for programs; `message` says it for people, in English, as the command `synthhost` prints it. `facts`
/// has each name, path and number of the message, so that a program can word it itself, and `remedy` says what the user can do.
///
///     do {
///         try await session.speak("Hello").play()
///     } catch where error.code == .deviceMissing {
///         show("There is no sound device \(error.facts.device ?? "")")
///     }
public struct SpeechError: Error, Sendable, CustomStringConvertible {
    private let origin: any ErrorCause

    /// An error with the code, the facts, the message and the remedy of its cause.
    package init(_ cause: some ErrorCause) {
        origin = (cause as? SpeechError)?.origin ?? cause
    }

    /// What happened, for programs.
    public var code: Code { origin.code }

    /// What the message names.
    public var facts: Facts { origin.facts }

    /// What happened, in a sentence. The words may change; read the code and the facts instead.
    public var message: String { origin.message }

    /// What the user can do about it; nil if there is nothing to do, or if the message says it.
    public var remedy: Remedy? { origin.remedy }

    /// The error below this one, such as the one that the source of a text threw.
    public var cause: (any Error)? { origin.underlying }

    /// The message.
    public var description: String { message }
}

extension SpeechError: ErrorCause {
    package var underlying: (any Error)? { cause }
}

extension SpeechError: Hashable {
    /// Errors are equal if they say the same.
    public static func == (one: SpeechError, two: SpeechError) -> Bool {
        one.code == two.code && one.message == two.message && one.facts == two.facts
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
