/// Why an archive was not unpacked. Names and paths come from the archive and are cut to a length that can be shown.
package enum ArchiveRefusal: Error, Sendable, Hashable, Codable {
    case tooManyEntries(limit: Int)
    /// It holds a member that the registry does not list.
    case unannounced(String)
    case twice(String)
    case fileAndFolder(String)
    /// It unpacks to far more than its size.
    case tooLarge
    case unreadableName
    case longName(bytes: Int)
    case absolutePath(String)
    case link(String)
    /// Neither file nor folder.
    case special(String)
    case leadsOutside(String)
    case tooDeep(limit: Int)
    /// No name for a file, such as one with a line break.
    case badName(String)
    case noName
    /// `detail` is libarchive's message.
    case damaged(detail: String?)
    case noMemory
    case file(FileFailure)
}
