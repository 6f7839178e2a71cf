import SynthSystem

/// What is in the folder of an entry: what the store made, by a name that only it gives or by a record of its own, and
/// what somebody else put there, which the store never deletes.
struct EntryContent {
    /// The entry's lock; nil = it has none.
    private(set) var lock: String?
    /// Folders of revisions that the store made.
    private var revisions = 0
    private var records: [String] = []
    private var files: [String] = []
    /// The innermost first.
    private var folders: [String] = []
    /// Files and folders of somebody else.
    private(set) var foreign: [String] = []
    /// Of the store's own files, in bytes, without records, locks and tags.
    private(set) var size: Int64 = 0

    /// Whether the store made nothing of it but perhaps a lock.
    var isForeign: Bool { revisions == 0 && (lock == nil || !foreign.isEmpty) }

    /// - Parameters:
    ///   - entry: the folder.
    ///   - known: the names that files of the entry have in a registry.
    /// - Throws: if a folder cannot be read.
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

    /// The same for one of its revisions.
    init(revision: String, known: Set<String>, _ store: any StoreFiles) throws(FileFailure) {
        try addRevision(revision, known, store)
    }

    /// Whether the store gives such a name to what it works on.
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
            // One of a later version says what is its own, and this one cannot read it.
            case .regular where isRecord && record != nil: found.records.append(path)
            case .folder where recorded.contains(where: { $0.hasPrefix(name + "/") }):
                try found.addMembers(of: name, in: folder, recorded, store)
            case .folder where !Self.isMarked(name): found.foreign.append(path)
            case _ where recorded.contains(name) || known.contains(name) || Self.isMarked(name):
                found.take(path, store)
            default: found.foreign.append(path)
            }
        }
        // An empty one is of a download that ended before its first byte.
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

    /// What is below a folder of an unpacked archive.
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

    /// Deletes what the store made, and the folders that are then empty. The records go first, because a voice that is
    /// partly removed must not look complete, and the lock last: until then no other process can work in the folder.
    func remove(_ store: any StoreFiles) throws(FileFailure) {
        for path in records + files { try store.removeAll(path) }
        for folder in folders.dropLast(lock == nil ? 0 : 1) { try Self.removeIfEmpty(folder, store) }
        guard let lock, let entry = folders.last else { return }
        try store.removeAll(lock)
        try Self.removeIfEmpty(entry, store)
    }

    private static func removeIfEmpty(_ folder: String, _ store: any StoreFiles) throws(FileFailure) {
        // Another process may have begun to install it again.
        do { try store.removeFolder(folder) } catch
            where error.reason == .notEmpty
            || error.reason == .notFound || error.reason == .exists
        {}
    }
}
