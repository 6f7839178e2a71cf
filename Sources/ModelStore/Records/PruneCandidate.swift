/// Something in the store that no voice needs, or that is none of the store's.
package struct PruneCandidate: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Nobody misses it.
        case unneeded
        /// A whole voice or model that no registry names: perhaps the registry is what is missing.
        case unknown
        /// Not the store's; it is never removed.
        case foreign
    }

    package let kind: Kind
    /// Absolute.
    package let path: String
    /// The files in it, in bytes.
    package let size: Int64
    /// In words for the user.
    package let reason: String
    /// The entry that it lies in, or is.
    let entry: String
}
