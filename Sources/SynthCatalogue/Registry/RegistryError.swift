package import SynthSystem

/// Why a registry, or a voice declared by an engine, cannot be used.
package struct RegistryError: Error, Sendable, Equatable {
    /// The source of the invalid data.
    package enum Origin: Sendable, Hashable {
        case file(String)
        case engine(String)

        /// The path or ID.
        package var name: String {
            switch self {
            case .file(let path): path
            case .engine(let id): id
            }
        }
    }

    /// The entry or key that has the problem.
    package enum Subject: Sendable, Equatable {
        case source(String)
        case model(String)
        case voice(String)
        case engine(String)
        /// A key that is unknown or has an invalid value.
        case key(String)

        /// The entry's ID; nil for a key.
        package var id: String? {
            switch self {
            case .source(let id), .model(let id), .voice(let id), .engine(let id): id
            case .key: nil
            }
        }
    }

    package let origin: Origin
    /// The line number, starting at 1.
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

/// A problem with a registry, with an entry in it, or with a voice declared by an engine.
package enum RegistryProblem: Sendable, Equatable {
    // Problems with the text:
    /// The value is the system's message for the `errno`.
    case unreadable(reason: String)
    case missingKey(String)
    case wrongKind
    case missingValue
    /// The text is not JSON, or is not in the registry format.
    case malformed

    // Problems with names:
    case badID
    case repeatedID
    /// The values are the earlier id and its location. On a case-insensitive file system, both ids would refer to the
    /// same folder.
    case differsByCase(from: String, file: String, line: Int?)
    case noName
    /// A name or accent that violates the rules of `UserChosenName`.
    case badName
    case modelOfSameID
    case unknownModel(String)
    case unknownSource(String)
    case badRole(String)

    // Problems with numbers:
    case badCost
    /// The size of the file with this name or role is invalid.
    case badSize(String)
    case badUnpackedSize(String)

    // Problems with files:
    case noFiles
    case noFilesNorModel
    case repeatedFile(String)
    /// The URL is not allowed for downloads. `reason` is the explanation from `WebAddress`.
    case badAddress(reason: String)
    case badPath(String)
    /// There is a path, but no source that it is relative to.
    case pathWithoutSource(String)
    case noAddress(role: String)
    /// The URL does not end with a valid file name.
    case namelessAddress(String)
    case noDigest(String)
    case notAnArchive(String)
    case badMember(String, archive: String)
    case badProbeFile(String)

    // Problems with engine hints:
    case badEnding(String)
    case badPrefix(String)
    case badOrigin(String)
    case emptySign(role: String)
    /// Only one engine can be the default.
    case secondFirst(after: String)

    // Problems with engines' declarations:
    case engineNamesNoFolder
    case idNamesNoFolder
    case modelNamesNoFolder
    case noSHA256(role: String)
    case addressNamesNoFile(String)
}

extension RegistryError: ErrorCause {
    package var code: SpeechError.Code { .registryInvalid }

    package var facts: SpeechError.Facts {
        switch origin {
        case .file(let path): .init(path: path, line: line, name: subject?.id, reason: clause)
        case .engine(let id): .init(line: line, name: subject?.id, engine: id, reason: clause)
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch (origin, problem) {
        case (.engine, _): .reportEngine
        case (.file, .unreadable): .checkRegistry
        case (.file, _): .correctRegistry
        }
    }

    /// Describes the problem and its location.
    package var message: String {
        let location =
            switch origin {
            case .file(let path): path
            case .engine(let id): "engine \(id)"
            }
        let what =
            switch subject {
            case .source(let id): "source \(id): "
            case .model(let id): "model \(id): "
            case .voice(let id): "voice \(id): "
            case .engine(let id): "engine \(id): "
            case .key(let name): "\"\(name)\": "
            case nil: ""
            }
        return "\(line.map { "\(location), line \($0)" } ?? location): \(what)\(clause)."
    }

    private var clause: String {
        switch problem {
        case .badID, .idNamesNoFolder: subject?.id.flatMap { PlainID.flaw(of: $0)?.rule } ?? problem.clause
        case .engineNamesNoFolder:
            PlainID.flaw(of: origin.name).map { "the engine's ID is invalid: \($0.rule)" } ?? problem.clause
        case .differsByCase(let id, let file, let line):
            "the ID differs only in case from \"\(id)\" in "
                + [file == origin.name ? nil : file, line.map { "line \($0)" }].compactMap(\.self).joined(
                    separator: ", ")
                + ", and both would share one folder on some file systems. Change one of them"
        default: problem.clause
        }
    }
}

extension RegistryProblem {
    fileprivate var clause: String {
        switch self {
        case .unreadable(let reason): "it cannot be read: \(reason)"
        case .missingKey(let key): "\"\(key)\" is missing"
        case .wrongKind: "a value has the wrong type"
        case .missingValue: "a value is missing"
        case .malformed: "the text is not valid registry JSON"
        case .badID: "an ID may contain only letters, digits and . _ + -"
        case .repeatedID: "the ID is used twice"
        case .differsByCase(let id, _, _): "the ID differs only in case from \"\(id)\""
        case .noName: "it has no name"
        case .badName: "a name must be \(UserChosenName.expectation)"
        case .modelOfSameID: "a model has the same ID"
        case .unknownModel(let id): "no model has the ID \(id)"
        case .unknownSource(let id): "no source has the ID \(id)"
        case .badRole(let role): "\"\(role)\" is not a valid role name"
        case .badCost: "a cost must be greater than 0"
        case .badSize(let file): "\(file) has an invalid size"
        case .badUnpackedSize(let file): "\(file) has an invalid unpacked size"
        case .noFiles: "it has no files"
        case .noFilesNorModel: "it has neither files nor a model"
        case .repeatedFile(let name): "two of its files are called \(name)"
        case .badAddress(let reason): reason
        case .badPath(let path): "\"\(path)\" is not a valid relative path"
        case .pathWithoutSource(let path): "\(path) has no source"
        case .noAddress(let role): "its \(role) has neither path nor url"
        case .namelessAddress(let address): "\(address) does not end with a valid file name"
        case .noDigest(let file): "\(file) has no valid sha256 or md5"
        case .notAnArchive(let file): "\(file) is not a supported archive"
        case .badMember(let member, let archive): "\"\(member)\" in \(archive) is not a valid relative path"
        case .badProbeFile(let name): "\"\(name)\" is not a valid file name for its probe"
        case .badEnding(let ending): "\"\(ending)\" is not a valid file extension"
        case .badPrefix(let prefix): "\"\(prefix)\" cannot be used at the beginning of a file name"
        case .badOrigin(let name): "\"\(name)\" is not a file name"
        case .emptySign(let role): "its \"signs\" entry for \(role) is empty"
        case .secondFirst(let first): "\"first\" is already set for the engine \(first)"
        case .engineNamesNoFolder: "the engine's ID cannot be used as a folder name"
        case .idNamesNoFolder: "its ID cannot be used as a folder name"
        case .modelNamesNoFolder: "its model's ID cannot be used as a folder name"
        case .noSHA256(let role): "\(role) has no sha256"
        case .addressNamesNoFile(let address): "\(address) does not contain a file name"
        }
    }
}
