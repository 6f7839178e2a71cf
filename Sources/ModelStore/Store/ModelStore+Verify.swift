package import VoiceCatalogue

extension ModelStore {
    /// Computes the digest of every file of the installed entries named (all of them with `nil`), again.
    ///
    /// What came from a registry and is damaged is removed, so that the voice is no longer ready and a pull repairs it.
    /// Of what the user added, the record remembers that it is damaged, until it is whole again. Stops between two
    /// entries when the task is cancelled.
    package func verify(_ entries: [String]? = nil) async throws(StoreError) -> [Damage] {
        let names = entries ?? entryNames
        var damages: [Damage] = []
        for name in names {
            if Task.isCancelled { throw .cancelled }
            damages += try await blocking { () throws(StoreError) in try self.verify(entry: name) }
        }
        return damages
    }

    /// The voices' own entries and their models', as `verify` takes them.
    package func entries(of voices: [Voice]) -> [String] {
        var seen: Set<String> = []
        return voices.flatMap(\.entries).map(\.folder).filter { seen.insert($0).inserted }
    }

    private func verify(entry name: String) throws(StoreError) -> [Damage] {
        var damages: [Damage] = []
        // What a link leads to is somebody else's.
        let isOurs = files.kind(of: root + "/" + name) == .folder
        for (folder, record) in records(of: name) {
            var found: [Damage] = []
            for file in record.files {
                let target = folder + "/" + file.path
                if let reason = damage(of: file, at: target) {
                    found.append(Damage(entry: name, path: target, reason: reason))
                }
            }
            damages += found
            guard isOurs else { continue }
            switch record.origin {
            case .registry where !found.isEmpty:
                let lock = try lock(name)
                defer { withExtendedLifetime(lock) {} }
                try perform { () throws(FileFailure) in for damage in found { try files.removeAll(damage.path) } }
            case .user:
                let words = found.first.map { "\($0.path.dropFirst(folder.utf8.count + 1)): \($0.reason)" }
                if words != record.damage { try remember(words, of: record, in: folder, name) }
            case .registry: continue
            }
        }
        return damages
    }

    private func remember(
        _ damage: String?, of record: StoreRecord, in folder: String, _ name: String
    ) throws(StoreError) {
        var record = record
        record.damage = damage
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        try perform { () throws(FileFailure) in try record.write(in: folder, files) }
    }

    private func damage(of file: StoreRecord.File, at path: String) -> String? {
        guard let status = try? files.status(of: path), status.kind == .regular else { return "it is missing" }
        guard status.size == file.size else { return "it has \(status.size) bytes instead of \(file.size)" }
        guard let digest = file.digest else { return "its digest is not known" }
        do throws(FileFailure) {
            let found = try FileDigest.compute(digest.algorithm, of: path, files)
            return found == digest ? nil : "its content is not what was installed"
        } catch {
            return "it cannot be read: \(error.reason)"
        }
    }
}
