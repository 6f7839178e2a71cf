/// The contents of an archive, as far as they are known before it is opened.
package struct ArchiveContents: Sendable, Hashable {
    /// In bytes, if upstream states it.
    package let unpackedSize: Int64?
    /// The member of each role; one that ends in a slash is a folder with everything below it. Empty = the role of the
    /// archive means the whole unpacked folder.
    package let roles: [String: String]
    /// All allowed members; `nil` if upstream publishes no list. A name that ends in a slash allows everything below
    /// it.
    package let members: [String]?

    package init(unpackedSize: Int64? = nil, roles: [String: String] = [:], members: [String]? = nil) {
        self.unpackedSize = unpackedSize
        self.roles = roles
        self.members = members
    }
}
