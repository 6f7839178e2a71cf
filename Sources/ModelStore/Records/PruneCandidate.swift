/// Something in the store that no voice needs, or that does not belong to the store.
package struct PruneCandidate: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// No voice needs it.
        case unneeded
        /// A complete voice or model that no registry names. Its registry may be missing.
        case unknown
        /// The store did not make it, and never removes it.
        case foreign
    }

    /// Why no voice needs it.
    package enum Reason: Sendable, Hashable {
        /// It was prepared for adding, and the process ended before the commit.
        case notAdded
        /// A link whose target does not exist.
        case brokenLink
        /// A link to something outside the store.
        case link
        case notAVoiceFolder
        /// The store did not make it.
        case notOurs
        /// A model that no installed voice uses.
        case unusedModel
        case inNoRegistry
        case unfinishedDownload
        case olderRevision
    }

    package let kind: Kind
    /// Absolute.
    package let path: String
    /// Of what would be removed, in bytes; of what is foreign, all of it.
    package let size: Int64
    package let reason: Reason
    /// The entry that it is, or is part of.
    let entry: String
}
