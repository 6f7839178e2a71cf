import System
import VoiceCatalogue

/// Brings one entry into the store. Blocks; one lives for one installation.
///
/// Crash-only: every step can be the last. A file has its final name only when it is whole, verified and on the disk;
/// the record is written when all files have theirs; whatever else lies about is removed by the next installation.
struct EntryInstaller {
    let root: String
    let entry: StoreEntry
    /// What the user calls the whole, for messages.
    let voiceID: String
    let files: any StoreFiles
    let fetcher: any Fetcher
    let network: NetworkPolicy
    let limits: ArchiveLimits
    let cancellation: Cancellation
    /// The time for its record, in seconds since 1970.
    let installed: Int64
    let report: (InstallStep) -> Void

    private var entryFolder: String { root + "/" + entry.folder }
    private var folder: String { entryFolder + "/" + entry.revision }

    /// - Parameter waits: for another process that has the entry; else that is an error.
    func install(waits: Bool) throws(StoreError) {
        let lock = try takeLock(waits: waits)
        try install(under: lock)
    }

    private func install(under lock: StoreLock) throws(StoreError) {
        defer { withExtendedLifetime(lock) {} }
        try perform { () throws(FileFailure) in try files.makeFolders(folder) }
        if let record = StoreRecord.read(in: folder, files), record.shortfall(in: folder, files) == nil {
            if !record.describes(entry) { try writeRecord(record.files, record.folders) }
            return try tidy()
        }
        try perform { () throws(FileFailure) in
            try files.removeAll(folder + "/" + StoreLayout.recordName)
        }
        do {
            try install(entry.files, lock)
        } catch  where !entry.alternative.isEmpty && error.leavesAnotherWay {
            let first = error
            report(.note("trying another source"))
            do { try install(entry.alternative, lock) } catch  where error.leavesAnotherWay { throw first }
        }
        try tidy()
    }

    private func takeLock(waits: Bool) throws(StoreError) -> StoreLock {
        let outcome: StoreLock.Outcome
        do throws(FileFailure) {
            outcome = try StoreLock.take(entryFolder, waiting: false, files)
        } catch {
            throw error.asStoreError
        }
        switch outcome {
        case .taken(let lock): return lock
        case .held(let process):
            guard waits else {
                let who = process.map { "process \($0)" } ?? "another process"
                throw StoreError(
                    .tryAgain, "\(entry.folder) is being changed by \(who).",
                    remedy: "Wait until it is done, then run the same command again.")
            }
            report(.waiting(process: process))
            return try StoreLock.takeWaiting(entryFolder, files, cancellation)
        }
    }

    private func install(_ wanted: [ModelFile], _ lock: StoreLock) throws(StoreError) {
        try checkSpace(for: wanted)
        var recorded: [StoreRecord.File] = []
        var folders: [String: String] = [:]
        for file in wanted {
            let download = FileInstaller(
                file: file, folder: folder, voiceID: voiceID, files: files, fetcher: fetcher, network: network,
                cancellation: cancellation, report: report)
            guard let archive = file.archive else {
                try download.install(lock)
                recorded.append(
                    StoreRecord.File(role: file.role, path: file.name, size: file.size, digest: file.digest))
                continue
            }
            let unpacked = try unpack(file, archive, download, lock)
            recorded += unpacked.files
            folders.merge(unpacked.folders) { $1 }
        }
        try writeRecord(recorded, folders.isEmpty ? nil : folders)
    }

    private func checkSpace(for wanted: [ModelFile]) throws(StoreError) {
        var missing: Int64 = 0
        for file in wanted where (try? files.status(of: folder + "/" + file.name))?.size != file.size {
            let part = (try? files.status(of: folder + "/" + file.name + StoreLayout.partSuffix))?.size ?? 0
            missing += max(0, file.size - part) + file.unpackedSize
        }
        guard missing > 0, let free = try? files.freeBytes(at: folder), free < missing else { return }
        throw StoreError(
            .diskFull,
            "\(voiceID) needs \(ByteCount.words(missing)) on the disk of \(root) and \(ByteCount.words(free)) are free:"
                + " \(ByteCount.words(missing - free)) are missing.",
            remedy: "Free some space (synthhost models prune), then run the same command.")
    }

    private func unpack(
        _ file: ModelFile, _ archive: ArchiveContents, _ download: FileInstaller, _ lock: StoreLock
    ) throws(StoreError) -> (files: [StoreRecord.File], folders: [String: String]) {
        let target = file.name + StoreLayout.unpackedSuffix
        let path = folder + "/" + target
        // Without a record nobody knows whether all of it is there.
        try perform { () throws(FileFailure) in
            try files.removeAll(path)
            try files.removeAll(path + StoreLayout.partSuffix)
        }
        try download.install(lock)
        report(.unpacking)
        let unpacker = Unpacker(files: files, limits: limits) { cancellation.isCancelled }
        let members: [String]
        do throws(ArchiveRefusal) {
            members = try unpacker.unpack(
                folder + "/" + file.name, to: path + StoreLayout.partSuffix, announced: archive)
        } catch {
            if case .file(let failure) = error { throw failure.asStoreError }
            if case .cancelled = error { throw .cancelled }
            throw StoreError(
                .wrongContent, "\(file.name) was not unpacked: \(error.reason).",
                remedy: "Choose another voice, or report this to whoever publishes it.")
        }
        report(.verifying)
        let found = try describe(members, in: path + StoreLayout.partSuffix, below: target, roles: archive.roles, file)
        try perform { () throws(FileFailure) in
            try files.rename(path + StoreLayout.partSuffix, to: path)
            try files.syncFolder(folder)
        }
        return found
    }

    private func describe(
        _ members: [String], in unpacked: String, below target: String, roles: [String: String], _ file: ModelFile
    ) throws(StoreError) -> (files: [StoreRecord.File], folders: [String: String]) {
        var recorded: [StoreRecord.File] = []
        var folders: [String: String] = roles.isEmpty ? [file.role: target] : [:]
        for member in members {
            let computed: Digest?
            do throws(FileFailure) {
                computed = try FileDigest.compute(.sha256, of: unpacked + "/" + member, files) {
                    cancellation.isCancelled
                }
            } catch {
                throw error.asStoreError
            }
            guard let computed, let size = (try? files.status(of: unpacked + "/" + member))?.size else {
                throw .cancelled
            }
            let role = roles.first { $0.value == member }?.key
            recorded.append(StoreRecord.File(role: role, path: target + "/" + member, size: size, digest: computed))
        }
        for (role, member) in roles.sorted(by: { $0.key < $1.key }) {
            let isFolder = member.hasSuffix("/")
            let isThere = isFolder ? members.contains { $0.hasPrefix(member) } : members.contains(member)
            guard isThere else {
                throw StoreError(
                    .wrongContent, "\(file.name) holds no \(member).",
                    remedy: "Choose another voice, or report this to whoever publishes it.")
            }
            if isFolder { folders[role] = target + "/" + member.dropLast() }
        }
        return (recorded, folders)
    }

    private func writeRecord(_ recorded: [StoreRecord.File], _ folders: [String: String]?) throws(StoreError) {
        let record = StoreRecord(
            origin: .registry, installed: installed, entry: entry.content, files: recorded, folders: folders)
        try perform { () throws(FileFailure) in try record.write(in: folder, files) }
    }

    /// Removes what no record names from the revision's folder.
    private func tidy() throws(StoreError) {
        guard let record = StoreRecord.read(in: folder, files) else { return }
        let kept = Set(record.files.map { String($0.path.prefix { $0 != "/" }) } + [StoreLayout.recordName])
        try perform { () throws(FileFailure) in
            for name in try files.names(in: folder) where !kept.contains(name) {
                try files.removeAll(folder + "/" + name)
            }
        }
    }

    private func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
        do throws(FileFailure) { try body() } catch { throw error.asStoreError }
    }
}

extension StoreError {
    /// Whether another source may do better.
    fileprivate var leavesAnotherWay: Bool {
        switch kind {
        case .tryAgain, .refused, .wrongContent: true
        case .offline, .diskFull, .file, .cancelled, .unknown: false
        }
    }
}
