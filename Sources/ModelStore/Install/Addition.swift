import Glibc
import Synchronization
import System
import VoiceCatalogue

/// The user's own files on their way into the store. What is taken lies in a folder of its own, where it can be tried
/// out and nobody else finds it, until `commit` makes voices of it or `discard` throws it away. Everything blocks.
package final class Addition: Sendable {
    struct Entry: Sendable {
        /// Its folder in the store, as it will be called.
        let name: String
        /// Where it lies until then.
        let folder: String
    }

    /// A folder with copies of files.
    private struct Copy {
        let path: String
        let files: [StoreRecord.File]
    }

    private let store: ModelStore
    private let folder: String
    /// Shows whoever prunes that somebody is still at it.
    private let lock: StoreLock
    private let cancellation = CancellationSignal()
    private let entries = Mutex<[Entry]>([])

    private var files: any StoreFiles { store.files }

    init(_ store: ModelStore) throws(StoreError) {
        self.store = store
        let name = StoreLayout.additionPrefix + "\(getpid())-" + String(UInt32.random(in: 0 ... .max), radix: 16)
        folder = store.root.child(name)
        do throws(StoreError) {
            lock = try store.lock(name)
        } catch {
            // The folder for the lock may be there already.
            try? store.files.removeAll(store.root.child(name))
            throw error
        }
    }

    /// Has what goes on end with `.cancelled`, now and later. From any thread.
    package func cancel() { cancellation.cancel() }

    /// Unpacks an archive of the user's, for a look at what is in it.
    ///
    /// - Returns: the folder with its content.
    package func unpack(_ path: String) throws(StoreError) -> String {
        let folder = folder + "/unpacked-" + String(UInt32.random(in: 0 ... .max), radix: 16)
        let job = UnpackJob(
            archive: path, isGiven: true, folder: folder, root: store.root, limits: store.limits, givesDigests: false)
        do throws(FetchFailure) {
            _ = try store.fetcher.unpack(job, lock: lock.descriptor, cancellation: cancellation)
        } catch {
            try? files.removeAll(folder)
            throw StoreError(error, unpacking: path, at: path, isGiven: true)
        }
        return folder
    }

    /// Copies the files of one voice.
    ///
    /// - Parameter path: a file (the others that it needs lie beside it and begin with the same name), a folder that
    ///   holds one voice, or an archive of one. Links are followed.
    /// - Throws: `.unknown` when the files are not there, or the id is an installed voice's of a registry. Whether a
    ///   registry has it otherwise is the caller's to ask.
    package func take(_ path: String, as voice: AddedVoice) throws(StoreError) -> InstalledVoice {
        try checkID(voice.id)
        guard let status = try? files.status(of: path, followingLinks: true) else { throw .notThere(path: path) }
        let sources: [AddedFile]
        if status.kind == .folder {
            sources = try choose(from: allFiles(below: path), in: path, voice)
        } else if ArchiveKind(name: path) != nil {
            let folder = try unpack(path)
            sources = try choose(from: allFiles(below: folder), in: folder, voice)
        } else {
            sources = try choose(from: companions(of: path, voice), in: files.parent(of: path), voice)
        }
        let copied = try copy([(voice, sources)], model: nil)
        guard let taken = copied.first else { throw .notWhole(voice: voice.id) }
        return taken
    }

    /// Copies the files of several voices that share a model: the model's once, each voice's own beside it.
    package func take(
        model shared: [AddedFile], _ voices: [(voice: AddedVoice, files: [AddedFile])]
    ) throws(StoreError) -> [InstalledVoice] {
        guard let engine = voices.first?.voice.engine else { return [] }
        for (voice, _) in voices { try checkID(voice.id) }
        // Two bundles with the same model share it, and one with another of the same name does not.
        let digests = zip(shared, try digests(of: shared.map(\.path), areGiven: true))
        let name = "own-model-" + StoreEntry.hash(digests.map { "\($0.role) \($1)\n" }.joined())
        let model = ModelDocument(id: name, engine: engine, name: shared.first?.name)
        if store.current(name) == nil {
            let folders = try copied([(name, shared)])
            for folder in folders {
                try write(folder) {
                    StoreRecord(origin: .user, installed: store.date(after: name), model: model, files: $0)
                }
            }
        }
        return try copy(voices, model: name)
    }

    /// Makes voices of what was taken. One of the same id that was added before is replaced, and stays as it is when
    /// this throws.
    package func commit() throws(StoreError) -> [InstalledVoice] {
        let entries = entries.withLock(\.self)
        // Always in the same order, so that no two wait for each other.
        var locks: [StoreLock] = []
        let models = modelsInStore(of: entries)
        for name in (entries.map(\.name) + models.keys).sorted() { locks.append(try store.lock(name)) }
        defer { withExtendedLifetime(locks) {} }
        // Nobody leaned on it until now, so somebody may have pruned it.
        for (model, voice) in models where store.current(model) == nil { throw .notWhole(voice: voice) }
        var moved: [(entry: Entry, place: String)] = []
        var old: [String] = []
        do throws(FileFailure) {
            for entry in entries {
                let home = store.root.child(entry.name)
                let revision = "added-\(store.now)-" + String(UInt32.random(in: 0 ... .max), radix: 16)
                old += try files.names(in: home).filter(FileName.isID).map { home.child($0) }
                try files.rename(entry.folder, to: home.child(revision))
                moved.append((entry, home.child(revision)))
                try files.syncFolder(home)
            }
        } catch {
            for (entry, place) in moved { try? files.rename(place, to: entry.folder) }
            throw .file(error)
        }
        self.entries.withLock { $0 = [] }
        // The new ones are newer already; what is left of the old ones is pruned another time.
        for path in old { try? files.removeAll(path) }
        var added: [InstalledVoice] = []
        for entry in entries {
            if let voice = store.installedVoice(folder: entry.name) { added.append(voice) }
        }
        return added
    }

    /// The models that the entries lean on and that were in the store before, each with a voice that does.
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

    /// Removes what is not committed. Must be called, also after `commit`.
    package func discard() {
        let names = (try? files.names(in: folder)) ?? []
        for name in names where name != StoreLayout.lockName { try? files.removeAll(folder.child(name)) }
        try? files.removeAll(folder)
    }

    // MARK: - What is meant

    private func checkID(_ id: String) throws(StoreError) {
        guard FileName.isID(id) else { throw .invalidID(id) }
        if let known = store.current(id), known.record.origin != .user { throw .idOfRegistry(id) }
    }

    /// One file for each role, each role once.
    private func choose(
        from names: [String], in folder: String, _ voice: AddedVoice
    ) throws(StoreError) -> [AddedFile] {
        var found: [String: [String]] = [:]
        for name in names.sorted() {
            if let role = voice.role(of: name) { found[role, default: []].append(name) }
        }
        var chosen: [AddedFile] = []
        for (ending, role) in voice.roles.sorted(by: { $0.key < $1.key }) {
            let names = found[role] ?? []
            guard let name = names.first else { throw .noFile(ending: ending, folder: folder) }
            guard names.count == 1 else { throw .severalFiles(ending: ending, folder: folder) }
            chosen.append(AddedFile(role: role, path: folder.child(name)))
        }
        return chosen
    }

    /// The file, and those beside it that begin with the same name.
    private func companions(of path: String, _ voice: AddedVoice) -> [String] {
        let folder = files.parent(of: path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let ending = voice.roles.keys.filter { name.hasSuffix($0) }.max { $0.utf8.count < $1.utf8.count } ?? ""
        let stem = name.dropLast(ending.count)
        let wanted = Set(voice.roles.keys.map { stem + $0 })
        return ((try? files.names(in: folder)) ?? []).filter { wanted.contains($0[...]) }
    }

    /// Links to files count, as in Hugging Face's cache; links to folders do not, which may lead anywhere.
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
        _ voices: [(voice: AddedVoice, files: [AddedFile])], model: String?
    ) throws(StoreError) -> [InstalledVoice] {
        let folders = try copied(voices.map { ($0.voice.id, $0.files) })
        let staged = entries.withLock { $0.first { $0.name == model }?.folder }
        let shared = staged.flatMap { folder in StoreRecord.read(in: folder, files).map { (folder, $0) } }
        var copied: [InstalledVoice] = []
        for ((voice, _), folder) in zip(voices, folders) {
            var document = voice.document
            document.model = model
            try write(folder) { [document] in
                StoreRecord(origin: .user, installed: store.date(after: voice.id), voice: document, files: $0)
            }
            guard let taken = store.voice(in: folder.path, called: voice.id, model: shared) else {
                throw .notWhole(voice: voice.id)
            }
            copied.append(taken)
        }
        return copied
    }

    /// For each entry a folder with copies of its files, each called as the user calls it.
    private func copied(_ groups: [(entry: String, sources: [AddedFile])]) throws(StoreError) -> [Copy] {
        var copies: [String] = []
        for (entry, sources) in groups {
            let folder = folder.child(entry)
            try perform { () throws(FileFailure) in try files.makeFolder(folder) }
            for source in sources {
                let copy = folder.child(source.name)
                try perform { () throws(FileFailure) in try copyFile(source.path, to: copy) }
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

    private func write(
        _ folder: Copy, _ record: ([StoreRecord.File]) -> StoreRecord
    ) throws(StoreError) {
        let record = record(folder.files)
        try perform { () throws(FileFailure) in try record.write(in: folder.path, files) }
    }

    /// One for each file, in their order.
    private func digests(of paths: [String], areGiven: Bool) throws(StoreError) -> [Digest] {
        let digester = FileDigester(fetcher: store.fetcher, cancellation: cancellation)
        let job = DigestJob(files: paths.map { .init(path: $0, algorithm: .sha256) }, areGiven: areGiven)
        let results = try digester.results(of: job, lock)
        var digests: [Digest] = []
        for (index, path) in paths.enumerated() {
            guard index < results.count, let digest = try results[index].digest(.sha256) else {
                throw .changedWhileRead(path: path)
            }
            digests.append(digest)
        }
        return digests
    }

    private func copyFile(_ path: String, to other: String) throws(FileFailure) {
        let input = try files.openFully(path, for: .given)
        defer { files.close(input) }
        let output = try files.openFully(other, for: .creating)
        defer { files.close(output) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            if cancellation.isCancelled { return }
            let count = try files.readFully(input, into: buffer, of: path)
            if count == 0 { break }
            try files.writeFully(output, UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: other)
        }
        try files.syncFully(output, of: other)
    }

    private func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
        do throws(FileFailure) { try body() } catch { throw .file(error) }
        if cancellation.isCancelled { throw .cancelled }
    }
}
