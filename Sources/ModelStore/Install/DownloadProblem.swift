import System
package import VoiceCatalogue

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
