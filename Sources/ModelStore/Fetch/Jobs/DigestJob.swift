package import VoiceCatalogue

/// Files to compute the digests of.
package struct DigestJob: Sendable, Hashable, Codable {
    package struct File: Sendable, Hashable, Codable {
        package var path: String
        /// The raw value of a `Digest.Algorithm`.
        package var algorithm: String

        package init(path: String, algorithm: Digest.Algorithm) {
            self.path = path
            self.algorithm = algorithm.rawValue
        }
    }

    package var files: [File]
    /// Whether the user named them. If so, links to them are followed.
    package var areGiven: Bool

    package init(files: [File], areGiven: Bool = false) {
        self.files = files
        self.areGiven = areGiven
    }
}
