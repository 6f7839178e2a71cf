/// Why something could not be spoken, played, stored, downloaded or transcribed.
///
/// `code` identifies the error for programs. `message` describes it for people, in English, as the command `synthhost`
/// prints it. `facts` contains each name, path and number of the message, so that a program can word its own message,
/// and `remedy` is what the user can do.
///
///     do {
///         try await session.speak("Hello").play()
///     } catch where error.code == .deviceMissing {
///         show("There is no sound device \(error.facts.device ?? "")")
///     } catch {
///         show(error.message)
///     }
///
/// Swift 6.3 does not compile a `catch where` for a typed error unless a `catch` without a condition follows it.
public struct SpeechError: Error, Sendable, CustomStringConvertible {
    /// The content is one heap object, so that a throwing function returns only a pointer for its error.
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
    ///   - message: one or two sentences, without a command or an option to type.
    ///   - facts: each name, path and number of the message.
    ///   - remedy: nil if there is nothing to do, or the message says it.
    ///   - cause: the underlying error.
    package init(
        _ code: Code, _ message: String, _ facts: Facts = Facts(), remedy: Remedy? = nil, cause: (any Error)? = nil
    ) {
        content = Content(code, message, facts, remedy, cause)
    }

    /// Wraps the error of a module, which becomes the cause.
    package init(_ error: some ErrorCause) {
        if let error = error as? SpeechError {
            self = error
        } else {
            self.init(error.code, error.message, error.facts, remedy: error.remedy, cause: error.underlying)
        }
    }

    /// What happened, for programs.
    public var code: Code { content.code }

    /// The values that the message names.
    public var facts: Facts { content.facts }

    /// What happened, in a sentence. The wording may change; use the code and the facts in programs.
    public var message: String { content.message }

    /// What the user can do; nil if there is nothing to do, or the message says it.
    public var remedy: Remedy? { content.remedy }

    /// The underlying error, such as the one that the source of a text threw.
    public var cause: (any Error)? { content.cause }

    /// The message.
    public var description: String { message }
}

extension SpeechError: ErrorCause {
    package var underlying: (any Error)? { cause }
}

extension SpeechError: Hashable {
    /// Errors are equal if they have the same code, message and facts.
    public static func == (one: SpeechError, two: SpeechError) -> Bool {
        one.code == two.code && one.message == two.message && one.facts == two.facts
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
