package import VoiceCatalogue

/// One archive to unpack into a folder of its own.
package struct UnpackJob: Sendable, Hashable, Codable {
    /// Its path; its kind is told by its content.
    package var archive: String
    /// Whether the user named it; then links to it are followed.
    package var isGiven: Bool
    /// Made for it; what a process that was killed left there goes first.
    package var folder: String
    /// Below it nothing is changed through a link.
    package var root: String?
    /// The members to keep, folders with a slash at the end; `nil` = all.
    package var wanted: [String]?
    /// The members that may occur, in the same form; `nil` = any.
    package var announced: [String]?
    package var limits: ArchiveLimits
    /// Whether the digests of the files are wanted.
    package var givesDigests: Bool

    package init(
        archive: String, isGiven: Bool = false, folder: String, root: String?,
        contents: ArchiveContents = ArchiveContents(), limits: ArchiveLimits = ArchiveLimits(),
        givesDigests: Bool = true
    ) {
        self.archive = archive
        self.isGiven = isGiven
        self.folder = folder
        self.root = root
        wanted = contents.roles.isEmpty ? nil : Array(contents.roles.values)
        announced = contents.members
        self.limits = limits
        self.givesDigests = givesDigests
    }
}
