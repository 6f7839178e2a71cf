package import SynthSystem

extension StoreError: ErrorCause {
    package var code: SpeechError.Code {
        switch self {
        case .cancelled: .cancelled
        case .busy: .filesBusy
        case .file(let failure): failure.code
        case .noSpace: .diskFull
        case .notDownloaded(let failure): failure.cause.code
        case .wrongDigest, .notUnpacked, .memberMissing: .contentInvalid
        case .notRead(_, let cause): cause.code
        case .changedWhileRead, .changedWhileVerified, .removedMeanwhile, .notOurs, .notWhole: .storeFailed
        case .notInStore: .voiceNotInstalled
        case .notThere, .noFile, .severalFiles: .fileMissing
        case .invalidID, .idOfRegistry, .idOfOther, .idDiffersByCase: .idInvalid
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .cancelled: .init()
        case .busy(let entry, let process): .init(name: entry, process: process)
        case .file(let failure): failure.facts
        case .noSpace(let voice, let root, let needed, let free):
            .init(path: root, voice: voice, bytes: needed - free, limit: free)
        case .notDownloaded(let failure): failure.facts
        case .wrongDigest(let file, _, _, let source, _): .init(path: file, reason: source)
        case .notUnpacked(let archive, let refusal, _): .init(path: archive, reason: refusal.words)
        case .memberMissing(let archive, let member): .init(path: archive, name: member)
        case .notRead(let path, let cause): .init(path: path, reason: cause.words)
        case .changedWhileRead(let path), .notOurs(let path), .notThere(let path): .init(path: path)
        case .changedWhileVerified(let path, let voice): .init(path: path, voice: voice)
        case .removedMeanwhile(let voice), .notInStore(let voice), .notWhole(let voice): .init(voice: voice)
        case .invalidID(let id), .idOfRegistry(let id), .idOfOther(let id): .init(name: id)
        case .idDiffersByCase(let id, let other): .init(name: id, candidates: [other])
        case .noFile(let ending, let folder), .severalFiles(let ending, let folder): .init(path: folder, name: ending)
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .cancelled: .runAgain
        case .busy: .waitForProcess
        case .file(let failure): failure.remedy
        case .noSpace: .freeSpace(for: .voices)
        case .notDownloaded(let failure): failure.remedy
        case .wrongDigest(_, _, _, _, let mirror): DownloadFailure.remedy(ofRefusal: mirror)
        case .notUnpacked(_, _, isGiven: true): .unpackFirst
        case .notUnpacked, .memberMissing: .reportArchive
        case .notRead(_, .crashed): .reportCrash
        case .notRead: .reinstall
        case .changedWhileRead, .notWhole: .repeatCommand
        case .changedWhileVerified(_, let voice), .removedMeanwhile(let voice): .resumeDownload(voice, after: .change)
        case .notInStore: .listInstalled
        case .notOurs(let path): .removeFile(path)
        case .notThere(let path): .checkName(path)
        case .invalidID, .idOfRegistry, .idOfOther, .idDiffersByCase: .chooseOtherID
        case .noFile: .putFileBeside
        case .severalFiles: .nameOneFile
        }
    }

    package var message: String {
        switch self {
        case .cancelled: "The download was stopped. The data received so far is kept."
        case .busy(let entry, let process):
            "\(entry) is being changed by \(process.map { "process \($0)" } ?? "another process")."
        case .file(let failure): failure.message
        case .noSpace(let voice, let root, let needed, let free): "\(voice) \(Self.need(root, needed, free))"
        case .notDownloaded(let failure): failure.message
        case .wrongDigest(let file, let found, let expected, let source, _):
            "\(file) from \(source) does not match the registry: its checksum is \(found) instead of \(expected)."
        case .notUnpacked(let archive, let refusal, _): "\(archive) could not be unpacked: \(refusal.words)."
        case .memberMissing(let archive, let member): "\(archive) does not contain \(member)."
        case .notRead(let path, let cause): "\(path) could not be read: \(cause.words)."
        case .changedWhileRead(let path): "\(path) changed while it was being read."
        case .changedWhileVerified(let path, _): "\(path) changed while it was being verified."
        case .removedMeanwhile(let voice): "\(voice) was downloaded, but another program has removed it."
        case .notInStore(let voice): "\(voice) is not installed."
        case .notOurs(let path): "\(path) is a link or a file instead of a voice folder and was left unchanged."
        case .notThere(let path): "\(path) does not exist."
        case .invalidID(let id): "\"\(id)\" cannot be used: \(PlainID.flaw(of: id)?.rule ?? "it is not a valid ID")."
        case .idOfOther(let id): "\(id) is already the ID of another item that you added."
        case .idDiffersByCase(let id, let other): "\(id) differs only in case from \(other), which is installed."
        case .idOfRegistry(let id): "\(id) is already the ID of a registry voice."
        case .noFile(let ending, let folder): "\(folder) contains no file whose name ends in \(ending)."
        case .severalFiles(let ending, let folder): "Several files in \(folder) have names that end in \(ending)."
        case .notWhole(let voice): "\(voice) is incomplete after the download."
        }
    }

    /// Whether a server is rate-limiting the requests.
    package var isOfTooManyRequests: Bool {
        guard case .notDownloaded(let download) = self else { return false }
        return kind == .tryAgain && download.cause.isTooManyRequests
    }

    /// The message for a failed download of the voice with this title.
    package func message(ofDownloading title: String) -> String {
        guard case .noSpace(_, let root, let needed, let free) = self else {
            return "\(title) is not ready: \(message)"
        }
        return "\(title) \(Self.need(root, needed, free))"
    }

    private static func need(_ root: String, _ needed: Int64, _ free: Int64) -> String {
        "needs \(ByteCount.words(needed)) on the disk that contains \(root), but only \(ByteCount.words(free)) is free;"
            + " \(ByteCount.words(needed - free)) more is needed."
    }
}

extension DownloadFailure {
    package var facts: SpeechError.Facts {
        var facts = cause.facts
        facts.voice = voice
        if facts.path == nil { facts.path = file }
        return facts
    }

    package var remedy: SpeechError.Remedy {
        switch cause.kind {
        case .network: .resumeDownload(voice, after: .network)
        case .refused, .archive: Self.remedy(ofRefusal: mirror)
        case .offline: .resumeDownload(voice, after: .offline)
        case .mirror: .correctMirror
        case .diskFull: .resumeDownload(voice, after: .fullDisk)
        case .file: .resumeDownload(voice, after: .permissions(folder))
        case .fileLimit: .resumeDownload(voice, after: .fileLimit)
        case .cancelled: .runAgain
        case .crash: .resumeDownload(voice, after: .crash)
        case .program: .reinstall
        }
    }

    /// Suggests checking the mirror first, because the user configured it.
    static func remedy(ofRefusal mirror: String?) -> SpeechError.Remedy { mirror.map { .checkMirror($0) } ?? .update }

    /// Describes the failure in one sentence.
    package var message: String { "\(file) was not downloaded: \(cause.words)." }
}
