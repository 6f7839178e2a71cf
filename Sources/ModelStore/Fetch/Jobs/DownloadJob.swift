package import VoiceCatalogue

/// One file to download.
package struct DownloadJob: Sendable, Hashable, Codable {
    /// All give the same bytes. They are tried in this order.
    package var urls: [String]
    /// The file that the bytes are written to. Kept after a failure.
    package var part: String
    /// Of the whole file, in bytes.
    package var size: Int64
    /// The bytes that `part` has already; 0 empties it.
    package var offset: Int64
    /// The server's entity tag for the version that the bytes in `part` belong to.
    package var tag: String?
    /// For the digest of the complete file, the raw value of a `Digest.Algorithm`; nil = no digest.
    package var algorithm: String?
    package var retries: RetryPolicy

    package init(
        urls: [String], part: String, size: Int64, offset: Int64 = 0, tag: String? = nil,
        algorithm: Digest.Algorithm? = nil, retries: RetryPolicy = RetryPolicy()
    ) {
        self.urls = urls
        self.part = part
        self.size = size
        self.offset = offset
        self.tag = tag
        self.algorithm = algorithm?.rawValue
        self.retries = retries
    }
}
