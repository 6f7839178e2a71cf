import SynthSystem

/// The contents of an entry's folder: the store's own files, which are recognized by reserved names or by a record, and
/// foreign files, which the store never deletes.
struct EntryContent {
    /// The path of the entry's lock; nil if it has none.
    private(set) var lock: String?
    private var revisions = 0
    private var records: [String] = []
    private var files: [String] = []
    /// The folders, innermost first.
    private var folders: [String] = []
    private(set) var foreign: [String] = []
    /// The size of the store's own files in bytes, excluding records, locks and tags.
    private(set) var size: Int64 = 0

    /// Whether all files in the folder are foreign, except possibly a lock.
    var isForeign: Bool { revisions == 0 && (lock == nil || !foreign.isEmpty) }

    /// - Parameters:
    ///   - entry: the entry's folder.
    ///   - known: the names of the entry's files in a registry.
    /// - Throws: an error if a folder cannot be read.
    init(entry: String, known: Set<String>, _ store: any StoreFiles) throws(FileFailure) {
        for name in try store.names(in: entry).sorted() {
            let path = entry.child(name)
            switch store.kind(of: path) {
            case .regular where name == StoreLayout.lockName: lock = path
            case .folder where !name.hasPrefix("."): try addRevision(path, known, store)
            case nil: break
            default: foreign.append(path)
            }
        }
        folders.append(entry)
    }

    init(revision: String, known: Set<String>, _ store: any StoreFiles) throws(FileFailure) {
        try addRevision(revision, known, store)
    }

    /// Whether the name has a suffix that the store reserves for temporary files.
    static func isMarked(_ name: String) -> Bool {
        [StoreLayout.partSuffix, StoreLayout.tagSuffix, StoreLayout.unpackedSuffix].contains(where: name.hasSuffix)
    }

    private mutating func addRevision(
        _ folder: String, _ known: Set<String>, _ store: any StoreFiles
    ) throws(FileFailure) {
        var found = EntryContent()
        let record = StoreRecord.read(in: folder, store)
        let recorded = Set(record?.files.map(\.path) ?? [])
        let names = try store.names(in: folder).sorted()
        for name in names {
            let path = folder.child(name)
            let isRecord = name == StoreLayout.recordName
            switch store.kind(of: path) {
            case nil: break
            // A record that this version cannot read was written by a later version and is therefore a foreign file.
            case .regular where isRecord && record != nil: found.records.append(path)
            case .folder where recorded.contains(where: { $0.hasPrefix(name + "/") }):
                try found.addMembers(of: name, in: folder, recorded, store)
            case .folder where !Self.isMarked(name): found.foreign.append(path)
            case _ where recorded.contains(name) || known.contains(name) || Self.isMarked(name):
                found.take(path, store)
            default: found.foreign.append(path)
            }
        }
        // An empty folder was left behind by a download that ended before it received any data.
        guard !found.records.isEmpty || !found.files.isEmpty || names.isEmpty else {
            foreign.append(folder)
            return
        }
        revisions += 1
        found.folders.append(folder)
        records += found.records
        files += found.files
        folders += found.folders
        foreign += found.foreign
        size += found.size
    }

    private init() {}

    private mutating func addMembers(
        of name: String, in folder: String, _ recorded: Set<String>, _ store: any StoreFiles
    ) throws(FileFailure) {
        let path = folder.child(name)
        for member in try store.names(in: path).sorted() {
            let inner = name.child(member)
            switch store.kind(of: folder.child(inner)) {
            case nil: break
            case .folder: try addMembers(of: inner, in: folder, recorded, store)
            case _ where recorded.contains(inner): take(folder.child(inner), store)
            default: foreign.append(folder.child(inner))
            }
        }
        folders.append(path)
    }

    private mutating func take(_ path: String, _ store: any StoreFiles) {
        files.append(path)
        if !path.hasSuffix(StoreLayout.tagSuffix) { size += store.contentBytes(below: path) }
    }

    /// Deletes the store's own files, then empty folders. Records are deleted first, so that a partially removed voice
    /// never appears complete. The lock is deleted last: until then, no other process can work in the folder.
    func remove(_ store: any StoreFiles) throws(FileFailure) {
        for path in records + files { try store.removeAll(path) }
        for folder in folders.dropLast(lock == nil ? 0 : 1) { try Self.removeIfEmpty(folder, store) }
        guard let lock, let entry = folders.last else { return }
        try store.removeAll(lock)
        try Self.removeIfEmpty(entry, store)
    }

    private static func removeIfEmpty(_ folder: String, _ store: any StoreFiles) throws(FileFailure) {
        // Another process may have started to reinstall the entry.
        do { try store.removeFolder(folder) } catch
            where error.reason == .notEmpty
            || error.reason == .notFound || error.reason == .exists
        {}
    }
}
