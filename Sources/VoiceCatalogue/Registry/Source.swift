/// A download source of files, pinned to a fixed revision.
package struct Source: Sendable, Hashable {
    package let id: String
    /// The base address of its files; ends in a slash.
    package let url: String
    package let revision: String?
    /// The name of the licence file in the folder of a voice's first file.
    package let card: String?

    /// The address of a file of this source. `path` is plain text, not percent-encoded.
    package func address(of path: String) -> String { url + WebAddress.percentEncoded(path) }
}
