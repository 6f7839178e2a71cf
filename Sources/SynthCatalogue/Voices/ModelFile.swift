/// One file that a voice or a model needs, with its download address.
package struct ModelFile: Sendable, Hashable {
    /// The engine's name for it: `[a-z0-9-]+`.
    package let role: String
    /// Its name in the store's folder.
    package let name: String
    package let url: String
    /// Further addresses of the same file, asked in order if the first does not give it.
    package let mirrors: [String]
    /// In bytes, as it is downloaded.
    package let size: Int64
    package let digest: Digest
    /// Set if the file is an archive, which is unpacked and then deleted.
    package let archive: ArchiveContents?
    /// Whether a voice is complete without it.
    package let isOptional: Bool
    /// The language (BCP-47) whose voices use it; nil = any.
    package let language: String?

    package init(
        role: String, name: String, url: String, mirrors: [String] = [], size: Int64, digest: Digest,
        archive: ArchiveContents? = nil, isOptional: Bool = false, language: String? = nil
    ) {
        self.role = role
        self.name = name
        self.url = url
        self.mirrors = mirrors
        self.size = size
        self.digest = digest
        self.archive = archive
        self.isOptional = isOptional
        self.language = language
    }

    /// The unpacked size in bytes, estimated if it is not known; 0 if it is not an archive.
    package var unpackedSize: Int64 { archive.map { $0.unpackedSize ?? size * 2 } ?? 0 }
}

/// The contents of an archive, as far as they are known before it is opened.
package struct ArchiveContents: Sendable, Hashable {
    /// In bytes, if upstream states it.
    package let unpackedSize: Int64?
    /// The member of each role; one that ends in a slash is a folder with everything below it. Empty = the role of the
    /// archive means the whole unpacked folder.
    package let roles: [String: String]
    /// All allowed members; `nil` if upstream publishes no list. A name that ends in a slash allows everything below
    /// it.
    package let members: [String]?

    package init(unpackedSize: Int64? = nil, roles: [String: String] = [:], members: [String]? = nil) {
        self.unpackedSize = unpackedSize
        self.roles = roles
        self.members = members
    }
}

/// The supported kinds of archives, recognised by their names.
package enum ArchiveKind: String, CaseIterable {
    case tarBzip2 = ".tar.bz2"
    case tarGzip = ".tar.gz"
    case zip = ".zip"
    /// A package of Python, which is one of these, too.
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
    package enum Algorithm: String, Sendable {
        case sha256
        /// Only if upstream publishes nothing stronger. It detects damage, not manipulation.
        case md5

        var hexadecimalLength: Int { self == .sha256 ? 64 : 32 }
    }

    package let algorithm: Algorithm
    /// Lower-case hexadecimal.
    package let hexadecimal: String

    /// `nil` unless `hexadecimal` has the algorithm's length and nothing but lower-case hexadecimal digits.
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
