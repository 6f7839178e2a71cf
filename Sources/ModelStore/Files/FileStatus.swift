/// What the store needs to know about a file.
package struct FileStatus: Sendable, Hashable {
    package enum Kind: Sendable {
        case regular, folder, link, other
    }

    package let kind: Kind
    /// In bytes.
    package let size: Int64
    /// In seconds since 1970.
    package let modified: Int64
}
