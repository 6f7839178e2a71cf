package import VoiceCatalogue
import System

extension ModelStore {
    /// What no voice needs and no process is working on: unfinished downloads, older revisions, models that no
    /// installed voice uses, entries that no registry knows; and everything that is not an entry. What the user added is
    /// left out.
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
            [candidate(name, .unneeded, .notAdded)]
        case .folder where FileName.isID(name):
            candidates(in: name, isKnown: known.contains(name), isNeeded: dependents[name] != nil)
        case .link where (try? files.status(of: root.child(name), followingLinks: true)) == nil:
            [candidate(name, .unneeded, .brokenLink)]
        case .link: [candidate(name, .foreign, .link)]
        case .regular, .other: [candidate(name, .foreign, .notAVoiceFolder)]
        case .folder, nil: []
        }
    }

    private func candidates(in name: String, isKnown: Bool, isNeeded: Bool) -> [PruneCandidate] {
        let complete = current(name)
        if let complete, complete.record.origin == .user { return [] }
        if let complete, complete.record.model != nil {
            if !isNeeded { return [candidate(name, .unneeded, .unusedModel)] }
        } else if !isKnown {
            if own(name) != nil { return [] }
            return [candidate(name, complete == nil ? .unneeded : .unknown, .inNoRegistry)]
        }
        return ((try? files.names(in: root.child(name))) ?? []).filter(FileName.isID).sorted().compactMap { revision in
            let path = name.child(revision)
            if root.child(path) == complete?.folder { return nil }
            if files.kind(of: root.child(path)) != .folder {
                return candidate(path, .foreign, .notAVoiceFolder)
            }
            return candidate(
                path, .unneeded, complete == nil ? .unfinishedDownload : .olderRevision)
        }
    }

    private func candidate(_ name: String, _ kind: PruneCandidate.Kind, _ reason: PruneCandidate.Reason)
        -> PruneCandidate
    {
        let path = root.child(name)
        return PruneCandidate(
            kind: kind, path: path, size: files.contentBytes(below: path), reason: reason,
            entry: name.split(separator: "/").first.map(String.init) ?? name)
    }

    /// Removes the candidates that still are candidates, except foreign ones and those that another process works on.
    ///
    /// - Returns: what was removed.
    /// - Throws: the first failure, after all the others were tried.
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

    /// - Returns: false = it is no candidate any more.
    private func remove(_ candidate: PruneCandidate, _ known: Set<String>) throws(StoreError) -> Bool {
        let entry = root.child(candidate.entry)
        // While the lock is held, no process can begin to use it.
        func isStill() -> Bool {
            candidates(of: candidate.entry, known, voicesByModel())
                .contains { $0.path == candidate.path && $0.kind == candidate.kind }
        }
        guard isStill() else { return false }
        if candidate.path == entry, files.kind(of: entry) == .folder {
            return try removeEntry(candidate.entry, if: isStill) != nil
        }
        // A link that leads nowhere has no folder for a lock.
        let lock = candidate.path == entry ? nil : try lock(candidate.entry)
        defer { withExtendedLifetime(lock) {} }
        guard isStill() else { return false }
        try perform { () throws(FileFailure) in try files.removeAll(candidate.path) }
        return true
    }
}
