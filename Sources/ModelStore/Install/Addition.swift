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

    private let store: ModelStore
    private let folder: String
    /// Shows whoever prunes that somebody is still at it.
    private let lock: StoreLock
    private let cancellation = Cancellation()
    private let entries = Mutex<[Entry]>([])

    private var files: any StoreFiles { store.files }

    init(_ store: ModelStore) throws(StoreError) {
        self.store = store
        let name = StoreLayout.additionPrefix + "\(getpid())-" + String(UInt32.random(in: 0 ... .max), radix: 16)
        folder = store.root + "/" + name
        do throws(StoreError) {
            lock = try store.lock(name)
        } catch {
            // The folder for the lock may be there already.
            try? store.files.removeAll(store.root + "/" + name)
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
        do throws(ArchiveRefusal) {
            _ = try Unpacker(files: files, limits: store.limits) { self.cancellation.isCancelled }
                .unpack(path, to: folder, announced: ArchiveContents(), isGiven: true)
        } catch {
            switch error {
            case .file(let failure): throw failure.asStoreError
            case .cancelled: throw .cancelled
            case .unsafe, .damaged:
                throw StoreError(
                    .wrongContent, "\(path) was not unpacked: \(error.reason).",
                    remedy: "Unpack it, and add the folder.")
            }
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
        guard let status = try? files.status(of: path, followingLinks: true) else {
            throw StoreError(
                .unknown, "\(path) is not there.", remedy: "Look at its name: ls \(ShellWord.quoted(path))")
        }
        let sources: [AddedFile]
        if status.kind == .folder {
            sources = try choose(from: allFiles(below: path), in: path, voice)
        } else if ArchiveKind(name: path) != nil {
            let folder = try unpack(path)
            sources = try choose(from: allFiles(below: folder), in: folder, voice)
        } else {
            sources = try choose(from: companions(of: path, voice), in: files.parent(of: path), voice)
        }
        return try copy(sources, voice)
    }

    /// Copies the files of several voices that share a model: the model's once, each voice's own beside it.
    package func take(
        model shared: [AddedFile], _ voices: [(voice: AddedVoice, files: [AddedFile])]
    ) throws(StoreError) -> [InstalledVoice] {
        guard let engine = voices.first?.voice.engine else { return [] }
        for (voice, _) in voices { try checkID(voice.id) }
        // Two bundles with the same model share it, and one with another of the same name does not.
        var digests = ""
        for file in shared { digests += "\(file.role) \(try digest(of: file.path, .given))\n" }
        let name = "own-model-" + StoreEntry.hash(digests)
        let model = ModelDocument(id: name, engine: engine, name: shared.first?.name)
        if store.current(name) == nil {
            let folder = try copied(shared, into: name)
            try write(folder) {
                StoreRecord(origin: .user, installed: store.date(after: name), model: model, files: $0)
            }
        }
        var taken: [InstalledVoice] = []
        for (voice, files) in voices { taken.append(try copy(files, voice, model: name)) }
        return taken
    }

    /// Makes voices of what was taken. One of the same id that was added before is replaced, and stays as it is when
    /// this throws.
    package func commit() throws(StoreError) -> [InstalledVoice] {
        let entries = entries.withLock(\.self)
        // Always in the same order, so that no two wait for each other.
        var locks: [StoreLock] = []
        for entry in entries.sorted(by: { $0.name < $1.name }) { locks.append(try store.lock(entry.name)) }
        defer { withExtendedLifetime(locks) {} }
        var moved: [(entry: Entry, place: String)] = []
        var old: [String] = []
        do throws(FileFailure) {
            for entry in entries {
                let home = store.root + "/" + entry.name
                let revision = "added-\(store.now)-" + String(UInt32.random(in: 0 ... .max), radix: 16)
                old += try files.names(in: home).filter(FileName.isID).map { home + "/" + $0 }
                try files.rename(entry.folder, to: home + "/" + revision)
                moved.append((entry, home + "/" + revision))
                try files.syncFolder(home)
            }
        } catch {
            for (entry, place) in moved { try? files.rename(place, to: entry.folder) }
            throw error.asStoreError
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

    /// Removes what is not committed. Must be called, also after `commit`.
    package func discard() {
        let names = (try? files.names(in: folder)) ?? []
        for name in names where name != StoreLayout.lockName { try? files.removeAll(folder + "/" + name) }
        try? files.removeAll(folder)
    }

    // MARK: - What is meant

    private func checkID(_ id: String) throws(StoreError) {
        guard FileName.isID(id) else {
            throw StoreError(.unknown, "“\(id)” cannot be an id.", remedy: "Use letters, digits and . _ + - only.")
        }
        if let known = store.current(id), known.record.origin != .user {
            throw StoreError(
                .unknown, "\(id) is a voice of the registry already.", remedy: "Choose another id: --id NAME")
        }
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
            guard let name = names.first else {
                throw StoreError(
                    .unknown, "There is no file that ends in \(ending) in \(folder).",
                    remedy: "Put it beside the others, then run the same command.")
            }
            guard names.count == 1 else {
                throw StoreError(
                    .unknown, "Several files in \(folder) end in \(ending).", remedy: "Name the one that is meant.")
            }
            chosen.append(AddedFile(role: role, path: folder + "/" + name))
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
        for name in (try? files.names(in: folder + "/" + prefix)) ?? [] {
            let path = folder + "/" + prefix + name
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
        _ sources: [AddedFile], _ voice: AddedVoice, model: String? = nil
    ) throws(StoreError) -> InstalledVoice {
        let folder = try copied(sources, into: voice.id)
        var document = voice.document
        document.model = model
        try write(folder) { [document] in
            StoreRecord(origin: .user, installed: store.date(after: voice.id), voice: document, files: $0)
        }
        let staged = entries.withLock { $0.first { $0.name == model }?.folder }
        let shared = staged.flatMap { folder in StoreRecord.read(in: folder, files).map { (folder, $0) } }
        guard let taken = store.voice(in: folder.path, called: voice.id, model: shared) else {
            throw StoreError(.file, "\(voice.id) is not whole after all.", remedy: "Run the same command again.")
        }
        return taken
    }

    /// A folder with copies of the files, each called as the user calls it.
    private func copied(_ sources: [AddedFile], into entry: String) throws(StoreError) -> (
        path: String, files: [StoreRecord.File]
    ) {
        let folder = folder + "/" + entry
        var recorded: [StoreRecord.File] = []
        try perform { () throws(FileFailure) in try files.makeFolder(folder) }
        for source in sources {
            let name = source.name
            try perform { () throws(FileFailure) in try copyFile(source.path, to: folder + "/" + name) }
            let digest = try digest(of: folder + "/" + name, .reading)
            let size = (try? files.status(of: folder + "/" + name).size) ?? 0
            recorded.append(StoreRecord.File(role: source.role, path: name, size: size, digest: digest))
        }
        entries.withLock { $0.append(Entry(name: entry, folder: folder)) }
        return (folder, recorded)
    }

    private func write(
        _ folder: (path: String, files: [StoreRecord.File]), _ record: ([StoreRecord.File]) -> StoreRecord
    ) throws(StoreError) {
        let record = record(folder.files)
        try perform { () throws(FileFailure) in try record.write(in: folder.path, files) }
    }

    private func digest(of path: String, _ purpose: OpenPurpose) throws(StoreError) -> Digest {
        do throws(FileFailure) {
            let digest = try FileDigest.compute(.sha256, of: path, files, for: purpose) { cancellation.isCancelled }
            if let digest { return digest }
        } catch {
            throw error.asStoreError
        }
        if cancellation.isCancelled { throw .cancelled }
        throw StoreError(.file, "\(path) changed while it was read.", remedy: "Run the same command again.")
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
        do throws(FileFailure) { try body() } catch { throw error.asStoreError }
        if cancellation.isCancelled { throw .cancelled }
    }
}
