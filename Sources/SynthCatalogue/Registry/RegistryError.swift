/// Why a registry, or a voice that an engine declares, cannot be used.
package struct RegistryError: Error, Sendable, Equatable {
    /// Where the invalid data comes from.
    package enum Origin: Sendable, Hashable {
        /// A path.
        case file(String)
        /// An id.
        case engine(String)

        /// The path, or the id.
        package var name: String {
            switch self {
            case .file(let path): path
            case .engine(let id): id
            }
        }
    }

    /// What the problem is about, by its id.
    package enum Subject: Sendable, Equatable {
        case source(String)
        case model(String)
        case voice(String)
        case engine(String)
        /// A key that the registry does not have, or one with a wrong value.
        case key(String)

        /// nil for a key.
        package var id: String? {
            switch self {
            case .source(let id), .model(let id), .voice(let id), .engine(let id): id
            case .key: nil
            }
        }
    }

    package let origin: Origin
    /// Counted from 1.
    package let line: Int?
    package let subject: Subject?
    package let problem: RegistryProblem

    package init(origin: Origin, line: Int? = nil, subject: Subject? = nil, _ problem: RegistryProblem) {
        self.origin = origin
        self.line = line
        self.subject = subject
        self.problem = problem
    }
}

/// What is wrong with a registry, with a part of it, or with a voice that an engine declares.
package enum RegistryProblem: Sendable, Equatable {
    // The text.
    /// The system's message for the `errno`.
    case unreadable(reason: String)
    case missingKey(String)
    case wrongKind
    case missingValue
    /// It is not JSON, or not what the registry allows.
    case malformed

    // Names.
    case badID
    case repeatedID
    /// An earlier id, and where it is. On a file system that ignores case both would name one folder.
    case differsByCase(from: String, file: String, line: Int?)
    case noName
    /// A name or an accent that breaks the rules of `GivenName`.
    case badName
    case modelOfSameID
    case unknownModel(String)
    case unknownSource(String)
    case badRole(String)

    // Numbers.
    /// A cost that is not above 0.
    case badCost
    /// The size of the file of that name or role.
    case badSize(String)
    case badUnpackedSize(String)

    // Files.
    case noFiles
    case noFilesNorModel
    /// Two of one name.
    case repeatedFile(String)
    /// `WebAddress` says why nothing is downloaded from there.
    case badAddress(reason: String)
    case badPath(String)
    /// A path, and no source that it is relative to.
    case pathWithoutSource(String)
    /// Neither path nor address.
    case noAddress(role: String)
    /// The address does not end with a valid file name.
    case namelessAddress(String)
    case noDigest(String)
    case notAnArchive(String)
    case badMember(String, archive: String)
    case badProbeFile(String)

    // Hints on engines.
    case badEnding(String)
    case badPrefix(String)
    case badOrigin(String)
    case emptySign(role: String)
    /// Only one engine can be the default.
    case secondFirst(after: String)

    // What engines declare.
    case engineNamesNoFolder
    case idNamesNoFolder
    case modelNamesNoFolder
    case noSHA256(role: String)
    case addressNamesNoFile(String)
}
