import SynthDocuments

/// Reads an HTML page as a document.
struct PageReader {
    let head: Document
    private let blocks: [Document.Block]

    /// - Throws: `excessive` if content was omitted because it exceeded the budget.
    init(_ tree: MarkupTree, withNotes: Bool) throws(DocumentFailure) {
        let root = tree.root
        let names = root?.descendants("meta").filter { $0.attribute("name")?.lowercased() == "author" } ?? []
        head = Document(
            title: root?.descendants("title").first.map(\.words).flatMap { $0.isEmpty ? nil : $0 },
            authors: names.compactMap { $0.attribute("content") }.filter { !$0.isEmpty },
            language: root?.attribute("lang"))
        var reader = BlockReader(language: head.language)
        reader.notes.isWanted = withNotes
        try reader.read(tree)
        var read = reader.blocks
        let page = NoteSearch.Page(anchors: reader.anchors, notes: reader.notes, blocks: 0..<read.count)
        let search = NoteSearch([page], &read) { target, _ in
            target.hasPrefix("#") ? (0, String(target.dropFirst())) : nil
        }
        blocks = NotedBlocks(search.references, language: head.language)
            .blocks(read, 0..<read.count, without: search.removed)
    }

    /// Creates a page without metadata.
    init(blocks: [Document.Block]) { (head, self.blocks) = (Document(), blocks) }

    /// Returns the chapters, which start at headings of the highest level that occurs more than once.
    func chapters() -> [Document.Chapter] {
        var counts: [Int: Int] = [:]
        for case .heading(let level) in blocks.map(\.kind) { counts[level, default: 0] += 1 }
        let level = counts.filter { $0.value > 1 }.keys.min()
        var chapters: [Document.Chapter] = []
        for block in blocks {
            let begins = if case .heading(let own) = block.kind, let level { own <= level } else { false }
            // The document's title precedes the title of the first chapter.
            let isAlone = chapters.last.map { $0.blocks.allSatisfy(\.isHeading) } ?? false
            if chapters.isEmpty || begins && !isAlone { chapters.append(Document.Chapter()) }
            chapters[chapters.count - 1].blocks.append(block)
            if begins { chapters[chapters.count - 1].title = block.title }
        }
        for index in chapters.indices where chapters[index].title == nil {
            chapters[index].title = chapters[index].blocks.firstHeading
        }
        return chapters
    }
}
