/// Why the configuration cannot be read or changed, and what to do about it.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// Where the fault lies.
    public enum Kind: Equatable, Sendable {
        /// The file cannot be read or says something wrong.
        case invalidFile
        /// A variable of the environment says something wrong.
        case invalidEnvironment
        /// A key or value that was asked for does not exist.
        case invalidRequest
        /// The file cannot be written.
        case unwritable
    }

    /// Where the fault lies.
    public let kind: Kind
    /// One sentence: what happened, with key and line where they are known.
    public let message: String
    /// One sentence: what to type next.
    public let remedy: String

    package init(_ kind: Kind, _ message: String, remedy: String) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
    }
}
