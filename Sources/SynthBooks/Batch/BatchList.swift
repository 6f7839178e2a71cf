import Glibc
import SynthJSON
import SynthSystem

/// An item of a batch list: the text, the requested voice and the settings.
package struct BatchItem: Equatable, Sendable {
    /// The requested voice. For properties that are nil, the value for the entire list applies.
    package struct Voice: Hashable, Sendable {
        package var name: String?
        package var speaker: String?
        /// The language (BCP 47).
        package var language: String?
        package var engine: String?
    }

    /// The line number in the list, starting at 1.
    package let line: Int
    /// The output file name without its extension.
    package let id: String
    package let text: String
    package var voice = Voice()
    /// The requested factors. They are not validated.
    package var factors: [Factor: Double] = [:]

    /// The JSON keys whose values are factors.
    package enum Factor: String, CaseIterable, Sendable {
        case rate, pitch, volume, variation
    }
}

/// A batch list in JSON Lines format. Each item becomes an audio file.
package enum BatchList {
    private static let words = ["id", "text", "voice", "speaker", "language", "engine"]
    /// The maximum length of an ID in bytes. File systems limit the entire file name to 255 bytes.
    private static let longestID = 150

    /// - Throws: `list` for the first invalid line.
    package static func items(_ bytes: [UInt8]) throws -> [BatchItem] {
        var items: [BatchItem] = []
        var lines: [String: (id: String, line: Int)] = [:]
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }) {
            let item = try item(Array(line), line: index + 1)
            if let other = lines.updateValue((item.id, index + 1), forKey: PlainID.folded(item.id)) {
                throw BookFailure.list(
                    line: index + 1,
                    reason: other.id == item.id
                        ? "the ID \"\(item.id)\" is already used on line \(other.line)"
                        : "the ID \"\(item.id)\" differs only in case from \"\(other.id)\" on line \(other.line)")
            }
            items.append(item)
        }
        guard !items.isEmpty else { throw BookFailure.list(line: 1, reason: "the list is empty") }
        return items
    }

    private static func item(_ bytes: [UInt8], line: Int) throws -> BatchItem {
        func wrong(_ reason: String) -> BookFailure { .list(line: line, reason: reason) }
        let node: JSONNode
        do { node = try JSONReader.read(bytes) } catch {
            throw wrong("\(error.reason) (column \(error.column))")
        }
        guard case .object(let members) = node.value else { throw wrong("it is \(node.kindName), not an object") }
        var values: [String: String] = [:]
        var factors: [BatchItem.Factor: Double] = [:]
        for member in members {
            let factor = BatchItem.Factor(rawValue: member.name)
            guard factor != nil || words.contains(member.name) else {
                let known = (words + BatchItem.Factor.allCases.map(\.rawValue)).joined(separator: ", ")
                throw wrong("the key \"\(member.name)\" is unknown; known keys are \(known)")
            }
            switch (member.node.value, factor) {
            case (.null, _): break
            case (.string(let text), nil): values[member.name] = text
            case (.number(let number), let factor?): factors[factor] = number
            default: throw wrong("\(member.name) must not be \(member.node.kindName)")
            }
        }
        guard let id = values["id"], let text = values["text"] else { throw wrong("it needs an \"id\" and a \"text\"") }
        if let flaw = PlainID.flaw(of: id, longest: longestID, allows: isAllowed) {
            throw wrong("\"\(id)\" cannot be used as a file name: \(flaw == .characters ? characterRule : flaw.rule)")
        }
        let voice = BatchItem.Voice(
            name: values["voice"], speaker: values["speaker"], language: values["language"],
            engine: values["engine"]?.lowercased())
        return BatchItem(line: line, id: id, text: text, voice: voice, factors: factors)
    }

    private static let characterRule = "an ID may contain only letters, digits, -, _ and ."

    /// Whether an ID may contain this scalar. Letters and digits of any script and a few punctuation marks are allowed.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_.".unicodeScalars.contains(scalar)
    }
}

/// The journal of a batch, with one line when a file is started and another when it is completed. Lines are only ever
/// appended, so no earlier entry is lost if the process is killed. Each process has its own journal file.
final class BatchJournal {
    struct Entry: Codable, Equatable {
        let file: String
        /// A hash of the inputs that determine the file's contents.
        let hash: String
        /// The audio duration in seconds, or nil while the file is being written.
        var seconds: Double?
        /// The size in bytes. 0 means that the text contained no speech and the file therefore does not exist.
        var size = 0
        /// The number of the run. If several entries name the same file, the entry from the latest run applies.
        var run = 0

        fileprivate var isPossible: Bool {
            (0...1e9).contains(seconds ?? 0) && (0..<1 << 40).contains(size) && (0..<1 << 40).contains(run)
        }
    }

    private static let prefix = "done-"
    private static let largest = 1 << 30

    private let path: String
    private var entries: [String: Entry] = [:]
    /// The number of this run, which is one more than the highest run number in the journals.
    private var run = 1
    /// The file, which is opened for appending when the first entry is added.
    private var file: Descriptor?

    /// - Parameters:
    ///   - folder: the folder with the journals of all processes.
    ///   - name: the name of this process's journal.
    init(folder: String, name: String) throws {
        path = folder.child("\(Self.prefix)\(name).jsonl")
        let names = FolderListing.names(in: folder).filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(".jsonl") }
        for name in names.sorted() {
            let path = folder.child(name)
            let bytes = try rethrowing(readWholeFile(path, limit: Self.largest), as: BookFailure.ofFile(path))
            // Truncated or damaged lines are ignored.
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
            // Encoding cannot fail, because JSON can represent every number in an entry.
            guard let node = try? JSONNode(encoding: entry) else { throw .invalid }
            // The leading newline separates the new entry from any line that an earlier run left incomplete.
            try open.writeAll(
                Array((isNew ? "\n" : "").utf8) + Array("\(JSONWriter.line(of: node, sortsKeys: true))\n".utf8))
        } catch {
            throw BookFailure.file(path: path, error)
        }
        entries[entry.file] = entry
    }
}
