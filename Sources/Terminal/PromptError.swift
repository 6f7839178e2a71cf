import Glibc

/// Why a question got no answer.
package enum PromptError: Error, Equatable, Sendable {
    /// Ctrl-C, or whatever else made the interruption descriptor readable.
    case interrupted
    /// The terminal cannot be read or written, with the `errno`.
    case failed(code: Int32)

    package var message: String {
        switch self {
        case .interrupted: "Interrupted."
        case .failed(let code): "The terminal cannot be used for a question: \(String(cString: strerror(code)))."
        }
    }

    package var remedy: String {
        "Run the command again and give the answer as an option."
    }
}
