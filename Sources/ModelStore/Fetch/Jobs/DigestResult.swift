/// The result for one file of a `DigestJob`.
package enum DigestResult: Sendable, Hashable, Codable {
    /// Hexadecimal.
    case found(String)
    /// Its size changed while it was read.
    case changed
    case failed(FileFailure)
}
