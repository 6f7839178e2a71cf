/// A place that files come from, pinned to a revision that does not move.
package struct Source: Sendable, Hashable {
    package let id: String
    /// What a file's path is appended to; ends in a slash.
    package let url: String
    package let revision: String?
    /// The name of the file that lies beside a voice's first file and tells its licence.
    package let card: String?

    /// The address of a file of this source. `path` is plain text, not percent-encoded.
    package func address(of path: String) -> String { url + WebAddress.percentEncoded(path) }
}
