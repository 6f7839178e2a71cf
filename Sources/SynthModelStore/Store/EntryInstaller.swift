import SynthCatalogue
import SynthSystem

/// Installs one entry in the store. Blocks. Use a new value for each installation.
///
/// Installation is crash-only: the process may end after any step. A file gets its final name only once it is complete,
/// verified and on disk. The record is written once all files have their final names. The next installation removes all
/// other files.
struct EntryInstaller {
    let store: ModelStore
    let entry: StoreEntry
    let cancellation: CancellationSignal
    /// The user's files that may be identical to files of the entry.
    let offered: [String]
    /// The installation time for the record, in seconds since 1970.
    let installed: Int64
    /// The time of the first installation; nil if this is the first installation.
    let first: Int64?
    let report: EntryReport

    private var files: any StoreFiles { store.files }
    private var entryFolder: String { store.root.child(entry.folder) }
    var folder: String { entryFolder.child(entry.revision) }

    /// - Parameter waits: whether to wait if another process or task is using the entry; if false, an error is thrown.
    func install(waits: Bool) throws(StoreError) {
        let lock = try takeLock(waits: waits)
        do {
            try install(under: lock)
        } catch {
            removeEmpty(lock)
            throw error
        }
    }

    /// Removes the folders of a download that received no data. The lock is removed last, as when an entry is removed.
    private func removeEmpty(_ lock: StoreLock) {
        defer { withExtendedLifetime(lock) {} }
        if files.contentBytes(below: folder) == 0, let names = try? files.names(in: folder) {
            for name in names where name.hasSuffix(StoreLayout.partSuffix) || name.hasSuffix(StoreLayout.tagSuffix) {
                try? files.removeFile(folder.child(name))
            }
        }
        // A folder that is not empty is kept.
        try? files.removeFolder(folder)
        guard let names = try? files.names(in: entryFolder), names == [StoreLayout.lockName] else { return }
        try? files.removeFile(entryFolder.child(StoreLayout.lockName))
        try? files.removeFolder(entryFolder)
    }

    private func install(under lock: StoreLock) throws(StoreError) {
        defer { withExtendedLifetime(lock) {} }
        try perform { () throws(FileFailure) in try files.makeFolders(folder) }
        if let record = StoreRecord.read(in: folder, files), record.defect(in: folder, files) == nil {
            let missing = entry.files.filter { file in
                file.isOptional
                    && !record.files.contains { $0.path == file.name && $0.isThere(in: folder, files) }
            }
            let added = try installOptional(missing, lock)
            if !added.isEmpty || !record.describes(entry) {
                let names = Set(added.map(\.path))
                try writeRecord(
                    record.files.filter { !names.contains($0.path) } + added, record.folders,
                    loudness: record.describesSound(of: entry) ? record.loudness : nil)
            }
            return try removeTemporaryFiles()
        }
        try perform { () throws(FileFailure) in
            try files.removeAll(folder.child(StoreLayout.recordName))
        }
        // If the user already has the archive that contains the files, install it instead of downloading the files.
        for archive in entry.alternative where archive.archive != nil && !offered.isEmpty {
            guard try FileInstaller(file: archive, entry: self).isOffered(lock) else { continue }
            try install(entry.alternative, lock)
            return try removeTemporaryFiles()
        }
        do {
            try install(entry.files, lock)
        } catch  where !entry.alternative.isEmpty && error.mayTryAlternative {
            let first = error
            report.note(.anotherSource)
            do { try install(entry.alternative, lock) } catch  where error.mayTryAlternative { throw first }
        }
        try removeTemporaryFiles()
    }

    private func takeLock(waits: Bool) throws(StoreError) -> StoreLock {
        do {
            return try store.lock(entry.folder)
        } catch {
            guard waits, case .busy(_, let process) = error else { throw error }
            report.waits(for: process)
            return try StoreLock.takeWaiting(entryFolder, files, cancellation)
        }
    }

    private func install(_ wanted: [ModelFile], _ lock: StoreLock) throws(StoreError) {
        try checkSpace(for: wanted)
        var recorded: [StoreRecord.File] = []
        var folders: [String: String] = [:]
        for file in wanted where !file.isOptional {
            let download = FileInstaller(file: file, entry: self)
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
        recorded += try installOptional(wanted.filter(\.isOptional), lock)
        try writeRecord(recorded, folders.isEmpty ? nil : folders)
    }

    /// Installs the optional files that are available. An archive is never optional.
    private func installOptional(_ wanted: [ModelFile], _ lock: StoreLock) throws(StoreError) -> [StoreRecord.File] {
        var recorded: [StoreRecord.File] = []
        for file in wanted where file.archive == nil {
            do {
                try FileInstaller(file: file, entry: self).install(lock)
                recorded.append(
                    StoreRecord.File(
                        role: file.role, path: file.name, size: file.size, digest: file.digest, isOptional: true))
            } catch {
                if error.kind == .cancelled { throw error }
                report.note(.leftOut(file: file.name))
            }
        }
        return recorded
    }

    private func checkSpace(for wanted: [ModelFile]) throws(StoreError) {
        var missing: Int64 = 0
        for file in wanted where (try? files.status(of: folder.child(file.name)))?.size != file.size {
            let part = (try? files.status(of: folder.child(file.name) + StoreLayout.partSuffix))?.size ?? 0
            missing += max(0, file.size - part) + file.unpackedSize
        }
        guard missing > 0, let free = try? files.freeBytes(at: folder), free < missing else { return }
        throw .noSpace(voice: report.voice, root: store.root, needed: missing, free: free)
    }

    private func unpack(
        _ file: ModelFile, _ archive: ArchiveContents, _ download: FileInstaller, _ lock: StoreLock
    ) throws(StoreError) -> (files: [StoreRecord.File], folders: [String: String]) {
        let target = file.name + StoreLayout.unpackedSuffix
        let path = folder.child(target)
        // No record exists yet, so the folder may be incomplete.
        try perform { () throws(FileFailure) in
            try files.removeAll(path)
            try files.removeAll(path + StoreLayout.partSuffix)
        }
        try download.install(lock)
        report.unpacks()
        let unpacked = path + StoreLayout.partSuffix
        let job = UnpackJob(
            archive: folder.child(file.name), folder: unpacked, root: store.root,
            wanted: archive.roles.isEmpty ? nil : Array(archive.roles.values), announced: archive.members,
            limits: store.limits)
        let members: [UnpackedFile]
        do {
            members = try store.fetcher.unpack(job, lock: lock.descriptor, cancellation: cancellation) {
                report.verifies()
            }
        } catch {
            try? files.removeAll(unpacked)
            throw StoreError(error, unpacking: file.name, at: job.archive, isGiven: false)
        }
        let found = try describe(members, in: unpacked, below: target, roles: archive.roles, file)
        try perform { () throws(FileFailure) in
            try files.rename(unpacked, to: path)
            try files.syncFolder(folder)
        }
        return found
    }

    private func describe(
        _ members: [UnpackedFile], in unpacked: String, below target: String, roles: [String: String],
        _ file: ModelFile
    ) throws(StoreError) -> (files: [StoreRecord.File], folders: [String: String]) {
        var recorded: [StoreRecord.File] = []
        var folders: [String: String] = roles.isEmpty ? [file.role: target] : [:]
        for member in members {
            guard FileName.isSafePath(member.path), let digest = member.sha256.flatMap({ Digest(.sha256, $0) }) else {
                throw .changedWhileVerified(path: unpacked.child(member.path), voice: report.voice)
            }
            let role = roles.first { $0.value == member.path }?.key
            recorded.append(
                StoreRecord.File(role: role, path: target.child(member.path), size: member.size, digest: digest))
        }
        for (role, member) in roles.sorted(by: { $0.key < $1.key }) {
            let isFolder = member.hasSuffix("/")
            let isThere = members.contains { isFolder ? $0.path.hasPrefix(member) : $0.path == member }
            guard isThere else { throw .memberMissing(archive: file.name, member: member) }
            if isFolder { folders[role] = target.child(member.dropLast()) }
        }
        return (recorded, folders)
    }

    private func writeRecord(
        _ recorded: [StoreRecord.File], _ folders: [String: String]?, loudness: VoiceLoudness? = nil
    ) throws(StoreError) {
        var record = StoreRecord(
            origin: .registry, installed: installed, of: entry.document, files: recorded, folders: folders)
        record.first = first
        record.loudness = loudness
        try perform { () throws(FileFailure) in try record.write(in: folder, files) }
    }

    /// Removes temporary download files from the revision's folder. Files that the store did not create are kept.
    private func removeTemporaryFiles() throws(StoreError) {
        guard let record = StoreRecord.read(in: folder, files) else { return }
        let kept = Set(record.files.map { String($0.path.prefix { $0 != "/" }) } + [StoreLayout.recordName])
        let known = Set((entry.files + entry.alternative).map(\.name))
        try perform { () throws(FileFailure) in
            for name in try files.names(in: folder)
            where !kept.contains(name) && (known.contains(name) || EntryContent.isMarked(name)) {
                try files.removeAll(folder.child(name))
            }
        }
    }
}

extension StoreError {
    fileprivate var mayTryAlternative: Bool {
        switch kind {
        case .tryAgain, .refused, .wrongContent: true
        case .offline, .diskFull, .file, .cancelled, .unknown: false
        }
    }
}
