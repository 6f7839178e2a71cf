/// The address of a file of a declared voice.
public struct FileSource: Sendable {
    public var role: String
    /// https, of a fixed revision.
    public var url: String
    /// 64 hexadecimal digits.
    public var sha256: String
    /// In bytes.
    public var size: UInt64

    public init(role: String, url: String, sha256: String, size: UInt64) {
        self.role = role
        self.url = url
        self.sha256 = sha256
        self.size = size
    }
}
