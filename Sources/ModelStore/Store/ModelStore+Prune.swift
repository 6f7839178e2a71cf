package import VoiceCatalogue
import System

extension ModelStore {
    /// What no voice needs and nobody is at: downloads that did not end, older revisions, models that no installed voice leans on,
    /// entries that no registry knows; and what lies between the entries and is none. What the user added is not named.
    package func pruneCandidates(_ registry: Registry) -> [PruneCandidate] {
        let known = Self.known(registry)
        let dependents = voicesByModel()
        let names = ((try? files.names(in: root)) ?? []).sorted()
        return names.flatMap { name -> [PruneCandidate] in
            let found = candidates(of: name, known, dependents)
            return found.isEmpty || StoreLock.isHeld(root.child(name), files) ? [] : found
        }
    }

    private static func known(_ registry: Registry) -> Set<String> {
        Set(registry.voices.map(\.folder) + registry.voices.compactMap { $0.model?.id })
            .union(registry.models.map(\.id))
    }

    private func candidates(of name: String, _ known: Set<String>, _ dependents: [String: [String]]) -> [PruneCandidate]
    {
        switch files.kind(of: root.child(name)) {
        case .folder where name.hasPrefix(StoreLayout.additionPrefix):
            [candidate(name, .unneeded, "it was not added after all")]
        case .folder where FileName.isID(name):
            candidates(in: name, isKnown: known.contains(name), isNeeded: dependents[name] != nil)
        case .link where (try? files.status(of: root.child(name), followingLinks: true)) == nil:
            [candidate(name, .unneeded, "it is a link that leads nowhere")]
        case .link: [candidate(name, .foreign, "it is a link to elsewhere")]
        case .regular, .other: [candidate(name, .foreign, "it is no folder of a voice")]
        case .folder, nil: []
        }
    }

    private func candidates(in name: String, isKnown: Bool, isNeeded: Bool) -> [PruneCandidate] {
        let complete = current(name)
        if let complete, complete.record.origin == .user { return [] }
        if let complete, complete.record.model != nil {
            if !isNeeded { return [candidate(name, .unneeded, "no installed voice needs it")] }
        } else if !isKnown {
            if own(name) != nil { return [] }
            return [candidate(name, complete == nil ? .unneeded : .unknown, "no registry knows it")]
        }
        return ((try? files.names(in: root.child(name))) ?? []).filter(FileName.isID).sorted().compactMap { revision in
            let path = name.child(revision)
            if root.child(path) == complete?.folder { return nil }
            if files.kind(of: root.child(path)) != .folder {
                return candidate(path, .foreign, "it is no folder of a voice")
            }
            return candidate(
                path, .unneeded, complete == nil ? "its download did not end" : "there is a newer revision")
        }
    }

    private func candidate(_ name: String, _ kind: PruneCandidate.Kind, _ reason: String) -> PruneCandidate {
        let path = root.child(name)
        return PruneCandidate(
            kind: kind, path: path, size: files.contentBytes(below: path), reason: reason,
            entry: name.split(separator: "/").first.map(String.init) ?? name)
    }

    /// Removes leftovers, as far as they still are. What another process is at stays; what is foreign stays, too.
    ///
    /// - Returns: what was removed.
    /// - Throws: the first failure, after everything else is done.
    package func prune(_ wanted: [PruneCandidate], _ registry: Registry) async throws(StoreError) -> [PruneCandidate] {
        try await blocking { () throws(StoreError) in
            var removed: [PruneCandidate] = []
            var failure: StoreError?
            let known = Self.known(registry)
            for candidate in wanted where candidate.kind != .foreign {
                do throws(StoreError) {
                    if try self.remove(candidate, known) { removed.append(candidate) }
                } catch {
                    if error.kind != .tryAgain { failure = failure ?? error }
                }
            }
            if let failure { throw failure }
            return removed
        }
    }

    /// False = it is none any more.
    private func remove(_ candidate: PruneCandidate, _ known: Set<String>) throws(StoreError) -> Bool {
        let entry = root.child(candidate.entry)
        // With the lock held nobody can begin to need it.
        func isStill() -> Bool {
            candidates(of: candidate.entry, known, voicesByModel())
                .contains { $0.path == candidate.path && $0.kind == candidate.kind }
        }
        guard isStill() else { return false }
        if candidate.path == entry, files.kind(of: entry) == .folder {
            return try removeEntry(candidate.entry, if: isStill) != nil
        }
        // A link that leads nowhere has nothing to hold a lock in.
        let lock = candidate.path == entry ? nil : try lock(candidate.entry)
        defer { withExtendedLifetime(lock) {} }
        guard isStill() else { return false }
        try perform { () throws(FileFailure) in try files.removeAll(candidate.path) }
        return true
    }
}
