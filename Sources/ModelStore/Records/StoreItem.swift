/// One entry of the store in a list of disk use.
package struct StoreItem: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case voice, model
        /// Unfinished downloads.
        case incomplete
    }

    /// The name of its folder.
    package let name: String
    package let kind: Kind
    /// All files below its folder, in bytes.
    package let size: Int64
    /// In seconds since 1970; `nil` if it was never complete.
    package let lastUsed: Int64?
    /// For a model, the installed voices that use it.
    package let voices: [String]
}
