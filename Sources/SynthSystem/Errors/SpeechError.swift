/// Why something could not be spoken, played, stored, downloaded or transcribed.
///
/// `code` says what happened, for programs; `message` says it for people, in English, as the command `synthhost` prints it. `facts`
/// has each name, path and number of the message, so that a program can word it itself, and `remedy` says what the user can do.
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
    /// In one place on the heap, so that a function that can throw returns no more than a pointer for it.
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
    ///   - message: one sentence or two, without a command or an option to type.
    ///   - facts: each name, path and number of the message.
    ///   - remedy: nil = there is nothing to do, or the message says it.
    ///   - cause: the error below this one.
    package init(
        _ code: Code, _ message: String, _ facts: Facts = Facts(), remedy: Remedy? = nil, cause: (any Error)? = nil
    ) {
        content = Content(code, message, facts, remedy, cause)
    }

    /// The error of a module, which stays its cause.
    package init(_ error: some ErrorCause) {
        if let error = error as? SpeechError {
            self = error
        } else {
            self.init(error.code, error.message, error.facts, remedy: error.remedy, cause: error.underlying)
        }
    }

    /// What happened, for programs.
    public var code: Code { content.code }

    /// What the message names.
    public var facts: Facts { content.facts }

    /// What happened, in a sentence. The words may change; read the code and the facts instead.
    public var message: String { content.message }

    /// What the user can do about it; nil if there is nothing to do, or if the message says it.
    public var remedy: Remedy? { content.remedy }

    /// The error below this one, such as the one that the source of a text threw.
    public var cause: (any Error)? { content.cause }

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
