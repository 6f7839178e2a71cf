import Glibc

extension ModelStore {
    /// Removes the voice, and its model when no other installed voice leans on it.
    ///
    /// - Returns: the bytes that are free again.
    /// - Throws: `.unknown` when it is not there, `.tryAgain` when somebody is at it.
    package func remove(_ voice: Voice) async throws(StoreError) -> Int64 {
        try await blocking { () throws(StoreError) in
            guard self.files.kind(of: self.root + "/" + voice.folder) == .folder else {
                throw StoreError(
                    .unknown, "\(voice.id) is not in the store.", remedy: "See what is: synthhost models list")
            }
            let model = self.current(voice.folder)?.record.voice?.model ?? voice.model?.id
            var freed = try self.removeEntry(voice.folder)
            if let model, self.voicesByModel()[model] == nil, self.files.kind(of: self.root + "/" + model) == .folder {
                freed += try self.removeEntry(model)
            }
            self.live.publish(.notDownloaded(because: nil), of: voice.folder)
            return freed
        }
    }

    /// What nothing needs: entries that the registry does not know, models that no installed voice leans on, older
    /// revisions, and downloads that nobody is at. What the user added is not touched.
    ///
    /// - Parameter removing: `false` only looks.
    package func prune(_ registry: Registry, removing: Bool) async throws(StoreError) -> [Leftover] {
        try await blocking { () throws(StoreError) in
            var removed: [Leftover] = []
            for leftover in self.leftovers(registry) {
                if removing {
                    do throws(StoreError) {
                        try self.remove(leftover)
                    } catch  where error.kind == .tryAgain {
                        continue
                    }
                }
                removed.append(leftover)
            }
            return removed
        }
    }

    private func leftovers(_ registry: Registry) -> [Leftover] {
        let known = Set(registry.voices.map(\.folder) + registry.voices.compactMap { $0.model?.id })
            .union(registry.models.map(\.id))
        let leaning = voicesByModel()
        var found: [Leftover] = []
        for name in ((try? files.names(in: root)) ?? []).filter(FileName.isID).sorted() {
            let path = root + "/" + name
            func add(_ path: String, _ reason: String) {
                found.append(
                    Leftover(path: path, size: files.bytesOnDisk(below: path), reason: reason, entry: name))
            }
            let complete = current(name)
            if complete?.record.origin == .user { continue }
            if !known.contains(name) {
                add(path, "no registry knows it")
            } else if complete?.record.model != nil, leaning[name] == nil {
                add(path, "no installed voice needs it")
            } else {
                for revision in ((try? files.names(in: path)) ?? []).filter(FileName.isID).sorted() {
                    let folder = path + "/" + revision
                    if folder == complete?.folder { continue }
                    add(folder, complete == nil ? "its download did not end" : "there is a newer revision")
                }
            }
        }
        return found
    }

    private func remove(_ leftover: Leftover) throws(StoreError) {
        guard leftover.path != root + "/" + leftover.entry else {
            _ = try removeEntry(leftover.entry)
            return
        }
        let lock = try lock(leftover.entry)
        defer { withExtendedLifetime(lock) {} }
        try perform { () throws(FileFailure) in try files.removeAll(leftover.path) }
    }

    /// The lock file goes last: until then nobody else can begin in the folder.
    func removeEntry(_ name: String) throws(StoreError) -> Int64 {
        let path = root + "/" + name
        let freed = files.bytesOnDisk(below: path)
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        try perform { () throws(FileFailure) in
            let names = try files.names(in: path)
            // The records first: what is half removed must not look whole.
            for name in names where name != StoreLayout.lockName {
                try files.removeAll(path + "/" + name + "/" + StoreLayout.recordName)
            }
            for name in names where name != StoreLayout.lockName { try files.removeAll(path + "/" + name) }
            try files.removeAll(path + "/" + StoreLayout.lockName)
            // Somebody may have begun anew by now.
            do throws(FileFailure) {
                try files.removeFolder(path)
            } catch  where error.code == ENOTEMPTY || error.code == ENOENT {
                return
            }
        }
        return freed
    }

    func lock(_ name: String) throws(StoreError) -> StoreLock {
        let outcome: StoreLock.Outcome
        do throws(FileFailure) {
            outcome = try StoreLock.take(root + "/" + name, waiting: false, files)
        } catch {
            throw error.asStoreError
        }
        switch outcome {
        case .taken(let lock): return lock
        case .held(let process):
            let who = process.map { "process \($0)" } ?? "another process"
            throw StoreError(
                .tryAgain, "\(name) is being changed by \(who).", remedy: "Wait for it, then run the same command.")
        }
    }

    func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
        do throws(FileFailure) { try body() } catch { throw error.asStoreError }
    }

    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await BlockingThread.run { () -> Result<Value, StoreError> in
            do throws(StoreError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
