/// An error that occurred while speaking, playing, saving, downloading or transcribing.
///
/// `code` identifies the error for programs. `message` is the English description that the `synthhost` command prints.
/// `facts` contains the names, paths and numbers in the message, so that a program can write its own message, and
/// `remedy` is the action to suggest to the user.
///
///     do {
///         try await session.speak("Hello").play()
///     } catch where error.code == .deviceMissing {
///         show("There is no sound device \(error.facts.device ?? "")")
///     } catch {
///         show(error.message)
///     }
///
/// The final unconditional `catch` is required, because without it, Swift 6.3 cannot compile `catch where` for a typed
/// error.
public struct SpeechError: Error, Sendable, CustomStringConvertible {
    /// The content is a single heap object, so that throwing functions return an error as one pointer.
    private final class Content: Sendable {
        let code: Code
        let message: String
        let facts: Facts
        let remedy: Remedy?
        let cause: (any Error)?

        init(_ code: Code, _ message: String, _ facts: Facts, _ remedy: Remedy?, _ cause: (any Error)?) {
            (self.code, self.message, self.facts, self.remedy, self.cause) = (code, message, facts, remedy, cause)
        }
    }

    private let content: Content

    /// - Parameters:
    ///   - message: one or two sentences that name no command or option.
    ///   - facts: the names, paths and numbers in the message.
    ///   - remedy: nil if there is none, or the message already states it.
    ///   - cause: the underlying error.
    package init(
        _ code: Code, _ message: String, _ facts: Facts = Facts(), remedy: Remedy? = nil, cause: (any Error)? = nil
    ) {
        content = Content(code, message, facts, remedy, cause)
    }

    /// Converts a module's error, whose underlying error becomes the cause.
    package init(_ error: some ErrorCause) {
        if let error = error as? SpeechError {
            self = error
        } else {
            self.init(error.code, error.message, error.facts, remedy: error.remedy, cause: error.underlying)
        }
    }

    /// The machine-readable error code.
    public var code: Code { content.code }

    /// The details in the message as typed values.
    public var facts: Facts { content.facts }

    /// A description of the error, in one or two sentences. The wording may change, so programs should use `code` and
    /// `facts`.
    public var message: String { content.message }

    /// The action to suggest to the user; nil if there is none, or the message already states it.
    public var remedy: Remedy? { content.remedy }

    /// The underlying error, such as an error thrown by the sequence that supplied the text.
    public var cause: (any Error)? { content.cause }

    /// The same as `message`.
    public var description: String { message }
}

extension SpeechError: ErrorCause {
    package var underlying: (any Error)? { cause }
}

extension SpeechError: Hashable {
    /// Two errors are equal if their codes, messages and facts are equal.
    public static func == (one: SpeechError, two: SpeechError) -> Bool {
        one.code == two.code && one.message == two.message && one.facts == two.facts
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
