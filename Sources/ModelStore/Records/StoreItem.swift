/// One entry of the store as a list of disk use shows it.
package struct StoreItem: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case voice, model
        /// Downloads that did not end.
        case incomplete
    }

    /// The name of its folder.
    package let name: String
    package let kind: Kind
    /// Everything below its folder, on the disk, in bytes.
    package let size: Int64
    /// In seconds since 1970; `nil` when it was never complete.
    package let lastUsed: Int64?
    /// For a model: the installed voices that lean on it.
    package let voices: [String]
}
