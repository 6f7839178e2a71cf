/// Why a question got no answer.
package enum PromptError: Error, Equatable, Sendable {
    /// Ctrl-C or another signal: the interruption descriptor became readable.
    case interrupted
    /// The terminal cannot be read or written, with the `errno`.
    case failed(code: Int32)
}
