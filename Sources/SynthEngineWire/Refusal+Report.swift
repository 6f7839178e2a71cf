import Glibc
package import SynthSystem

extension Refusal {
    /// The problem, as a phrase that follows the file name: "is not a shared library".
    package var reason: String { part.words + flaw.words }

    package var facts: SpeechError.Facts {
        switch flaw {
        case .lacksLibrary(let name): .init(library: name, reason: reason)
        case .cannotBeOpened(let error), .cannotBeRead(let error), .unreadableAccessList(let error):
            .init(reason: reason, errno: error.code)
        case .ofOtherUser(let path), .writableByAll(let path), .writableByGroup(let path), .writableByOthers(let path),
            .sharedFolder(let path):
            .init(path: path, reason: reason)
        default: .init(reason: reason)
        }
    }

    /// The remedy for the problem.
    package var remedy: SpeechError.Remedy {
        switch flaw {
        case .cannotBeOpened(let error) where error.code == EMFILE, .cannotBeRead(let error) where error.code == EMFILE:
            .raiseLimit(.descriptors)
        case .cannotBeOpened(.noAccess), .cannotBeRead(.noAccess): .checkFile
        case .damaged: .copyAgain
        case .lacksLibrary(let name): .installLibrary(name)
        case .cannotBeMapped: .checkMemory
        // A missing search folder usually existed only on the machine where the file was built.
        case .absentFolder: .rebuildHere
        case .ofOtherUser, .sharedFolder:
            if case .searchFolder = part { .rebuildHere } else { ofOthers }
        case .writableByAll(let path): .withdrawRights(path, .everybody)
        case .writableByGroup(let path): .withdrawRights(path, .group)
        case .writableByOthers(let path): .withdrawRights(path, .accessList)
        case .unconfined: .allowUnconfined
        case .notAbsolute: .rebuildWithOrigin
        case .noEntry, .noRecognizer: .removePlugin
        default:
            switch kind {
            case .notLoadable, .untrusted: .replacePlugin
            case .incompatible: .updatePlugin(version: hostVersion)
            case .broken: .reportToAuthor
            }
        }
    }

    /// The remedy for a file or folder that other users own or can change.
    private var ofOthers: SpeechError.Remedy {
        if case .ofOtherUser(let path) = flaw { .trustFile(path) } else { .moveToOwnFolder }
    }
}

extension Refusal.Flaw {
    fileprivate var words: String {
        switch self {
        case .cannotBeOpened(let error): "cannot be opened: \(error)"
        case .cannotBeRead(let error): "cannot be read: \(error)"
        case .notRegularFile: "is not a regular file"
        case .empty: "is empty"
        case .notSharedLibrary: "is not a shared library"
        case .otherMachine: "was built for a different type of machine"
        case .damaged: "is damaged or truncated"
        case .lacksLibrary(let name): "needs the library \(name), which is not installed"
        case .cannotBeLoaded(let detail), .cannotBeMapped(let detail): "cannot be loaded: \(detail)"
        case .ofOtherUser: "belongs to another user"
        case .writableByAll: "is writable by all users"
        case .writableByGroup: "is writable by a group"
        case .writableByOthers: "is writable by other users through its access control list"
        case .sharedFolder: "is writable by all users"
        case .absentFolder: "does not exist, and other users could create it"
        case .unreadableAccessList(let error): "has an access control list that cannot be read: \(error)"
        case .notAbsolute: "depends on the working directory"
        case .unconfined: "was not loaded, because this system cannot confine it as limits.confinement requires"
        case .noEntry: "is not a speech engine: it has no function synth_engine_entry"
        case .noRecognizer: "is not a speech recognizer: it has no function synth_recognizer_entry"
        case .noTable(let version): "does not support version \(version) of the engine interface"
        case .otherVersion(let version, let host):
            "was built for version \(version) of the engine interface; this synthhost supports version \(host)"
        case .missingFunction: "lacks a required function"
        case .description(let flaw): flaw.words
        }
    }
}

extension EnginePart {
    /// The phrase between the engine's name and the problem.
    fileprivate var words: String {
        switch self {
        case .file: ""
        case .folder(let path): "is in the folder \(path), which "
        case .library(let path): "needs \(path), which "
        case .searchFolder(let path, let library): Self.words(library) + "searches for libraries in \(path), which "
        case .searchElement(let text, let library):
            Self.words(library)
                + "searches for libraries in \(text.isEmpty ? "the working directory" : "\"\(text)\""), which "
        case .namedLibrary(let name, let library): Self.words(library) + "needs the library \(name), which "
        }
    }

    private static func words(_ library: String?) -> String { library.map { "needs \($0), which " } ?? "" }
}

extension DescriptionFlaw {
    /// The problem, as a clause that follows the engine's name.
    package var words: String {
        switch self {
        case .unusable(let field): "has no valid \(field.words)"
        case .unusableList(let field): "has no valid list of \(field.words)"
        case .forbiddenCharacters(let text, let field) where field.isID && PlainID.flaw(of: text) != nil:
            "declares \"\(text)\" as the \(field.words), but \(PlainID.flaw(of: text)?.rule ?? "")"
        case .forbiddenCharacters(let text, let field):
            "declares \"\(text)\" as the \(field.words), which contains invalid characters"
        case .unusableRange(let low, let high, let field):
            "declares \(low) to \(high) as the range of its \(field.words), which must be positive and include 1"
        case .tooMany(let field, let most): "has more than \(most) \(field.words)"
        case .sameID(let id): "has two voices with the ID \(id)"
        case .sameModelID(let id): "has two models with the ID \(id)"
        case .differsByCase(let id, let other): "declares the IDs \(other) and \(id), which differ only in case"
        case .missingFile(let voice): "has a NULL entry in the file list of the voice \(voice)"
        }
    }
}

extension DescriptionField {
    fileprivate var isID: Bool { [.id, .voiceID, .modelID].contains(name) }
    fileprivate var words: String { name.rawValue + (voice.map { " \($0)" } ?? "") }
}
