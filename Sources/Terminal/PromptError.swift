/// Why a question got no answer.
package enum PromptError: Error, Equatable, Sendable {
    /// Ctrl-C, or whatever else made the interruption descriptor readable.
    case interrupted
    /// The terminal cannot be read or written, with the `errno`.
    case failed(code: Int32)
}
