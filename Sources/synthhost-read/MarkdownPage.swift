import SynthDocuments
import SynthScript

/// Reads a Markdown document.
struct MarkdownPage {
    let blocks: [Document.Block]

    /// - Parameter withNotes: whether to read each footnote at its first reference. If false, footnotes are omitted.
    /// - Throws: the same errors as `MarkdownBlocks`.
    init(_ text: [UInt8], withNotes: Bool) throws(ScriptError) {
        var reader = try MarkdownBlocks(text, keepsCode: true)
        var lines = Lines(text)
        var read: [Document.Block] = []
        var references: [(block: Int, name: String)] = []
        var notes: [String: [Document.Block]] = [:]
        while let block = reader.next() {
            let position = Document.Position(line: lines.line(of: block.start))
            if block.rule != nil, !read.isEmpty { read.append(Document.Block(.scene, "", at: position)) }
            guard let made = Self.block(block, at: position) else { continue }
            if let note = block.note {
                notes[note, default: []].append(made)
            } else {
                references += block.references.map { (read.count, $0) }
                read.append(made)
            }
        }
        guard withNotes else {
            blocks = read
            return
        }
        var seen: Set<String> = []
        let noted = references.compactMap { block, name -> (block: Int, note: [Document.Block])? in
            guard let note = notes[name], seen.insert(name).inserted else { return nil }
            return (block, note)
        }
        blocks = NotedBlocks(noted, language: nil).blocks(read, 0..<read.count, without: [])
    }

    private static func block(_ block: MarkdownBlock, at position: Document.Position) -> Document.Block? {
        let kind: Document.Block.Kind =
            switch block.kind {
            case .heading(let level): .heading(level: level)
            case .paragraph: .paragraph
            case .item(let depth, let number): .item(depth: depth, number: number)
            case .row: .row
            case .picture: .figure
            case .code: .code
            }
        if kind == .code {
            let code = String(decoding: block.words, as: UTF8.self).trimmed(\.isNewline)
            return code.isEmpty ? nil : Document.Block(.code, code, at: position)
        }
        var text = SingleSpaces()
        var first = 0
        var emphasis: [Range<Int>] = []
        for range in block.emphasis {
            text.add(block.words[first..<range.lowerBound])
            let start = text.next
            text.add(block.words[range])
            if start < text.count { emphasis.append(start..<text.count) }
            first = range.upperBound
        }
        text.add(block.words[first...])
        guard text.count > 0 else { return nil }
        return Document.Block(kind, text.text, emphasis: emphasis, isQuoted: block.isQuoted, at: position)
    }

    /// Finds the line numbers of byte positions. Line numbers start at 1. Positions must be passed in ascending order.
    private struct Lines {
        private let text: [UInt8]
        private var index = 0
        private var line = 1

        init(_ text: [UInt8]) { self.text = text }

        mutating func line(of position: Int) -> Int {
            while index < min(position, text.count) {
                if text[index] == 0x0A || text[index] == 0x0D && !text[(index + 1)...].starts(with: [0x0A]) {
                    line += 1
                }
                index += 1
            }
            return line
        }
    }
}

/// Builds text without zero-width characters, with a single space or line feed between words and no white space at
/// either end.
private struct SingleSpaces {
    private(set) var text = ""
    /// The white space to insert before the next word.
    private var space: Character?

    var count: Int { text.utf8.count }
    /// The position of the next word, after any white space that must be inserted.
    var next: Int { space != nil ? count + 1 : count }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.properties.isWhitespace {
                if !text.isEmpty, space != "\n" { space = scalar == "\n" ? "\n" : " " }
            } else if ![0xAD, 0x200B, 0xFEFF].contains(scalar.value) {
                if let space { text.append(space) }
                space = nil
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
