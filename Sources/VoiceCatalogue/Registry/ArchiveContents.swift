/// What is known of an archive before it is opened.
package struct ArchiveContents: Sendable, Hashable {
    /// In bytes, where upstream says so.
    package let unpackedSize: Int64?
    /// The member of each role; one that ends in a slash is a folder with everything below it. Empty = the archive's
    /// own role names the folder that it unpacks to.
    package let roles: [String: String]
    /// Every member that may occur; `nil` where upstream publishes no list. A name that ends in a slash announces
    /// everything below it.
    package let members: [String]?

    package init(unpackedSize: Int64? = nil, roles: [String: String] = [:], members: [String]? = nil) {
        self.unpackedSize = unpackedSize
        self.roles = roles
        self.members = members
    }
}
