/// Why text could not be written.
package enum OutputError: Error, Equatable, Sendable {
    /// The reader has closed the pipe (`voices | head -1`). The program should end without a message.
    case brokenPipe
    /// Any other failure, with the `errno` of `write(2)`.
    case failed(code: Int32)
}
