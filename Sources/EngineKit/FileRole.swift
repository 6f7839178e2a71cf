import CSynthEngine

/// A kind of file that the voices of an engine use.
public struct FileRole: Sendable {
    public enum Scope: Sendable {
        /// Handed to `load`; voices that share a model share the file.
        case model
        /// Handed over with each request that uses the voice.
        case voice
    }

    /// `[a-z0-9-]+`
    public var name: String
    public var scope: Scope
    public var isOptional: Bool
    /// The file is an unpacked archive, and its path names the folder.
    public var isFolder: Bool

    public init(_ name: String, scope: Scope, isOptional: Bool = false, isFolder: Bool = false) {
        self.name = name
        self.scope = scope
        self.isOptional = isOptional
        self.isFolder = isFolder
    }
}
