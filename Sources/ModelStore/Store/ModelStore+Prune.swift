package import VoiceCatalogue
import System

extension ModelStore {
    /// What no voice needs and nobody is at: downloads that did not end, older revisions, models that no installed voice leans on,
    /// entries that no registry knows; and what lies between the entries and is none. What the user added is not named.
    package func leftovers(_ registry: Registry) -> [Leftover] {
        let known = Self.known(registry)
        let leaning = voicesByModel()
        let names = ((try? files.names(in: root)) ?? []).sorted()
        return names.flatMap { name -> [Leftover] in
            let found = leftovers(of: name, known, leaning)
            return found.isEmpty || StoreLock.isHeld(root.child(name), files) ? [] : found
        }
    }

    private static func known(_ registry: Registry) -> Set<String> {
        Set(registry.voices.map(\.folder) + registry.voices.compactMap { $0.model?.id })
            .union(registry.models.map(\.id))
    }

    private func leftovers(of name: String, _ known: Set<String>, _ leaning: [String: [String]]) -> [Leftover] {
        switch files.kind(of: root.child(name)) {
        case .folder where name.hasPrefix(StoreLayout.additionPrefix):
            [leftover(name, .waste, "it was not added after all")]
        case .folder where FileName.isID(name):
            leftovers(in: name, isKnown: known.contains(name), isNeeded: leaning[name] != nil)
        case .link where (try? files.status(of: root.child(name), followingLinks: true)) == nil:
            [leftover(name, .waste, "it is a link that leads nowhere")]
        case .link: [leftover(name, .foreign, "it is a link to elsewhere")]
        case .regular, .other: [leftover(name, .foreign, "it is no folder of a voice")]
        case .folder, nil: []
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
        return ((try? files.names(in: root.child(name))) ?? []).filter(FileName.isID).sorted().compactMap { revision in
            let path = name.child(revision)
            if root.child(path) == complete?.folder { return nil }
            if files.kind(of: root.child(path)) != .folder {
                return leftover(path, .foreign, "it is no folder of a voice")
            }
            return leftover(path, .waste, complete == nil ? "its download did not end" : "there is a newer revision")
        }
    }

    private func leftover(_ name: String, _ kind: Leftover.Kind, _ reason: String) -> Leftover {
        let path = root.child(name)
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
            let known = Self.known(registry)
            for leftover in wanted where leftover.kind != .foreign {
                do throws(StoreError) {
                    if try self.remove(leftover, known) { removed.append(leftover) }
                } catch {
                    if error.kind != .tryAgain { failure = failure ?? error }
                }
            }
            if let failure { throw failure }
            return removed
        }
    }

    /// False = it is none any more.
    private func remove(_ leftover: Leftover, _ known: Set<String>) throws(StoreError) -> Bool {
        let entry = root.child(leftover.entry)
        // With the lock held nobody can begin to need it.
        func isStill() -> Bool {
            leftovers(of: leftover.entry, known, voicesByModel())
                .contains { $0.path == leftover.path && $0.kind == leftover.kind }
        }
        guard isStill() else { return false }
        if leftover.path == entry, files.kind(of: entry) == .folder {
            return try removeEntry(leftover.entry, if: isStill) != nil
        }
        // A link that leads nowhere has nothing to hold a lock in.
        let lock = leftover.path == entry ? nil : try lock(leftover.entry)
        defer { withExtendedLifetime(lock) {} }
        guard isStill() else { return false }
        try perform { () throws(FileFailure) in try files.removeAll(leftover.path) }
        return true
    }
}
