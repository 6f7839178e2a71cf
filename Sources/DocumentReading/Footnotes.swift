import Documents

/// The notes of a page, and where it refers to them.
struct Footnotes {
    /// By their names (`id`).
    var notes: [String: [Document.Block]] = [:]
    /// Blocks, by their places, and what they refer to: "#n1", "notes.xhtml#n1".
    var references: [(block: Int, target: String)] = []
}

extension BlockReader {
    /// Of what is left out of the text: keeps what is a note, or a reference to one.
    mutating func keepNotes(of node: MarkupNode) {
        guard footnotes != nil else { return }
        let links = (node.name == "a" ? [node] : []) + node.descendants("a")
        let isReference = node.name == "a" || node.name == "sup"
        if isReference {
            for target in links.compactMap({ $0.attribute("href") }) where target.contains("#") {
                footnotes?.references.append((blocks.count, target))
            }
            return
        }
        if node.attribute("id") != nil, node.name != "section", node.name != "ol", node.name != "ul" {
            keep(node)
        } else {
            for child in node.elements { keepNotes(in: child) }
        }
    }

    /// The outermost elements that have a name, of many notes.
    private mutating func keepNotes(in node: MarkupNode) {
        guard let name = node.name, name != "a" else { return }
        if node.attribute("id") != nil, name != "section", name != "ol", name != "ul" { return keep(node) }
        for child in node.elements { keepNotes(in: child) }
    }

    private mutating func keep(_ node: MarkupNode) {
        guard let name = node.attribute("id"), footnotes?.notes[name] == nil else { return }
        var reader = BlockReader(member: member, language: mainLanguage, isNote: true)
        reader.visitChildren(of: node)
        reader.close()
        footnotes?.notes[name] = reader.blocks
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
