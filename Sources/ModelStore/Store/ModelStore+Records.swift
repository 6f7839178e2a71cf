import VoiceCatalogue
import System

extension ModelStore {
    /// The names in the root that can be entries, sorted.
    var entryNames: [String] { ((try? files.names(in: root)) ?? []).filter(FileName.isID).sorted() }

    /// Every readable record of an entry, whether its files exist or not.
    func records(of entry: String) -> [(folder: String, record: StoreRecord)] {
        let names = ((try? files.names(in: root.child(entry))) ?? []).filter(FileName.isID).sorted()
        return names.compactMap { name in
            let folder = root.child(entry).child(name)
            return StoreRecord.read(in: folder, files).map { (folder, $0) }
        }
    }

    /// The newest complete revision in an entry's folder.
    func current(_ entry: String) -> (folder: String, record: StoreRecord)? {
        Self.newest(records(of: entry).filter { $0.record.defect(in: $0.folder, files) == nil })
    }

    /// The newest record of the user's own in an entry, complete or not.
    func own(_ entry: String) -> (folder: String, record: StoreRecord)? {
        current(entry).flatMap { $0.record.origin == .user ? $0 : nil }
            ?? Self.newest(records(of: entry).filter { $0.record.origin == .user })
    }

    /// A time that makes a record the newest of its entry, even if the clock is wrong.
    func date(after entry: String) -> Int64 {
        max(now, (records(of: entry).map(\.record.installed).max() ?? 0) &+ 1)
    }

    private static func newest(
        _ found: [(folder: String, record: StoreRecord)]
    ) -> (folder: String, record: StoreRecord)? {
        var best: (folder: String, record: StoreRecord)?
        for one in found where best.map({ one.record.installed >= $0.record.installed }) ?? true { best = one }
        return best
    }

    /// Starts to add voices of the user's own. Blocks.
    package func beginAdding() throws(StoreError) -> Addition { try Addition(self) }
}
