package import SynthModelStore
import SynthSystem

extension StoreError {
    /// One sentence: what happened.
    package var message: String {
        switch self {
        case .cancelled: "The download was stopped; what arrived is kept."
        case .busy(let entry, let process):
            "\(entry) is being changed by \(process.map { "process \($0)" } ?? "another process")."
        case .file(let failure): failure.message
        case .noSpace(let voice, let root, let needed, let free): "\(voice) \(Self.need(root, needed, free))"
        case .notDownloaded(let failure): failure.message
        case .wrongDigest(let file, let found, let expected, let source, _):
            "\(file) is not what the registry says: \(found) instead of \(expected), from \(source)."
        case .notUnpacked(let archive, let refusal, _): "\(archive) was not unpacked: \(refusal.words)."
        case .memberMissing(let archive, let member): "\(archive) holds no \(member)."
        case .notRead(let path, let cause): "\(path) was not read: \(cause.words)."
        case .changedWhileRead(let path): "\(path) changed while it was read."
        case .changedWhileVerified(let path, _): "\(path) changed while it was verified."
        case .removedMeanwhile(let voice): "\(voice) was downloaded, and then somebody removed it."
        case .notInStore(let voice): "\(voice) is not in the store."
        case .notOurs(let path): "\(path) is no folder of the store but a link or a file, and is left alone."
        case .notThere(let path): "\(path) is not there."
        case .invalidID(let id): "\"\(id)\" cannot be used: \(PlainID.flaw(of: id)?.rule ?? "it cannot be an id")."
        case .idOfOther(let id): "\(id) is the id of something else that you added."
        case .idDiffersByCase(let id, let other): "\(id) differs from \(other), which is installed, by case only."
        case .idOfRegistry(let id): "\(id) is a voice of the registry already."
        case .noFile(let ending, let folder): "There is no file that ends in \(ending) in \(folder)."
        case .severalFiles(let ending, let folder): "Several files in \(folder) end in \(ending)."
        case .notWhole(let voice): "\(voice) is not whole after all."
        }
    }

    /// The same for the download of a voice, with its title.
    package func message(ofDownloading title: String) -> String {
        guard case .noSpace(_, let root, let needed, let free) = self else {
            return "\(title) is not ready: \(message)"
        }
        return "\(title) \(Self.need(root, needed, free))"
    }

    /// One sentence or two: what to type next.
    ///
    /// - Parameter pull: the command that resumes the download; nil = the one that downloads the voice alone.
    package func remedy(pull: String? = nil) -> String {
        func pulling(_ voice: String) -> String { pull ?? "synthhost models pull \(voice)" }
        return switch self {
        case .cancelled: "Run the same command to go on."
        case .busy: "Wait for it, then run the same command."
        case .file(let failure): failure.remedy
        case .noSpace: "Free some space (synthhost models prune), then run the same command."
        case .notDownloaded(let failure): failure.remedy(pull: pulling(failure.voice))
        case .wrongDigest(_, _, _, _, let mirror): DownloadFailure.remedy(ofRefusal: mirror)
        case .notUnpacked(_, _, isGiven: true): "Unpack it, and add the folder."
        case .notUnpacked, .memberMissing: "Choose another voice, or report this to its publisher."
        case .notRead(_, .crashed):
            "Try again. If it stays, please report this message with what synthhost doctor says."
        case .notRead: "Install synthhost again; its program synthhost-fetch is damaged."
        case .changedWhileRead, .notWhole: "Run the same command again."
        case .changedWhileVerified(_, let voice), .removedMeanwhile(let voice): "Run: \(pulling(voice))"
        case .notInStore: "See what is: synthhost models list"
        case .notOurs(let path): "Remove it yourself, if nothing else needs it: rm \(ShellWord.quoted(path))"
        case .notThere(let path): "Look at its name: ls \(ShellWord.quoted(path))"
        case .invalidID, .idOfRegistry, .idOfOther, .idDiffersByCase: "Choose another id: --id NAME"
        case .noFile: "Put it beside the others, then run the same command."
        case .severalFiles: "Name the one that is meant."
        }
    }

    private static func need(_ root: String, _ needed: Int64, _ free: Int64) -> String {
        "needs \(ByteCount.words(needed)) on the disk of \(root) and \(ByteCount.words(free)) are free:"
            + " \(ByteCount.words(needed - free)) are missing."
    }
}

extension DownloadFailure {
    /// One sentence: what happened.
    package var message: String { "\(file) was not downloaded: \(cause.words)." }

    /// What to type next.
    ///
    /// - Parameter pull: the command that resumes the download.
    package func remedy(pull: String) -> String {
        let pull = "Run: \(pull)"
        return switch cause.kind {
        case .network: "Wait a moment or look at the connection, then go on where it stopped. \(pull)"
        case .refused, .archive: Self.remedy(ofRefusal: mirror)
        case .offline: "Go online (unset SYNTHHOST_OFFLINE, drop --offline). \(pull)"
        case .mirror: "Set SYNTHHOST_MIRROR to an https address, or unset it."
        case .diskFull: "Free some space (synthhost models prune), then go on. \(pull)"
        case .file: "Look at the permissions of \(folder). \(pull)"
        case .fileLimit: "Lift the limit (ulimit -f unlimited), then go on. \(pull)"
        case .cancelled: "Run the same command to go on."
        case .crash: "Try again. \(pull) If it stays, please report this message with what synthhost doctor says."
        case .program: "Install synthhost again; its program synthhost-fetch is damaged."
        }
    }

    /// The mirror comes first, because the user set it and it may be wrong.
    package static func remedy(ofRefusal mirror: String?) -> String {
        mirror.map { "Look at the mirror \($0), or unset SYNTHHOST_MIRROR to do without it." }
            ?? "Update synthhost, or choose another voice: synthhost voices --all"
    }
}

extension FileFailure {
    /// One sentence: what happened.
    package var message: String {
        switch reason {
        case .noSpace, .quotaExceeded: "The disk is full: \(path) could not be written."
        case .fileTooLarge where call != "read": "\(path) could not be written: no file may grow so large here."
        case .noAccess, .notPermitted, .readOnly: "\(path) is not yours to change: \(reason)."
        case .crossesLinks: "\(path) is a link, and synthhost changes nothing through a link."
        case .notFolder: "\(path) is no folder, and one is needed there."
        case .notOrdinaryFile, .isFolder: "\(path) is no ordinary file but a folder, a pipe, a socket or a device."
        default: "\(path): \(call) failed: \(reason)."
        }
    }

    /// One sentence: what to type next.
    package var remedy: String {
        let quoted = ShellWord.quoted(path)
        return switch reason {
        case .noSpace, .quotaExceeded: "Free some space (synthhost models prune), then run the same command."
        case .fileTooLarge where call != "read": "Lift the limit (ulimit -f unlimited), then run the same command."
        case .noAccess, .notPermitted, .readOnly: "Look at its permissions: ls -ld \(quoted)"
        case .crossesLinks: "Put what it points to in its place, or remove the link: rm \(quoted)"
        case .notFolder: "Move it away: mv \(quoted) ~"
        case .notOrdinaryFile, .isFolder: "Put a file in its place, or move it away."
        default: "Run the same command; if it stays, look at dmesg."
        }
    }
}

extension PruneCandidate.Reason {
    /// A clause about the file or folder: "no registry knows it".
    package var words: String {
        switch self {
        case .notAdded: "it was not added after all"
        case .brokenLink: "it is a link that leads nowhere"
        case .link: "it is a link to elsewhere"
        case .notAVoiceFolder: "it is no folder of a voice"
        case .notOurs: "synthhost did not make it"
        case .unusedModel: "no installed voice needs it"
        case .inNoRegistry: "no registry knows it"
        case .unfinishedDownload: "its download did not end"
        case .olderRevision: "there is a newer revision"
        case .unfinishedPreparation: "the process that was preparing it has ended"
        case .engineNotInstalled: "its engine is not installed"
        case .earlierVersion: "only an earlier version of synthhost uses it"
        case .engineFileGone: "the file of its engine is gone"
        }
    }
}
