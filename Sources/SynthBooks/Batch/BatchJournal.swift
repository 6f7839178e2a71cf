import Glibc
import SynthJSON
import SynthSystem

/// What was made of a list in a folder: a line for each file that was begun, and one when it is whole. Lines are only added, so that
/// a kill loses none. Several processes each add to a file of their own.
final class BatchJournal {
    struct Entry: Codable, Equatable {
        /// In the folder of the list.
        let file: String
        /// Of all that it comes from.
        let hash: String
        /// nil = it is being written.
        var seconds: Double?
        /// In bytes; 0 = there was nothing to say, and there is no file.
        var size = 0
        /// Of two entries, that of the later run counts.
        var run = 0
    }

    private static let prefix = "done-"
    private static let largest = 1 << 30

    private let path: String
    private var entries: [String: Entry] = [:]
    /// That of this process: after all that were here.
    private var run = 1
    /// Open for adding once there is something to add.
    private var file: Descriptor?

    /// - Parameters:
    ///   - folder: where the journals of all processes are.
    ///   - name: of this process's own.
    init(folder: String, name: String) throws {
        path = folder.child("\(Self.prefix)\(name).jsonl")
        let names = FolderListing.names(in: folder).filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(".jsonl") }
        for name in names.sorted() {
            let bytes: [UInt8]
            do { bytes = try readWholeFile(folder.child(name), limit: Self.largest) } catch {
                throw BookFailure.file(path: folder.child(name), error)
            }
            // A line that was cut off, or damaged by anybody, tells of nothing.
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let entry = try? JSONReader.read(Array(line)).decode(Entry.self), entry.isPossible else {
                    continue
                }
                run = max(run, entry.run + 1)
                if let there = entries[entry.file], there.run > entry.run { continue }
                entries[entry.file] = entry
            }
        }
    }

    /// - Parameter file: its name.
    subscript(file: String) -> Entry? { entries[file] }

    func add(_ entry: Entry) throws {
        var entry = entry
        entry.run = run
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
            throw BookFailure.file(path: path, error)
        }
        entries[entry.file] = entry
    }
}

extension BatchJournal.Entry {
    fileprivate var isPossible: Bool {
        (0...1e9).contains(seconds ?? 0) && (0..<1 << 40).contains(size) && (0..<1 << 40).contains(run)
    }
}
