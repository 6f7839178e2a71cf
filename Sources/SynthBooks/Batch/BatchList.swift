import Glibc
import SynthJSON
import SynthSystem

/// A text of a list, with what it says of how it is to be spoken.
package struct BatchItem: Equatable, Sendable {
    /// Who is meant to speak. What is nil is as for the whole list.
    package struct Voice: Hashable, Sendable {
        package var name: String?
        package var speaker: String?
        /// BCP-47.
        package var language: String?
        package var engine: String?
    }

    /// Of the list, from 1.
    package let line: Int
    /// The name of its file, without the ending.
    package let id: String
    package let text: String
    package var voice = Voice()
    /// They were not looked at.
    package var factors: [Factor: Double] = [:]

    /// The members of a line whose values are factors.
    package enum Factor: String, CaseIterable, Sendable {
        case rate, pitch, volume, variation
    }
}

/// Texts that become a file of sound each: JSON objects, one on a line.
package enum BatchList {
    private static let words = ["id", "text", "voice", "speaker", "language", "engine"]
    /// Bytes of a name, of the 255 that a file system takes.
    private static let longestID = 150

    /// - Throws: `list` with the first line that is not as it has to be.
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
                        ? "the id \"\(item.id)\" is also the id in line \(other.line)"
                        : "the id \"\(item.id)\" differs from \"\(other.id)\" in line \(other.line) by case only")
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
        guard case .object(let members) = node.value else { throw wrong("it is \(node.kindName), and not an object") }
        var values: [String: String] = [:]
        var factors: [BatchItem.Factor: Double] = [:]
        for member in members {
            let factor = BatchItem.Factor(rawValue: member.name)
            guard factor != nil || words.contains(member.name) else {
                let known = (words + BatchItem.Factor.allCases.map(\.rawValue)).joined(separator: ", ")
                throw wrong("there is no member \"\(member.name)\"; known are \(known)")
            }
            switch (member.node.value, factor) {
            case (.null, _): break
            case (.string(let text), nil): values[member.name] = text
            case (.number(let number), let factor?): factors[factor] = number
            default: throw wrong("\(member.name) is \(member.node.kindName)")
            }
        }
        guard let id = values["id"], let text = values["text"] else { throw wrong("it needs an id and a text") }
        if let flaw = PlainID.flaw(of: id, longest: longestID, allows: isAllowed) {
            throw wrong("\"\(id)\" cannot name a file: \(flaw == .characters ? characterRule : flaw.rule)")
        }
        let voice = BatchItem.Voice(
            name: values["voice"], speaker: values["speaker"], language: values["language"],
            engine: values["engine"]?.lowercased())
        return BatchItem(line: line, id: id, text: text, voice: voice, factors: factors)
    }

    private static let characterRule = "an id is made of letters, digits, -, _ and ."

    /// Letters and digits of all scripts.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_.".unicodeScalars.contains(scalar)
    }
}

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
