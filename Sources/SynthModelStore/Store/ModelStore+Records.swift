package import SynthCatalogue
import SynthSystem

extension ModelStore {
    /// The names in the root folder that can be entries, sorted.
    var entryNames: [String] { ((try? files.names(in: root)) ?? []).filter(FileName.isID).sorted() }

    /// All readable records of an entry, whether or not its files exist.
    func records(of entry: String) -> [(folder: String, record: StoreRecord)] {
        let names = ((try? files.names(in: root.child(entry))) ?? []).filter(FileName.isID).sorted()
        return names.compactMap { name in
            let folder = root.child(entry).child(name)
            return StoreRecord.read(in: folder, files).map { (folder, $0) }
        }
    }

    /// The newest complete revision of an entry.
    func current(_ entry: String) -> (folder: String, record: StoreRecord)? {
        Self.newest(records(of: entry).filter { $0.record.defect(in: $0.folder, files) == nil })
    }

    /// The newest record of an entry that the user added, complete or not.
    func own(_ entry: String) -> (folder: String, record: StoreRecord)? {
        current(entry).flatMap { $0.record.origin == .user ? $0 : nil }
            ?? Self.newest(records(of: entry).filter { $0.record.origin == .user })
    }

    /// A timestamp that makes a record the newest of its entry, even if the clock has been set back.
    func date(after entry: String) -> Int64 {
        max(now, (records(of: entry).map(\.record.installed).max() ?? 0) &+ 1)
    }

    /// The time at which the entry was first installed; nil if it is not installed.
    func firstDate(of entry: String) -> Int64? {
        records(of: entry).map { $0.record.first ?? $0.record.installed }.min()
    }

    private static func newest(
        _ found: [(folder: String, record: StoreRecord)]
    ) -> (folder: String, record: StoreRecord)? {
        var best: (folder: String, record: StoreRecord)?
        for one in found where best.map({ one.record.installed >= $0.record.installed }) ?? true { best = one }
        return best
    }

    /// Stores a voice's loudness in its record. Blocks. If an error is thrown, the record is unchanged.
    ///
    /// - Throws: `.removedMeanwhile` if the voice has been removed or changed, `.busy` if another process is changing
    ///   it, `.notOurs` if its folder is a link or a file, or `.file` if the record cannot be written.
    package func remember(_ loudness: VoiceLoudness, of voice: InstalledVoice) throws(StoreError) {
        let name = voice.voice.folder
        switch files.kind(of: root.child(name)) {
        case .folder: break
        case nil: throw .removedMeanwhile(voice: voice.voice.id)
        default: throw .notOurs(path: root.child(name))
        }
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        guard var record = StoreRecord.read(in: voice.folder, files), record.installed == voice.installed,
            record.voice?.model == voice.voice.model?.id
        else { throw .removedMeanwhile(voice: voice.voice.id) }
        record.loudness = loudness
        try perform { () throws(FileFailure) in try record.write(in: voice.folder, files) }
    }

    /// Starts adding the user's own voices. Blocks.
    package func beginAdding() throws(StoreError) -> Addition { try Addition(self) }

    // MARK: - Changing under the lock

    func lock(_ name: String) throws(StoreError) -> StoreLock {
        switch try rethrowing(StoreLock.take(root.child(name), waiting: false, files), as: StoreError.file) {
        case .taken(let lock): return lock
        case .held(let process): throw .busy(entry: name, process: process)
        }
    }
}

/// The contents of a registry file.
package struct RegistryText: Sendable {
    package let path: String
    package let content: Result<[UInt8], RegistryError>

    private static let limit = 64 << 20

    init(_ path: String, _ files: any StoreFiles) {
        self.path = path
        do {
            content = .success(try files.contents(of: path, limit: Self.limit))
        } catch {
            content = .failure(RegistryError(origin: .file(path), .unreadable(reason: "\(error.reason)")))
        }
    }

    /// The shipped registry, if there is one, and the user's registry, if it exists. Blocks.
    package static func all(
        shipped: String?, user: String?, files: any StoreFiles = SystemFiles()
    ) -> [RegistryText] {
        let own = user.flatMap { files.kind(of: $0) == nil ? nil : RegistryText($0, files) }
        return [shipped.map { RegistryText($0, files) }, own].compactMap(\.self)
    }
}

extension Registry {
    /// Merges the registries. A later registry overrides an earlier registry.
    package init(_ texts: [RegistryText]) throws(RegistryError) {
        var documents: [(origin: String, text: [UInt8])] = []
        for text in texts { documents.append((text.path, try text.content.get())) }
        try self.init(documents)
    }
}
