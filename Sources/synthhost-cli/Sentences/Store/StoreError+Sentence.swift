import ModelStore
import System

extension StoreError {
    /// One sentence: what happened.
    var message: String {
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
        case .invalidID(let id): "“\(id)” cannot be an id."
        case .idOfRegistry(let id): "\(id) is a voice of the registry already."
        case .noFile(let ending, let folder): "There is no file that ends in \(ending) in \(folder)."
        case .severalFiles(let ending, let folder): "Several files in \(folder) end in \(ending)."
        case .notWhole(let voice): "\(voice) is not whole after all."
        }
    }

    /// The same for the download of a voice, with its title.
    func message(ofDownloading title: String) -> String {
        guard case .noSpace(_, let root, let needed, let free) = self else {
            return "\(title) is not ready: \(message)"
        }
        return "\(title) \(Self.need(root, needed, free))"
    }

    /// One sentence or two: what to type next.
    ///
    /// - Parameter pull: the command that resumes the download; nil = the one that downloads the voice alone.
    func remedy(pull: String? = nil) -> String {
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
        case .invalidID: "Use letters, digits and . _ + - only."
        case .idOfRegistry: "Choose another id: --id NAME"
        case .noFile: "Put it beside the others, then run the same command."
        case .severalFiles: "Name the one that is meant."
        }
    }

    private static func need(_ root: String, _ needed: Int64, _ free: Int64) -> String {
        "needs \(ByteCount.words(needed)) on the disk of \(root) and \(ByteCount.words(free)) are free:"
            + " \(ByteCount.words(needed - free)) are missing."
    }
}
