import Foundation
import SynthDocuments
import SynthJSON
import SynthScript
@testable import synthhost_read

/// The rules for every document, regardless of its format.
enum DocumentChecks {
    private static let isOpen: Bool = {
        DocumentReader.open()
        _ = try? MarkdownScript.loadLibrary()
        return true
    }()

    static func violations(in bytes: [UInt8], as form: DocumentForm?) -> [String] {
        guard isOpen else { return [] }
        _ = PDFFacts(bytes)
        return ScratchFile.with(bytes) { path in
            let file = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            return violations(of: file, bytes.count, form, [])
                + violations(of: file, bytes.count, form, [.notes, .cover])
        }
    }

    private static func violations(
        of file: Int32, _ size: Int, _ form: DocumentForm?, _ extras: Set<DocumentExtra>
    ) -> [String] {
        lseek(file, 0, SEEK_SET)
        var found: [String] = []
        var (words, text) = (0, 0)
        do {
            try DocumentReader.read(file: file, as: form, extras) { message in
                found += violations(of: message)
                guard case .chapter(let chapter) = message else { return }
                words += chapter.words
                for block in chapter.blocks {
                    found += violations(of: block)
                    text += block.text.utf8.count
                }
            }
            if words == 0 { found.append("a document without words") }
        } catch {
            found += violations(of: .failed(error))
        }
        // Text can be longer than its source only because of formulas, repeated table cells, and labels of notes.
        if text > 64 * size + 4096 { found.append("\(text) bytes of text from a source of \(size) bytes") }
        return found
    }

    private static func violations(of message: DocumentMessage) -> [String] {
        guard let node = try? JSONNode(encoding: message) else { return ["\(message) cannot be encoded"] }
        let line = JSONWriter.line(of: node)
        let again = try? JSONReader.read(Array(line.utf8)).decode(DocumentMessage.self)
        return again == message && !line.utf8.contains(0x0A) ? [] : ["\(line) does not decode to the same message"]
    }

    private static func violations(of block: Document.Block) -> [String] {
        let bytes = Array(block.text.utf8)
        var found: [String] = []
        func check(_ ranges: [Range<Int>], _ what: String) {
            var end = 0
            for range in ranges {
                let borders = [range.lowerBound, range.upperBound]
                if range.isEmpty || range.lowerBound < end || range.upperBound > bytes.count {
                    found.append("\(what) at \(range) after \(end) of \(bytes.count): \(block.text)")
                } else if borders.contains(where: { $0 < bytes.count && UTF8.isContinuation(bytes[$0]) }) {
                    found.append("\(what) at \(range) cuts a character of \(block.text)")
                }
                end = range.upperBound
            }
        }
        check(block.emphasis, "emphasis")
        check(block.passages.map(\.range), "a passage")
        if block.kind != .code, block.kind != .scene, block.text.contains("  ") {
            found.append("spaces: \(block.text)")
        }
        if block.place.line < 0 { found.append("line \(block.place.line)") }
        return found
    }
}

/// Creates a ZIP archive from a text in which a line "=== PATH" precedes the contents of each file. Damage to the text
/// changes the contents of files, whereas damage to an archive usually makes it unreadable.
enum ListedArchive {
    static func bytes(_ list: [UInt8]) -> [UInt8] {
        var (archive, directory, count) = ([UInt8](), [UInt8](), 0)
        for (name, content) in members(list).prefix(64) {
            let head =
                numbers([20, 0x0800, 0, 0, 33], 2) + numbers([sum(of: content), content.count, content.count], 4)
                + numbers([name.count, 0], 2)
            directory +=
                numbers([0x0201_4B50], 4) + numbers([20], 2) + head + numbers([0, 0, 0], 2)
                + numbers([0, archive.count], 4) + name
            archive += numbers([0x0403_4B50], 4) + head + name + content
            count += 1
        }
        return archive + directory + numbers([0x0605_4B50], 4) + numbers([0, 0, count, count], 2)
            + numbers([directory.count, archive.count], 4) + numbers([0], 2)
    }

    private static func members(_ list: [UInt8]) -> [(name: [UInt8], content: [UInt8])] {
        var members: [(name: [UInt8], content: [UInt8])] = []
        for line in list.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: "=== ".utf8) {
                members.append((Array(line.dropFirst(4).prefix(200)), []))
            } else if !members.isEmpty {
                let isFirst = members[members.count - 1].content.isEmpty
                members[members.count - 1].content += (isFirst ? [] : [0x0A]) + line
            }
        }
        return members
    }

    /// Numbers in little-endian byte order.
    private static func numbers(_ values: [Int], _ size: Int) -> [UInt8] {
        values.flatMap { value in (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }

    /// CRC-32, as in ZIP.
    private static func sum(of bytes: [UInt8]) -> Int {
        let sum = bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(~sum)
    }
}
