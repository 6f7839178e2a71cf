package import VoiceCatalogue

/// One archive to unpack into a folder of its own.
package struct UnpackJob: Sendable, Hashable, Codable {
    /// Its path. Its kind follows from its content.
    package var archive: String
    /// Whether the user named it. If so, links to it are followed.
    package var isGiven: Bool
    /// Made for it. What a killed process left there is removed first.
    package var folder: String
    /// Nothing below it is changed through a link.
    package var root: String?
    /// The members to keep, folders with a slash at the end; `nil` = all.
    package var wanted: [String]?
    /// The members that are allowed, in the same form; `nil` = any.
    package var announced: [String]?
    package var limits: ArchiveLimits
    /// Whether the digests of the files are computed.
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
