import Glibc
import Synchronization
package import SynthCatalogue
import SynthSystem

/// Adds the user's own files to the store. They are first copied to a separate folder, where they can be tested and are
/// invisible to other processes. `commit` then turns them into voices; `discard` deletes them. All functions block.
package final class Addition: Sendable {
    struct Entry: Sendable {
        let name: String
        /// The folder that contains the files until the commit.
        let folder: String
    }

    private struct Copy {
        let path: String
        let files: [StoreRecord.File]
    }

    private let store: ModelStore
    let folder: String
    /// Held until the addition ends, so that pruning does not remove the folder.
    private let lock: StoreLock
    private let cancellation = CancellationSignal()
    private let entries = Mutex<[Entry]>([])
    /// The folders with unpacked contents, keyed by archive.
    private let unpacked = Mutex<[String: String]>([:])

    private var files: any StoreFiles { store.files }
    var storeRoot: String { store.root }
    var unpackedFolders: [String: String] { unpacked.withLock(\.self) }

    init(_ store: ModelStore) throws(StoreError) {
        self.store = store
        store.removeAbandonedAdditions()
        let name = StoreLayout.additionPrefix + "\(getpid())-" + String(UInt32.random(in: 0 ... .max), radix: 16)
        folder = store.root.child(name)
        do {
            lock = try store.lock(name)
        } catch {
            // Taking the lock may have created the folder.
            try? store.files.removeAll(store.root.child(name))
            throw error
        }
    }

    /// Makes the current call and all later calls throw `.cancelled`. May be called from any thread.
    package func cancel() { cancellation.cancel() }

    /// Unpacks one of the user's archives, so that its contents can be examined. Repeated calls return the same folder.
    ///
    /// - Returns: the folder with the archive's contents.
    package func unpack(_ path: String) throws(StoreError) -> String {
        if let known = unpacked.withLock({ $0[path] }) { return known }
        let folder = folder + "/unpacked-" + String(UInt32.random(in: 0 ... .max), radix: 16)
        let job = UnpackJob(
            archive: path, isGiven: true, folder: folder, root: store.root, limits: store.limits, givesDigests: false)
        do {
            _ = try store.fetcher.unpack(job, lock: lock.descriptor, cancellation: cancellation)
        } catch {
            try? files.removeAll(folder)
            throw StoreError(error, unpacking: path, at: path, isGiven: true)
        }
        unpacked.withLock { $0[path] = folder }
        return folder
    }

    /// Whether the store contains an entry with this ID.
    package func isHere(_ id: String) -> Bool { store.current(id) != nil }

    /// The size of a regular file; nil for any other type. Links are followed.
    package func size(of path: String) -> Int64? { files.size(ofGiven: path) }

    /// Whether one of the user's files is identical to a registry file. The user's file is read only if its size
    /// matches.
    package func holds(_ path: String, _ wanted: ModelFile) throws(StoreError) -> Bool {
        try store.fetcher.holds(path, wanted, lock, files, cancellation)
    }

    /// Copies a voice's files.
    ///
    /// - Parameters:
    ///   - path: a file (with the companion files next to it that have the same base name), a folder with one voice, or
    ///     an archive that contains one voice. Links are followed.
    ///   - roles: file roles, keyed by file name suffix; the longest match applies. There must be one file for each role.
    /// - Throws: an error of the kind `.unknown` if the files do not exist or do not match the roles, or if the ID is invalid or
    ///   belongs to an installed voice from a registry; an error of another kind if the files cannot be unpacked or copied. The
    ///   caller must check whether a registry lists a voice with this ID that is not installed.
    package func take(
        _ path: String, as voice: VoiceDocument, roles: [String: String] = [".onnx": "model", ".onnx.json": "config"]
    ) throws(StoreError) -> InstalledVoice {
        try checkID(voice.id)
        guard let status = try? files.status(of: path, followingLinks: true) else { throw .notThere(path: path) }
        let sources: [AddedFile]
        if status.kind == .folder {
            sources = try choose(from: allFiles(below: path), in: path, roles)
        } else if ArchiveKind(name: path) != nil {
            let folder = try unpack(path)
            sources = try choose(from: allFiles(below: folder), in: folder, roles)
        } else {
            sources = try choose(from: companions(of: path, roles), in: LinkTarget.folder(of: path), roles)
        }
        let copied = try copy([(voice, sources)], model: nil)
        guard let taken = copied.first else { throw .notWhole(voice: voice.id) }
        return taken
    }

    /// Copies the files of several voices that share a model: the model's files once, and each voice's own files.
    package func take(
        model shared: [AddedFile], _ voices: [(voice: VoiceDocument, files: [AddedFile])]
    ) throws(StoreError) -> [InstalledVoice] {
        guard let engine = voices.first?.voice.engine else { return [] }
        for (voice, _) in voices { try checkID(voice.id) }
        // The name is derived from the digests, so that bundles with the same model share a folder.
        let digests = zip(shared, try digests(of: shared.map(\.path), areGiven: true))
        let name = "own-model-" + ContentHash(digests.map { "\($0.role) \($1)\n" }.joined().utf8).hexadecimal
        let model = ModelDocument(id: name, engine: engine, name: shared.first?.name)
        if store.current(name) == nil {
            for folder in try copied([(name, shared)]) { try write(.init(model: model), after: name, in: folder) }
        }
        return try copy(voices, model: name)
    }

    /// Copies a recognizer model's files.
    package func take(_ sources: [AddedFile], as model: RecognizerModelEntry) throws(StoreError)
        -> InstalledRecognizerModel
    {
        try checkID(model.folder, isRecognizer: true)
        let copies = try copied([(model.folder, sources)])
        guard let copy = copies.first else { throw .notWhole(voice: model.id) }
        let record = try write(.init(hearing: model.document), after: model.folder, in: copy)
        return InstalledRecognizerModel(
            model: model, folder: copy.path, files: record.filesByRole(in: copy.path, files))
    }

    /// Updates the description of a model whose files were copied.
    package func describe(_ model: RecognizerModelEntry) throws(StoreError) {
        guard let folder = entries.withLock({ $0.first { $0.name == model.folder }?.folder }),
            var record = StoreRecord.read(in: folder, files)
        else { throw .notWhole(voice: model.id) }
        record.hearing = model.document
        let changed = record
        try perform { () throws(FileFailure) in try changed.write(in: folder, files) }
    }

    /// Turns the copied files into voices. If the user has already added a voice with the same ID, that voice is
    /// replaced, unless this function throws.
    package func commit() throws(StoreError) -> [InstalledVoice] {
        let entries = entries.withLock(\.self)
        // Locks are always taken in the same order, so that two processes cannot deadlock.
        var locks: [StoreLock] = []
        let models = modelsInStore(of: entries)
        for name in (entries.map(\.name) + models.keys).sorted() { locks.append(try store.lock(name)) }
        defer { withExtendedLifetime(locks) {} }
        // No installed voice uses the model yet, so another process may have pruned it.
        for (model, voice) in models where store.current(model) == nil { throw .notWhole(voice: voice) }
        var moved: [(entry: Entry, place: String)] = []
        var old: [String] = []
        do {
            for entry in entries {
                let home = store.root.child(entry.name)
                let revision = "added-\(store.now)-" + String(UInt32.random(in: 0 ... .max), radix: 16)
                old += try files.names(in: home).filter(FileName.isID).map { home.child($0) }.filter {
                    files.kind(of: $0) == .folder
                }
                try files.rename(entry.folder, to: home.child(revision))
                moved.append((entry, home.child(revision)))
                try files.syncFolder(home)
            }
        } catch {
            for (entry, place) in moved { try? files.rename(place, to: entry.folder) }
            throw .file(error)
        }
        self.entries.withLock { $0 = [] }
        // The new revisions already take precedence. Remnants of the old revisions are pruned later.
        for path in old { try? EntryContent(revision: path, known: [], files).remove(files) }
        var added: [InstalledVoice] = []
        for entry in entries {
            if let voice = store.installedVoice(folder: entry.name) { added.append(voice) }
        }
        return added
    }

    /// Returns the models that the entries use and that were already in the store, each with one of those entries.
    private func modelsInStore(of entries: [Entry]) -> [String: String] {
        var models: [String: String] = [:]
        for entry in entries {
            guard let model = StoreRecord.read(in: entry.folder, files)?.voice?.model,
                !entries.contains(where: { $0.name == model })
            else { continue }
            models[model] = entry.name
        }
        return models
    }

    /// Removes all uncommitted files. Must always be called, even after `commit`.
    package func discard() {
        let names = (try? files.names(in: folder)) ?? []
        for name in names where name != StoreLayout.lockName { try? files.removeAll(folder.child(name)) }
        try? files.removeAll(folder)
    }

    // MARK: - Choosing files

    private func checkID(_ id: String, isRecognizer: Bool = false) throws(StoreError) {
        guard FileName.isID(id) else { throw .invalidID(id) }
        let other = store.entryNames.first { $0 != id && PlainID.folded($0) == PlainID.folded(id) }
        if let other { throw .idDiffersByCase(id, from: other) }
        guard let known = store.current(id)?.record else { return }
        if known.origin != .user { throw .idOfRegistry(id) }
        // Committing would delete the existing entry.
        if (known.hearing != nil) != isRecognizer { throw .idOfOther(id) }
    }

    /// Finds one file for each role.
    private func choose(
        from names: [String], in folder: String, _ roles: [String: String]
    ) throws(StoreError) -> [AddedFile] {
        var found: [String: [String]] = [:]
        for name in names.sorted() {
            if let role = Self.ending(of: name, roles).flatMap({ roles[$0] }) { found[role, default: []].append(name) }
        }
        var chosen: [AddedFile] = []
        for (ending, role) in roles.sorted(by: { $0.key < $1.key }) {
            let names = found[role] ?? []
            guard let name = names.first else { throw .noFile(ending: ending, folder: folder) }
            guard names.count == 1 else { throw .severalFiles(ending: ending, folder: folder) }
            chosen.append(AddedFile(role: role, path: folder.child(name)))
        }
        return chosen
    }

    /// Returns the file itself and the companion files next to it that have the same base name.
    private func companions(of path: String, _ roles: [String: String]) -> [String] {
        let folder = LinkTarget.folder(of: path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let stem = name.dropLast(Self.ending(of: name, roles)?.count ?? 0)
        let wanted = Set(roles.keys.map { stem + $0 })
        return ((try? files.names(in: folder)) ?? []).filter { wanted.contains($0[...]) }
    }

    private static func ending(of name: String, _ roles: [String: String]) -> String? {
        roles.keys.filter { name.hasSuffix($0) }.max { $0.utf8.count < $1.utf8.count }
    }

    /// Returns all files below a folder, including links to files, as in Hugging Face's cache. Links to folders are
    /// skipped, because they may point anywhere.
    private func allFiles(below folder: String, _ prefix: String = "", depth: Int = 4) -> [String] {
        var found: [String] = []
        for name in (try? files.names(in: folder.child(prefix))) ?? [] {
            let path = folder.child(prefix) + name
            switch files.kind(of: path) {
            case .regular: found.append(prefix + name)
            case .link where (try? files.status(of: path, followingLinks: true))?.kind == .regular:
                found.append(prefix + name)
            case .folder where depth > 0: found += allFiles(below: folder, prefix + name + "/", depth: depth - 1)
            default: continue
            }
        }
        return found
    }

    // MARK: - Copying

    private func copy(
        _ voices: [(voice: VoiceDocument, files: [AddedFile])], model: String?
    ) throws(StoreError) -> [InstalledVoice] {
        let folders = try copied(voices.map { ($0.voice.id, $0.files) })
        let staged = entries.withLock { $0.first { $0.name == model }?.folder }
        let shared = staged.flatMap { folder in StoreRecord.read(in: folder, files).map { (folder, $0) } }
        var copied: [InstalledVoice] = []
        for ((voice, _), folder) in zip(voices, folders) {
            var document = voice
            document.model = model
            try write(.init(voice: document), after: voice.id, in: folder)
            guard let taken = store.voice(in: folder.path, called: voice.id, model: shared) else {
                throw .notWhole(voice: voice.id)
            }
            copied.append(taken)
        }
        return copied
    }

    /// Creates a folder for each entry, with copies of its files under their original names.
    private func copied(_ groups: [(entry: String, sources: [AddedFile])]) throws(StoreError) -> [Copy] {
        var copies: [String] = []
        for (entry, sources) in groups {
            let folder = folder.child(entry)
            try perform { () throws(FileFailure) in try files.makeFolder(folder) }
            for source in sources {
                let copy = folder.child(source.name)
                try perform { () throws(FileFailure) in try files.copy(given: source.path, to: copy, cancellation) }
                copies.append(copy)
            }
        }
        var digests = try digests(of: copies, areGiven: false)[...]
        var copied: [Copy] = []
        for (entry, sources) in groups {
            let folder = folder.child(entry)
            let recorded = zip(sources, digests.prefix(sources.count)).map { source, digest in
                let size = (try? files.status(of: folder.child(source.name)).size) ?? 0
                return StoreRecord.File(role: source.role, path: source.name, size: size, digest: digest)
            }
            digests = digests.dropFirst(sources.count)
            entries.withLock { $0.append(Entry(name: entry, folder: folder)) }
            copied.append(Copy(path: folder, files: recorded))
        }
        return copied
    }

    @discardableResult
    private func write(
        _ document: StoreEntry.Document, after name: String, in folder: Copy
    ) throws(StoreError) -> StoreRecord {
        let record = StoreRecord(
            origin: .user, installed: store.date(after: name), of: document, files: folder.files)
        try perform { () throws(FileFailure) in try record.write(in: folder.path, files) }
        return record
    }

    /// Returns one digest per file, in order.
    private func digests(of paths: [String], areGiven: Bool) throws(StoreError) -> [Digest] {
        let job = DigestJob(files: paths.map { .init(path: $0, algorithm: .sha256) }, areGiven: areGiven)
        let results = try store.fetcher.digests(job, lock, cancellation)
        var digests: [Digest] = []
        for (index, path) in paths.enumerated() {
            guard index < results.count, let digest = try results[index].digest(.sha256) else {
                throw .changedWhileRead(path: path)
            }
            digests.append(digest)
        }
        return digests
    }

    private func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
        do { try body() } catch { throw .file(error) }
        if cancellation.isCancelled { throw .cancelled }
    }
}
