/// A file that a voice or model needs, with its download URL.
package struct ModelFile: Sendable, Hashable {
    /// The role as defined by the engine: `[a-z0-9-]+`.
    package let role: String
    /// The file name in the store.
    package let name: String
    package let url: String
    /// Additional URLs for the same file, which are tried in order if the first URL fails.
    package var mirrors: [String] = []
    /// The download size in bytes.
    package let size: Int64
    package let digest: Digest
    /// The expected contents of an archive, which is unpacked and then deleted; nil if the file is not an archive.
    package var archive: ArchiveContents?
    /// Whether a voice is complete without this file.
    package var isOptional = false
    /// The language (BCP 47) whose voices use this file; nil for all languages.
    package var language: String?

    /// The unpacked size in bytes, or an estimate if it is unknown; 0 if the file is not an archive.
    package var unpackedSize: Int64 { archive.map { $0.unpackedSize ?? size * 2 } ?? 0 }
}

/// Archive properties that are known before the archive is opened.
package struct ArchiveContents: Sendable, Hashable {
    /// The unpacked size in bytes, if the publisher specifies it.
    package let unpackedSize: Int64?
    /// The member for each role; a trailing slash denotes a folder and everything in it. If empty, the archive's role
    /// refers to the entire unpacked folder.
    package let roles: [String: String]
    /// All allowed members; nil if the publisher provides no list. A trailing slash allows everything in the folder.
    package let members: [String]?

    package init(unpackedSize: Int64? = nil, roles: [String: String] = [:], members: [String]? = nil) {
        self.unpackedSize = unpackedSize
        self.roles = roles
        self.members = members
    }
}

/// The supported archive formats, identified by file name.
package enum ArchiveKind: String, CaseIterable {
    case tarBzip2 = ".tar.bz2"
    case tarGzip = ".tar.gz"
    case zip = ".zip"
    /// A Python package, which is a ZIP archive.
    case wheel = ".whl"

    package init?(name: String) {
        guard let kind = ArchiveKind.allCases.first(where: { name.lowercased().hasSuffix($0.rawValue) }) else {
            return nil
        }
        self = kind
    }
}

/// The expected digest of a file.
package struct Digest: Sendable, Hashable {
    /// The digest algorithms that registries may use.
    package enum Algorithm: String, Sendable, Codable {
        case sha256
        /// Used only if the publisher provides no stronger digest. MD5 detects damage but not tampering.
        case md5

        var hexadecimalLength: Int { self == .sha256 ? 64 : 32 }
    }

    package let algorithm: Algorithm
    /// The digest in lowercase hexadecimal digits.
    package let hexadecimal: String

    /// Returns nil unless `hexadecimal` has the correct length for the algorithm and contains only lowercase
    /// hexadecimal digits.
    package init?(_ algorithm: Algorithm, _ hexadecimal: String) {
        let digits = hexadecimal.utf8
        guard digits.count == algorithm.hexadecimalLength,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.algorithm = algorithm
        self.hexadecimal = hexadecimal
    }
}

extension Digest: CustomStringConvertible {
    package var description: String { "\(algorithm.rawValue):\(hexadecimal)" }
}
