package import VoiceCatalogue

extension ModelStore {
    /// What no voice needs: downloads that nobody is at, older revisions, models that no installed voice leans on,
    /// entries that no registry knows; and what lies between the entries and is none. What the user added is not named.
    package func leftovers(_ registry: Registry) -> [Leftover] {
        let known = Set(registry.voices.map(\.folder) + registry.voices.compactMap { $0.model?.id })
            .union(registry.models.map(\.id))
        let leaning = voicesByModel()
        let names = ((try? files.names(in: root)) ?? []).sorted()
        return names.flatMap { name -> [Leftover] in
            switch files.kind(of: root + "/" + name) {
            case .folder where name.hasPrefix(StoreLayout.additionPrefix):
                return [leftover(name, .waste, "it was not added after all")]
            case .folder where FileName.isID(name):
                return leftovers(in: name, isKnown: known.contains(name), isNeeded: leaning[name] != nil)
            case .link where (try? files.status(of: root + "/" + name, followingLinks: true)) == nil:
                return [leftover(name, .waste, "it is a link that leads nowhere")]
            case .link: return [leftover(name, .foreign, "it is a link to elsewhere")]
            case .regular, .other: return [leftover(name, .foreign, "it is no folder of a voice")]
            case .folder, nil: return []
            }
        }
    }

    private func leftovers(in name: String, isKnown: Bool, isNeeded: Bool) -> [Leftover] {
        let complete = current(name)
        if let complete, complete.record.origin == .user { return [] }
        if let complete, complete.record.model != nil {
            if !isNeeded { return [leftover(name, .waste, "no installed voice needs it")] }
        } else if !isKnown {
            if own(name) != nil { return [] }
            return [leftover(name, complete == nil ? .waste : .unknown, "no registry knows it")]
        }
        return ((try? files.names(in: root + "/" + name)) ?? []).filter(FileName.isID).sorted().compactMap { revision in
            let path = name + "/" + revision
            if root + "/" + path == complete?.folder { return nil }
            if files.kind(of: root + "/" + path) != .folder {
                return leftover(path, .foreign, "it is no folder of a voice")
            }
            return leftover(path, .waste, complete == nil ? "its download did not end" : "there is a newer revision")
        }
    }

    private func leftover(_ name: String, _ kind: Leftover.Kind, _ reason: String) -> Leftover {
        let path = root + "/" + name
        return Leftover(
            kind: kind, path: path, size: files.contentBytes(below: path), reason: reason,
            entry: name.split(separator: "/").first.map(String.init) ?? name)
    }

    /// Removes leftovers, as far as they still are. What another process is at stays; what is foreign stays, too.
    ///
    /// - Returns: what was removed.
    /// - Throws: the first failure, after everything else is done.
    package func prune(_ wanted: [Leftover], _ registry: Registry) async throws(StoreError) -> [Leftover] {
        try await blocking { () throws(StoreError) in
            var removed: [Leftover] = []
            var failure: StoreError?
            let still = self.leftovers(registry)
            for leftover in wanted where leftover.kind != .foreign {
                guard still.contains(where: { $0.path == leftover.path && $0.kind == leftover.kind }) else { continue }
                do throws(StoreError) {
                    try self.remove(leftover)
                    removed.append(leftover)
                } catch {
                    if error.kind != .tryAgain { failure = failure ?? error }
                }
            }
            if let failure { throw failure }
            return removed
        }
    }

    private func remove(_ leftover: Leftover) throws(StoreError) {
        let entry = root + "/" + leftover.entry
        if leftover.path == entry, files.kind(of: entry) == .folder {
            _ = try removeEntry(leftover.entry)
            return
        }
        // A link that leads nowhere has nothing to hold a lock in.
        let lock = leftover.path == entry ? nil : try lock(leftover.entry)
        defer { withExtendedLifetime(lock) {} }
        try perform { () throws(FileFailure) in try files.removeAll(leftover.path) }
    }
}
