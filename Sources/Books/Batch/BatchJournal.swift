import Glibc
import LocatedJSON
import System

/// What was made of a list in a folder: a line for each file that was begun, and one when it is whole. Lines are only added, so that
/// a kill loses none. Several processes each add to a file of their own.
final class BatchJournal {
    struct Entry: Codable, Equatable {
        let id: String
        /// In the folder of the list; nil = there was nothing to say.
        let file: String?
        /// Of all that its sound comes from.
        let hash: String
        /// nil = it is being written.
        let seconds: Double?
    }

    private static let prefix = "done-"
    private static let largest = 1 << 30

    private let path: String
    private var entries: [String: Entry] = [:]
    /// Open for adding once there is something to add.
    private var file: Descriptor?

    /// - Parameters:
    ///   - folder: where the journals of all processes are.
    ///   - name: of this process's own.
    init(folder: String, name: String) throws(BookFailure) {
        path = folder.child("\(Self.prefix)\(name).jsonl")
        let names = FolderListing.names(in: folder).filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(".jsonl") }
        for name in names.sorted() {
            let bytes: [UInt8]
            do throws(Errno) { bytes = try readWholeFile(folder.child(name), limit: Self.largest) } catch {
                throw .file(path: folder.child(name), error)
            }
            // A line that was cut off, or damaged by anybody, tells of nothing.
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let entry = try? JSONReader.read(Array(line)).decode(Entry.self), entry.isPossible else {
                    continue
                }
                // Of two processes, what one has made whole counts.
                if entry.seconds == nil, let there = entries[entry.id], there.seconds != nil, there.hash == entry.hash {
                    continue
                }
                entries[entry.id] = entry
            }
        }
    }

    subscript(id: String) -> Entry? { entries[id] }

    func add(_ entry: Entry) throws(BookFailure) {
        do throws(Errno) {
            let isNew = file == nil
            let open =
                if let file { file } else {
                    try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o666)
                }
            file = open
            // Nothing in an entry is a number that JSON has not.
            guard let node = try? JSONNode(encoding: entry) else { throw .invalid }
            // What was cut off before stays a line of its own.
            try open.writeAll(
                Array((isNew ? "\n" : "").utf8) + Array("\(JSONWriter.line(of: node, sortsKeys: true))\n".utf8))
        } catch {
            throw .file(path: path, error)
        }
        entries[entry.id] = entry
    }
}

extension BatchJournal.Entry {
    fileprivate var isPossible: Bool {
        let isName = file.map { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) && !$0.hasPrefix(".") } ?? true
        return isName && (0...1e9).contains(seconds ?? 0)
    }
}
