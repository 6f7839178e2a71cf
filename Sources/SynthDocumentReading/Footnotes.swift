import SynthDocuments

/// The notes of a page, and where it refers to them.
struct Footnotes {
    private(set) var notes: [[Document.Block]] = []
    /// Which note a name (`id`) is of.
    private(set) var names: [String: Int] = [:]
    /// Blocks, by their places, and what they refer to: "#n1", "notes.xhtml#n1".
    var references: [(block: Int, target: String)] = []

    mutating func add(_ note: [Document.Block], names: [String]) {
        guard !note.isEmpty else { return }
        for name in names where self.names[name] == nil { self.names[name] = notes.count }
        notes.append(note)
    }
}

extension BlockReader {
    private static let single: Set = ["footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"]
    /// Elements that are a note each, in what holds many.
    private static let holders: Set = ["li", "p", "dd", "tr"]

    /// Of what is left out of the text: keeps what is a note, or a reference to one.
    mutating func keepNotes(of node: MarkupNode) {
        guard footnotes != nil else { return }
        let isReference =
            node.name == "a" || node.name == "sup"
            || ["type", "role"].contains { node.attribute($0, hasOneOf: Self.marksOfNotes) }
        if isReference { keepReferences(in: node) } else { keepNotes(in: node) }
    }

    mutating func keepReferences(in node: MarkupNode) {
        guard footnotes != nil else { return }
        for link in (node.name == "a" ? [node] : []) + node.descendants("a") {
            guard let target = link.attribute("href"), target.contains("#") else { continue }
            footnotes?.references.append((blocks.count, target))
        }
    }

    private mutating func keepNotes(in node: MarkupNode) {
        guard let name = node.name else { return }
        let isSingle = ["type", "role"].contains { node.attribute($0, hasOneOf: Self.single) }
        guard isSingle || Self.holders.contains(name) else {
            for child in node.elements { keepNotes(in: child) }
            return
        }
        var names: [String] = []
        node.visit { part in
            if let name = part.attribute("id") { names.append(name) }
            return true
        }
        guard !names.isEmpty else { return }
        var reader = BlockReader(member: member, language: mainLanguage, isNote: true)
        reader.visitChildren(of: node)
        reader.close()
        footnotes?.add(reader.blocks, names: names)
    }
}

/// Blocks with their notes after them, each note once: where the text refers to it first.
struct NotedBlocks {
    private var notes: [Int: [Document.Block]] = [:]

    /// - Parameters:
    ///   - references: places of blocks, with the notes that they refer to.
    ///   - language: of the document.
    init(_ references: [(block: Int, note: [Document.Block])], language: String?) {
        let word = DocumentWords(language: language).note
        for (block, note) in references {
            for (index, part) in note.enumerated() {
                var part = part
                // It goes on as a text, and not as the list that it stood in.
                if case .item = part.kind { part.kind = .paragraph }
                if index == 0 {
                    let added = "\(word): "
                    part.text = added + part.text
                    part.emphasis = part.emphasis.map {
                        $0.lowerBound + added.utf8.count..<$0.upperBound + added.utf8.count
                    }
                }
                notes[block, default: []].append(part)
            }
        }
    }

    /// - Parameter range: of places of blocks.
    func blocks(_ blocks: [Document.Block], _ range: Range<Int>) -> [Document.Block] {
        if notes.isEmpty { return Array(blocks[range]) }
        return range.flatMap { [blocks[$0]] + (notes[$0] ?? []) }
    }
}
