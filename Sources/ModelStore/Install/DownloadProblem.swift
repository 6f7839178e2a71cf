import System

/// Why a voice was not downloaded, removed or verified.
@nonexhaustive
public enum VoiceDownloadProblem: Error, Sendable, Hashable {
    /// No server could be reached, or none went on.
    case network
    /// A server has no such file, or sends something else; the last status that one answered with, if any did.
    case refused(status: Int?)
    /// No network by the user's own wish.
    case offline
    /// In bytes, what is missing; nil = unknown.
    case diskFull(missing: Int64?)
    /// What arrived is not what was promised.
    case wrongContent
    /// A file or folder that could not be used, and its `errno` where there is one.
    case file(path: String, code: Int32?)
    /// Another process changes the same files; its id, where it could be told.
    case busy(process: Int32?)
    /// A program of the installation is missing, or failed.
    case installation
}

extension VoiceDownloadProblem {
    package init(_ error: StoreError) {
        switch error {
        case .file(let failure) where error.kind == .file:
            self = .file(path: failure.path, code: failure.reason.code)
        case .notDownloaded(let failure): self.init(failure.cause, at: failure.folder)
        case .notRead(let path, let cause): self.init(cause, at: path)
        case .busy(_, let process): self = .busy(process: process)
        case .noSpace(_, _, let needed, let free): self = .diskFull(missing: needed - free)
        case .file: self = .diskFull(missing: nil)
        case .changedWhileRead(let path), .changedWhileVerified(let path, _), .notOurs(let path), .notThere(let path):
            self = .file(path: path, code: nil)
        case .cancelled, .wrongDigest, .notUnpacked, .memberMissing, .removedMeanwhile, .notInStore, .invalidID,
            .idOfRegistry, .idOfOther, .noFile, .severalFiles, .notWhole:
            self = .wrongContent
        }
    }

    private init(_ cause: FetchFailure, at path: String) {
        switch cause {
        case .servers(let failures) where failures.contains(where: \.lacksAuthorities): self = .installation
        case .servers(let failures) where cause.kind == .refused:
            self = .refused(status: failures.compactMap(\.status).last)
        case .servers, .silent, .cancelled: self = .network
        case .offline: self = .offline
        case .mirror: self = .refused(status: nil)
        case .part(_, let missing) where cause.kind == .diskFull: self = .diskFull(missing: missing)
        case .part(let failure, _), .archive(.file(let failure)):
            self = .file(path: failure.path, code: failure.reason.code)
        case .archive: self = .wrongContent
        case .program, .died, .crashed: self = .installation
        }
    }
}

extension ServerFailure {
    fileprivate var lacksAuthorities: Bool {
        if case .noAuthorities = problem { true } else { false }
    }

    fileprivate var status: Int? {
        if case .status(let status, _) = problem { status } else { nil }
    }
}
