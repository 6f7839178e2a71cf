import Foundation
@testable import SynthBooks
@testable import SynthCatalogue
import SynthDocuments
import SynthEngineWire
import SynthJSON
@testable import SynthListening
@testable import SynthModelStore
@testable import SynthUserVoices
@testable import synthhost_cli
import SynthSystem

/// The rules for files in which the program or the user stores lists and state. The first byte selects the kind of
/// file.
enum RecordChecks {
    static func violations(in input: [UInt8]) -> [String] {
        let bytes = Array(input.dropFirst())
        switch input.first {
        case UInt8(ascii: "s"):
            let found = StoreRecord(bytes).map(violations) ?? []
            return found + JSONChecks.violations(StoreRecord.self, bytes)
                + JSONChecks.violations(VoiceLoudness.self, bytes)
        case UInt8(ascii: "p"): return JSONChecks.violations(EnginePermissions.self, bytes)
        case UInt8(ascii: "b"):
            return JSONChecks.violations(BookWorkFolder.PartRecord.self, bytes)
                + JSONChecks.violations(BookWorkFolder.FileRecord.self, bytes) + identity(bytes)
        case UInt8(ascii: "c"): return cast(bytes)
        case UInt8(ascii: "l"): return list(bytes)
        case UInt8(ascii: "j"): return journal(bytes)
        case UInt8(ascii: "r"): return position(bytes)
        case UInt8(ascii: "v"): return vocabulary(bytes)
        default: return []
        }
    }

    private static func violations(of record: StoreRecord) -> [String] {
        // Commands add up the sizes, so the sum must not overflow.
        let size = record.files.reduce(0) { $0 + $1.size }
        return size >= 0 && record.files.allSatisfy { FileName.isSafePath($0.path) } ? [] : ["files of \(size) bytes"]
    }

    private static func identity(_ bytes: [UInt8]) -> [String] {
        guard let node = try? JSONReader.read(bytes) else { return [] }
        // An input may contain several books, which are compared with each other.
        let books = (try? node.decode([BookIdentity].self)) ?? (try? node.decode(BookIdentity.self)).map { [$0] } ?? []
        var found: [String] = []
        for book in books.prefix(4) {
            for other in books.prefix(4) {
                if book.isSame(as: other) != other.isSame(as: book) { found.append("\(book) and \(other)") }
                if book.isSame(as: other), !book.continuing(other).isSame(as: other) {
                    found.append("\(book) does not match \(other) after continuing it")
                }
            }
        }
        return found
    }

    private static func cast(_ bytes: [UInt8]) -> [String] {
        guard let cast = try? BookCast(json: bytes) else { return [] }
        guard let again = try? BookCast(json: Array(cast.json.utf8)) else {
            return ["\(cast.json) cannot be read again"]
        }
        return again.json == cast.json ? [] : ["\(cast.json) became \(again.json)"]
    }

    private static func list(_ bytes: [UInt8]) -> [String] {
        guard let items = try? BatchList.items(bytes) else { return [] }
        let lines = 1 + bytes.count { $0 == 0x0A }
        return items.allSatisfy { (1...lines).contains($0.line) && !$0.id.contains("/") && !$0.id.isEmpty }
            ? [] : ["invalid lines or IDs: \(items.map(\.id))"]
    }

    /// Opening a journal truncates it after its last valid line. Opening it again must return the same pieces.
    private static func journal(_ bytes: [UInt8]) -> [String] {
        ScratchFile.with(bytes) { path in
            let subject = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
            var found: [String] = []
            var last: [TranscribedPiece]?
            for _ in 0..<2 {
                guard let journal = try? TranscriptJournal(path, of: subject) else { return found }
                if let last, last != journal.pieces { found.append("\(last) became \(journal.pieces)") }
                last = journal.pieces
            }
            return found
        }
    }

    /// A stored position is within its text, no matter how the file is damaged.
    private static func position(_ bytes: [UInt8]) -> [String] {
        let blocks = ["One. Two.", "", "Three."].map { Document.Block(.paragraph, $0, at: .init(line: 1)) }
        let text = ReadText(title: nil, name: "text", [(1, Document.Chapter(blocks: blocks))], DocumentLanguages("en"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "reading-\(UUID().uuidString)")
        let list = folder.appending(path: "reading")
        try? FileManager.default.createDirectory(at: list, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = list.appending(path: "\(text.digest).json").path
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return [] }
        let memory = ReadingMemory(digest: text.digest, in: folder.path).within(text)
        return ([memory.place] + memory.bookmarks).flatMap { place in
            let (offset, sentence) = (text.offset(of: place), text.sentence(place))
            return (0...text.count).contains(offset) && blocks.indices.contains(sentence.block) ? [] : ["\(place)"]
        }
    }

    private static func vocabulary(_ bytes: [UInt8]) -> [String] {
        ScratchFile.with(bytes) { path in
            guard let words = try? Vocabulary.words(of: path) else { return [] }
            let hints = Vocabulary.hints(nil, words)
            return hints.phrases.allSatisfy { !$0.isEmpty && $0.utf8.count <= Vocabulary.longest } ? [] : ["\(words)"]
        }
    }
}
