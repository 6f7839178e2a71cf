import VoiceCatalogue

/// Brings one file under its final name: downloaded, verified, on the disk. Blocks.
struct FileInstaller {
    let file: ModelFile
    let folder: String
    let voiceID: String
    let files: any StoreFiles
    let fetcher: any Fetcher
    let network: NetworkPolicy
    let cancellation: Cancellation
    let report: (InstallStep) -> Void

    private var path: String { folder + "/" + file.name }
    private var part: String { path + StoreLayout.partSuffix }
    private var tagFile: String { path + StoreLayout.tagSuffix }

    func install(_ lock: StoreLock) throws(StoreError) {
        if try isThere() { return report(.arrived(bytes: file.size, file: file.name)) }
        for isLast in [false, true] {
            let source = try download(lock)
            report(.verifying)
            let found = try digest(of: part)
            if found == file.digest { break }
            try perform { () throws(FileFailure) in
                try files.removeAll(part)
                try files.removeAll(tagFile)
            }
            if isLast {
                throw StoreError(
                    .wrongContent,
                    "\(file.name) is not what the registry says: \(found) instead of \(file.digest), from \(source).",
                    remedy: refusalRemedy)
            }
            report(.arrived(bytes: 0, file: file.name))
        }
        try perform { () throws(FileFailure) in
            try files.syncFile(part)
            try files.rename(part, to: path)
            try files.syncFolder(folder)
            try files.removeAll(tagFile)
        }
        report(.arrived(bytes: file.size, file: file.name))
    }

    /// Whether an earlier run, which did not get as far as the record, brought the file. What is wrong is removed.
    private func isThere() throws(StoreError) -> Bool {
        guard let status = try? files.status(of: path) else { return false }
        if status.kind == .regular, status.size == file.size {
            report(.verifying)
            if try digest(of: path) == file.digest { return true }
        }
        try perform { () throws(FileFailure) in try files.removeAll(path) }
        return false
    }

    private func digest(of path: String) throws(StoreError) -> Digest {
        do throws(FileFailure) {
            let found = try FileDigest.compute(file.digest.algorithm, of: path, files) { cancellation.isCancelled }
            if let found { return found }
        } catch {
            throw error.asStoreError
        }
        if cancellation.isCancelled { throw .cancelled }
        throw StoreError(.file, "\(path) changed while it was verified.", remedy: StoreError.pullRemedy(voiceID))
    }

    /// Fills the part file. Returns the address that its last bytes came from.
    private func download(_ lock: StoreLock) throws(StoreError) -> String {
        if cancellation.isCancelled { throw .cancelled }
        var offset: Int64 = 0
        if let status = try? files.status(of: part) {
            if status.kind == .regular, status.size <= file.size {
                offset = status.size
            } else {
                try perform { () throws(FileFailure) in try files.removeAll(part) }
            }
        }
        report(.arrived(bytes: offset, file: file.name))
        if offset == file.size { return savedTag()?.url ?? file.url }
        if network.isOffline { throw failure(FetchFailure(.offline, "this is offline")) }
        do throws(FetchFailure) {
            let urls = try network.addresses(for: file.url)
            let job = FetchJob(
                urls: urls, part: part, size: file.size, offset: offset, tag: savedTag(for: urls[0]),
                patience: network.patience)
            var source = urls[0]
            try fetcher.fetch(job, lock: lock.descriptor, cancellation: cancellation) { event in
                if case .answered(_, let url) = event { source = url }
                handle(event)
            }
            return source
        } catch {
            throw failure(error)
        }
    }

    private func handle(_ event: FetchEvent) {
        switch event {
        case .answered(let tag?, let url): try? files.replace(tagFile, with: Array("\(url)\n\(tag)".utf8))
        case .answered(nil, _): try? files.removeAll(tagFile)
        case .progress(let bytes): report(.arrived(bytes: bytes, file: file.name))
        case .restarting: report(.arrived(bytes: 0, file: file.name))
        case .retrying(let reason, _): report(.note("\(reason), trying again"))
        case .done, .failed: break
        }
    }

    /// The tag of what is in the part file, if it came from `url`.
    private func savedTag(for url: String) -> String? {
        savedTag().flatMap { $0.url == url ? $0.tag : nil }
    }

    private func savedTag() -> (url: String, tag: String)? {
        guard let text = try? files.contents(of: tagFile, limit: 1 << 16) else { return nil }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return lines.count == 2 ? (String(lines[0]), String(lines[1])) : nil
    }

    /// A mirror is the user's own choice, and the first that may be wrong.
    private var refusalRemedy: String {
        let update = "Update synthhost, or choose another voice: synthhost voices --all"
        guard let mirror = network.mirror else { return update }
        return "Look at the mirror \(mirror), or unset SYNTHHOST_MIRROR to do without it."
    }

    private func failure(_ failure: FetchFailure) -> StoreError {
        let pull = StoreError.pullRemedy(voiceID)
        let what = "\(file.name) was not downloaded: \(failure.reason)."
        return switch failure.kind {
        case .network:
            StoreError(
                .tryAgain, what,
                remedy: "Wait a moment or look at the connection, then go on where it stopped. \(pull)")
        case .refused: StoreError(.refused, what, remedy: refusalRemedy)
        case .offline:
            StoreError(.offline, what, remedy: "Go online (unset SYNTHHOST_OFFLINE, drop --offline). \(pull)")
        case .mirror: StoreError(.refused, what, remedy: "Set SYNTHHOST_MIRROR to an https address, or unset it.")
        case .diskFull:
            StoreError(.diskFull, what, remedy: "Free some space (synthhost models prune), then go on. \(pull)")
        case .file: StoreError(.file, what, remedy: "Look at the permissions of \(folder). \(pull)")
        case .fileLimit: StoreError(.file, what, remedy: "Lift the limit (ulimit -f unlimited), then go on. \(pull)")
        case .cancelled: .cancelled
        case .crash:
            StoreError(
                .tryAgain, what,
                remedy: "Try again. \(pull) If it stays, please report this message with what synthhost doctor says.")
        case .program:
            StoreError(.file, what, remedy: "Install synthhost again; its program synthhost-fetch is damaged.")
        }
    }

    private func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
        do throws(FileFailure) { try body() } catch { throw error.asStoreError }
    }
}
