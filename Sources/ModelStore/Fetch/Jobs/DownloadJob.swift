package import VoiceCatalogue

/// One file to bring from the network.
package struct DownloadJob: Sendable, Hashable, Codable {
    /// In the order in which they are tried; all give the same bytes.
    package var urls: [String]
    /// Where the bytes go. Kept after a failure.
    package var part: String
    /// In bytes, of the whole file.
    package var size: Int64
    /// What is in `part` already; 0 empties it.
    package var offset: Int64
    /// What the server called the version that the bytes in `part` are of.
    package var tag: String?
    /// Of the digest that is computed when the file is whole, the raw value of a `Digest.Algorithm`; nil = none is.
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
