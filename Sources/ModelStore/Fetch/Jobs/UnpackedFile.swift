/// A file that was unpacked from an archive.
package struct UnpackedFile: Sendable, Hashable, Codable {
    /// Relative to the folder that was unpacked to.
    package let path: String
    /// In bytes.
    package let size: Int64
    /// Hexadecimal; `nil` if no digests were requested.
    package let sha256: String?

    package init(path: String, size: Int64, sha256: String?) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}
