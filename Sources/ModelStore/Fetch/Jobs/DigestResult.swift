/// What came of one file of a `DigestJob`.
package enum DigestResult: Sendable, Hashable, Codable {
    /// Hexadecimal.
    case found(String)
    /// It changed its size while it was read.
    case changed
    case failed(FileFailure)
}
