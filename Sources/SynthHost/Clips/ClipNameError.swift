package import System

/// Why a name means no clip.
package enum ClipNameError: Error, Hashable, Sendable {
    /// There is no clip of that name; names near it.
    case unknown(String, near: [String])
    /// Several files of the folder of clips have the name.
    case several(String, files: [String])
    /// The folder of clips cannot be read.
    case folder(String, Errno)
    /// A document names a path, and nothing says which folder it may mean.
    case pathNotAllowed(String)
    /// A document names a path from the root, or an address.
    case notRelative(String)
    /// A document names more channels for clips than may sound beside each other.
    case tooManyChannels(String, limit: Int)
    /// The path that a document names leads out of its folder.
    case outside(String, folder: String)
}
