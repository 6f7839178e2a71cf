package import SynthCatalogue
package import SynthSystem

/// Why a store operation failed. Voices and entries are identified by their IDs, files by their paths.
package enum StoreError: Error, Sendable, Equatable {
    /// The operation was cancelled. Downloaded bytes are kept.
    case cancelled
    /// Another process is changing the entry; `process` is its ID, if known.
    case busy(entry: String, process: Int32?)
    case file(FileFailure)
    /// The file system of `root` is full. Sizes are in bytes.
    case noSpace(voice: String, root: String, needed: Int64, free: Int64)
    case notDownloaded(DownloadFailure)
    /// `source` is the URL of the file.
    case wrongDigest(file: String, found: Digest, expected: Digest, source: String, mirror: String?)
    /// `isGiven` is true if the user specified the archive, and false if it was downloaded.
    case notUnpacked(archive: String, ArchiveRefusal, isGiven: Bool)
    case memberMissing(archive: String, member: String)
    /// The program that unpacks archives and computes digests failed to process the file.
    case notRead(path: String, FetchFailure)
    case changedWhileRead(path: String)
    case changedWhileVerified(path: String, voice: String)
    /// The voice was downloaded, but another process removed it before the download ended.
    case removedMeanwhile(voice: String)
    case notInStore(voice: String)
    /// The path of a voice's folder refers to a link or a file.
    case notOurs(path: String)
    /// The user's own files do not exist.
    case notThere(path: String)
    case invalidID(String)
    case idOfRegistry(String)
    /// The user previously added a recognizer model with this ID and is now adding a voice, or vice versa.
    case idOfOther(String)
    /// The ID differs only in case from another entry's id. On some file systems, both entries would share one folder.
    case idDiffersByCase(String, from: String)
    case noFile(ending: String, folder: String)
    case severalFiles(ending: String, folder: String)
    /// The copied files do not form a complete voice.
    case notWhole(voice: String)

    /// The categories of errors that callers must distinguish.
    package enum Kind: Sendable, Hashable {
        /// A problem with the network, a server or a lock; a retry may succeed.
        case tryAgain
        case refused
        case offline
        case diskFull
        /// The downloaded data does not match the registry.
        case wrongContent
        /// A disk or permission error.
        case file
        case cancelled
        /// The store has no entry with this name, or the entry cannot be added.
        case unknown
    }

    package var kind: Kind {
        switch self {
        case .cancelled: .cancelled
        case .busy: .tryAgain
        case .file(let failure): failure.code == .diskFull ? .diskFull : .file
        case .noSpace: .diskFull
        case .notDownloaded(let failure): Kind(failure.cause)
        case .wrongDigest, .notUnpacked, .memberMissing: .wrongContent
        case .notRead(_, let cause): Kind(cause)
        case .changedWhileRead, .changedWhileVerified, .removedMeanwhile, .notOurs, .notWhole: .file
        case .notInStore, .notThere, .invalidID, .idOfRegistry, .idOfOther, .idDiffersByCase, .noFile,
            .severalFiles:
            .unknown
        }
    }
}

extension StoreError.Kind {
    fileprivate init(_ cause: FetchFailure) {
        switch cause.kind {
        case .network, .crash: self = .tryAgain
        case .refused, .mirror: self = .refused
        case .offline: self = .offline
        case .diskFull: self = .diskFull
        case .file, .fileLimit, .program: self = .file
        case .archive: self = .wrongContent
        case .cancelled: self = .cancelled
        }
    }
}

/// Runs a body that changes files, and converts its error.
func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
    do { try body() } catch { throw .file(error) }
}

extension StoreError {
    init(_ failure: FetchFailure, unpacking name: String, at path: String, isGiven: Bool) {
        switch failure {
        case .cancelled: self = .cancelled
        case .archive(.file(let failure)): self = .file(failure)
        case .archive(let refusal): self = .notUnpacked(archive: name, refusal, isGiven: isGiven)
        default: self = .notRead(path: path, failure)
        }
    }
}

/// A failed download of a file.
package struct DownloadFailure: Sendable, Equatable {
    /// The file name.
    package let file: String
    /// The display name of the voice or model that the file belongs to.
    package let voice: String
    /// The folder in which the file would be stored.
    package let folder: String
    /// The user's mirror, if it was tried.
    package let mirror: String?
    package let cause: FetchFailure

    package init(file: String, voice: String, folder: String, mirror: String?, _ cause: FetchFailure) {
        self.file = file
        self.voice = voice
        self.folder = folder
        self.mirror = mirror
        self.cause = cause
    }
}
