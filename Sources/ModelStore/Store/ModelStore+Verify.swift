extension ModelStore {
    /// Computes the digest of every file of the installed entries named (all of them with `nil`), again.
    ///
    /// What came from a registry and is damaged is removed, so that the voice is no longer ready and a pull repairs it.
    /// What the user added is reported only. Stops between two files when the task is cancelled.
    package func verify(_ entries: [String]? = nil) async throws(StoreError) -> [Damage] {
        let names = entries ?? ((try? files.names(in: root)) ?? []).filter(FileName.isID).sorted()
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
        let path = root + "/" + name
        for revision in ((try? files.names(in: path)) ?? []).filter(FileName.isID).sorted() {
            let folder = path + "/" + revision
            guard let record = StoreRecord.read(in: folder, files) else { continue }
            for file in record.files {
                let target = folder + "/" + file.path
                guard let reason = damage(of: file, at: target) else { continue }
                damages.append(Damage(entry: name, path: target, reason: reason))
                guard record.origin == .registry else { continue }
                let lock = try lock(name)
                defer { withExtendedLifetime(lock) {} }
                try perform { () throws(FileFailure) in try files.removeAll(target) }
            }
        }
        return damages
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
