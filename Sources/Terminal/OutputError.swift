/// Why text could not be written.
package enum OutputError: Error, Equatable, Sendable {
    /// The reader has gone (`voices | head -1`): end quietly, there is nobody to tell.
    case brokenPipe
    /// Any other failure, with the `errno` of `write(2)`.
    case failed(code: Int32)
}
