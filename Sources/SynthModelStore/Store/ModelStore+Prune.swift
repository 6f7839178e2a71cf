import Glibc
package import SynthCatalogue
import SynthSystem

/// An item that no voice needs, or that the store did not create.
package struct PruneCandidate: Sendable, Equatable {
    /// The category of a candidate.
    package enum Kind: Sendable, Hashable {
        case unneeded
        /// A complete voice or model that is not in any registry. Its registry may be missing.
        case unknown
        /// An item that the store did not create. It is never removed.
        case foreign
    }

    /// The reason that the candidate can be pruned.
    package enum Reason: Sendable, Equatable {
        /// Data that was being added when the process ended before the commit.
        case notAdded
        /// A link whose target does not exist.
        case brokenLink
        /// A link to a target outside the store.
        case link
        case notAVoiceFolder
        case notOurs
        /// A model that no installed voice uses.
        case unusedModel
        case inNoRegistry
        case unfinishedDownload
        case olderRevision

        // Candidates outside the store:
        /// Data left behind by a process that ended while it was preparing the data for a cache.
        case unfinishedPreparation
        /// The cache of an engine or recognizer that is not installed.
        case engineNotInstalled
        /// A cache in a location that only earlier versions used.
        case earlierVersion
        /// Data that the host stored about an engine file that no longer exists.
        case engineFileGone
    }

    package let kind: Kind
    /// An absolute path.
    package let path: String
    /// The number of bytes that removing the candidate would free; for foreign files, their total size.
    package let size: Int64
    package let reason: Reason
    /// The candidate's store entry; nil if the candidate is outside the store.
    let entry: String?

    /// Creates a candidate outside the store.
    package init(outside path: String, size: Int64, _ reason: Reason) {
        self.init(kind: .unneeded, path: path, size: size, reason: reason, entry: nil)
    }

    fileprivate init(kind: Kind, path: String, size: Int64, reason: Reason, entry: String?) {
        self.kind = kind
        self.path = path
        self.size = size
        self.reason = reason
        self.entry = entry
    }

    package var isInStore: Bool { entry != nil }
}

extension ModelStore {
    /// All data that no voice needs and no process is working on (unfinished downloads, old revisions, models that no
    /// installed voice uses, entries that are not in any registry), and all foreign files. Files that the user added
    /// are not included.
    package func pruneCandidates(_ registry: Registry) -> [PruneCandidate] {
        let known = KnownEntries(registry)
        let dependents = voicesByModel()
        let names = ((try? files.names(in: root)) ?? []).sorted()
        return names.flatMap { name -> [PruneCandidate] in
            let found = candidates(of: name, known, dependents)
            return found.isEmpty || StoreLock.isHeld(root.child(name), files) ? [] : found
        }
    }

    /// Removes the folders of additions that ended without removing their folders, for example because no file
    /// descriptors were free.
    func removeAbandonedAdditions() {
        for name in (try? files.names(in: root)) ?? [] where isAddition(name) {
            guard let lock = try? lock(name) else { continue }
            withExtendedLifetime(lock) { try? files.removeAll(root.child(name)) }
        }
    }

    private func isAddition(_ name: String) -> Bool {
        guard name.hasPrefix(StoreLayout.additionPrefix) else { return false }
        let folder = root.child(name)
        if files.kind(of: folder.child(StoreLayout.lockName)) == .regular { return true }
        // The lock file is created after the folder and removed before it, so the folder may be empty. The folder's
        // name contains the ID of the process that created it.
        let process = name.dropFirst(StoreLayout.additionPrefix.count).prefix { $0 != "-" }
        return Int32(process).map { kill($0, 0) != 0 && errno == ESRCH } == true
            && (try? files.names(in: folder))?.isEmpty == true
    }

    /// The entries of a registry, with the names of their files.
    private struct KnownEntries {
        private var files: [String: Set<String>] = [:]

        init(_ registry: Registry) {
            for voice in registry.voices {
                files[voice.folder, default: []].formUnion([])
                for entry in voice.entries { add(entry) }
            }
            for model in registry.models { add(model.entry) }
            for model in registry.recognizerModelEntries { model.entries.forEach { add($0) } }
        }

        private mutating func add(_ entry: StoreEntry) {
            files[entry.folder, default: []].formUnion((entry.files + entry.alternative).map(\.name))
        }

        func has(_ entry: String) -> Bool { files[entry] != nil }

        func files(of entry: String) -> Set<String> { files[entry] ?? [] }
    }

    private func candidates(of name: String, _ known: KnownEntries, _ dependents: [String: [String]])
        -> [PruneCandidate]
    {
        let path = root.child(name)
        switch files.kind(of: path) {
        case .folder where isAddition(name):
            return [candidate(path, .unneeded, .notAdded, of: name)]
        case .folder where FileName.isID(name):
            return candidates(in: name, known, isNeeded: dependents[name] != nil)
        case .link:
            let leadsNowhere = (try? files.status(of: path, followingLinks: true)) == nil
            return [candidate(path, .foreign, leadsNowhere ? .brokenLink : .link, of: name)]
        case .folder: return [candidate(path, .foreign, .notOurs, of: name)]
        case .regular, .other: return [candidate(path, .foreign, .notAVoiceFolder, of: name)]
        case nil: return []
        }
    }

    private func candidates(in name: String, _ known: KnownEntries, isNeeded: Bool) -> [PruneCandidate] {
        let complete = current(name)
        if let complete, complete.record.origin == .user { return [] }
        if let complete, complete.record.model != nil {
            if !isNeeded { return entryCandidates(name, known, .unneeded, .unusedModel) }
        } else if !known.has(name) {
            if own(name) != nil { return [] }
            return entryCandidates(name, known, complete == nil ? .unneeded : .unknown, .inNoRegistry)
        }
        let entry = root.child(name)
        return ((try? files.names(in: entry)) ?? []).filter(FileName.isID).sorted().flatMap { revision in
            let path = entry.child(revision)
            if path == complete?.folder { return [PruneCandidate]() }
            if files.kind(of: path) != .folder { return [candidate(path, .foreign, .notAVoiceFolder, of: name)] }
            return candidates(
                try? EntryContent(revision: path, known: known.files(of: name), files), path, .unneeded,
                complete == nil ? .unfinishedDownload : .olderRevision, of: name)
        }
    }

    private func entryCandidates(
        _ name: String, _ known: KnownEntries, _ kind: PruneCandidate.Kind, _ reason: PruneCandidate.Reason
    ) -> [PruneCandidate] {
        let path = root.child(name)
        return candidates(
            try? EntryContent(entry: path, known: known.files(of: name), files), path, kind, reason, of: name)
    }

    /// Divides a folder into the store's own files and foreign files.
    private func candidates(
        _ content: EntryContent?, _ path: String, _ kind: PruneCandidate.Kind, _ reason: PruneCandidate.Reason,
        of entry: String
    ) -> [PruneCandidate] {
        guard let content, !content.isForeign else {
            return [candidate(path, .foreign, .notOurs, of: entry)]
        }
        return [PruneCandidate(kind: kind, path: path, size: content.size, reason: reason, entry: entry)]
            + content.foreign.map { candidate($0, .foreign, .notOurs, of: entry) }
    }

    private func candidate(
        _ path: String, _ kind: PruneCandidate.Kind, _ reason: PruneCandidate.Reason, of entry: String
    ) -> PruneCandidate {
        PruneCandidate(kind: kind, path: path, size: files.contentBytes(below: path), reason: reason, entry: entry)
    }

    /// Removes the given candidates. Foreign files, items that are no longer candidates, and items on which another
    /// process is working are kept.
    ///
    /// - Returns: the removed candidates.
    /// - Throws: the first error, once the removal of all candidates has been attempted.
    package func prune(_ wanted: [PruneCandidate], _ registry: Registry) async throws(StoreError) -> [PruneCandidate] {
        try await onThread("store") { () throws(StoreError) in
            var removed: [PruneCandidate] = []
            var failure: StoreError?
            let known = KnownEntries(registry)
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

    /// - Returns: false if the item is no longer a candidate.
    private func remove(_ candidate: PruneCandidate, _ known: KnownEntries) throws(StoreError) -> Bool {
        guard let name = candidate.entry else { return false }
        let entry = root.child(name)
        // While the lock is held, no other process can start to use the entry.
        func isStill() -> Bool {
            candidates(of: name, known, voicesByModel())
                .contains { $0.path == candidate.path && $0.kind == candidate.kind }
        }
        guard isStill() else { return false }
        let names = known.files(of: name)
        if candidate.path == entry, candidate.reason != .notAdded {
            return try removeEntry(name, names, if: isStill) != nil
        }
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        guard isStill() else { return false }
        try perform { () throws(FileFailure) in
            if candidate.reason == .notAdded { return try files.removeAll(candidate.path) }
            try EntryContent(revision: candidate.path, known: names, files).remove(files)
        }
        return true
    }
}
