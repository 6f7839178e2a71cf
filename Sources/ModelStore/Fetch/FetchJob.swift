/// One download, as `synthhost-fetch` reads it from stdin: one line of JSON.
package struct FetchJob: Sendable, Hashable, Codable {
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
    package var patience: Patience

    package init(
        urls: [String], part: String, size: Int64, offset: Int64 = 0, tag: String? = nil,
        patience: Patience = Patience()
    ) {
        self.urls = urls
        self.part = part
        self.size = size
        self.offset = offset
        self.tag = tag
        self.patience = patience
    }
}
