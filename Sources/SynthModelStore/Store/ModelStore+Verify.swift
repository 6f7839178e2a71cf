package import SynthCatalogue
import SynthSystem

/// Damage to an installed voice.
package struct Damage: Sendable, Equatable {
    /// The folder of the voice or model in the store.
    package let entry: String
    /// An absolute path.
    package let path: String
    /// A description for the user.
    package let reason: String
}

extension ModelStore {
    /// The SHA-256 digest of any file; nil if it changed while it was being read. Links are followed. Blocks.
    package func digest(ofGiven path: String) throws(StoreError) -> Digest? {
        try fetcher.digest(of: path, .sha256, nil, CancellationSignal(), areGiven: true)
    }

    /// A revision of an entry, with all or some of its files.
    private struct Revision {
        let entry: String
        let folder: String
        var record: StoreRecord
    }

    /// The maximum number of bytes that one process reads: high enough to make its startup cost negligible, but low
    /// enough that damage is handled before the next portion is read.
    private static let portion: Int64 = 256 << 20

    /// Recomputes the digests of all files of the given entries; nil means all installed entries.
    ///
    /// Damaged registry files are removed, so that the voice is no longer ready and the next pull repairs it. Damage to a file that
    /// the user added is noted in its record until the file is intact again. Stops if the task is cancelled.
    package func verify(_ entries: [String]? = nil) async throws(StoreError) -> [Damage] {
        let names = entries ?? entryNames
        let cancellation = CancellationSignal()
        let result = await withTaskCancellationHandler {
            await onThread("store") { Result { () throws(StoreError) in try self.verify(names, cancellation) } }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Returns the entries of the voices and of their models, to pass to `verify`.
    package func entries(of voices: [any Installable]) -> [String] {
        var seen: Set<String> = []
        return voices.flatMap(\.entries).map(\.folder).filter { seen.insert($0).inserted }
    }

    private func verify(_ names: [String], _ cancellation: CancellationSignal) throws(StoreError) -> [Damage] {
        var damages: [Damage] = []
        var portion: [Revision] = []
        var bytes: Int64 = 0
        for (index, name) in names.enumerated() {
            for (folder, record) in records(of: name) {
                portion.append(Revision(entry: name, folder: folder, record: record))
                bytes += record.files.reduce(0) { $0 + $1.size }
            }
            guard bytes >= Self.portion || index == names.count - 1 else { continue }
            damages += try verify(portion, cancellation)
            (portion, bytes) = ([], 0)
        }
        return damages
    }

    private func verify(_ revisions: [Revision], _ cancellation: CancellationSignal) throws(StoreError) -> [Damage] {
        let found = try damages(in: revisions, nil, cancellation)
        for (revision, damages) in zip(revisions, found) {
            let (name, record) = (revision.entry, revision.record)
            // A link's target does not belong to the store.
            guard files.kind(of: root.child(name)) == .folder else { continue }
            switch record.origin {
            case .registry where !damages.isEmpty:
                let lock = try lock(name)
                defer { withExtendedLifetime(lock) {} }
                // Another process may have repaired the damage in the meantime.
                let paths = Set(damages.map(\.path))
                var again = revision
                again.record.files = record.files.filter { paths.contains(revision.folder.child($0.path)) }
                let still = try self.damages(in: [again], lock, cancellation).joined()
                try perform { () throws(FileFailure) in
                    // If there is a folder with a file's name, the store did not create it.
                    for damage in still where files.kind(of: damage.path) != .folder {
                        try files.removeAll(damage.path)
                    }
                }
            case .user:
                let words = damages.first.map {
                    "\($0.path.dropFirst(revision.folder.utf8.count + 1)): \($0.reason)"
                }
                if words != record.damage { try remember(words, of: record, in: revision.folder, name) }
            case .registry: continue
            }
        }
        return Array(found.joined())
    }

    private func remember(
        _ damage: String?, of record: StoreRecord, in folder: String, _ name: String
    ) throws(StoreError) {
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        // Another process may have replaced the record in the meantime.
        guard var now = records(of: name).first(where: { $0.folder == folder })?.record,
            now.installed == record.installed
        else { return }
        now.damage = damage
        try perform { () throws(FileFailure) in try now.write(in: folder, files) }
    }

    /// The damage to each revision, in order.
    private func damages(
        in revisions: [Revision], _ lock: StoreLock?, _ cancellation: CancellationSignal
    ) throws(StoreError) -> [[Damage]] {
        var job = DigestJob(files: [])
        var expected: [String] = []
        for revision in revisions {
            for file in revision.record.files where obviousDamage(of: file, in: revision.folder) == nil {
                guard let digest = file.digest else { continue }
                job.files.append(.init(path: revision.folder.child(file.path), algorithm: digest.algorithm))
                expected.append(digest.hexadecimal)
            }
        }
        let results = try fetcher.digests(job, lock, cancellation)
        if cancellation.isCancelled { throw .cancelled }
        var reasons: [String: String] = [:]
        for ((file, expected), result) in zip(zip(job.files, expected), results) {
            switch result {
            case .found(expected): break
            case .found, .changed: reasons[file.path] = "its content has changed since it was installed"
            case .failed(let failure): reasons[file.path] = "it cannot be read: \(failure.reason)"
            }
        }
        return revisions.map { revision in
            revision.record.files.compactMap { file in
                let path = revision.folder.child(file.path)
                // The optional file was omitted, or removed because it was damaged; the next pull installs it.
                if file.isOptional, files.kind(of: path) == nil { return nil }
                let reason = obviousDamage(of: file, in: revision.folder) ?? reasons[path]
                return reason.map { Damage(entry: revision.entry, path: path, reason: $0) }
            }
        }
    }

    /// Damage that can be detected without reading the file.
    private func obviousDamage(of file: StoreRecord.File, in folder: String) -> String? {
        guard let status = try? files.status(of: folder.child(file.path)), status.kind == .regular else {
            return "it is missing"
        }
        guard status.size == file.size else { return "it has \(status.size) bytes instead of \(file.size)" }
        return file.digest == nil ? "its checksum is unknown" : nil
    }
}
