import SynthDocuments

/// Reads an EPUB 2 or 3 book.
struct EPUBReader {
    private(set) var head: Document
    private let extras: Set<DocumentExtra>
    private let archive: BookArchive
    private let package: BookPackage

    /// - Parameters:
    ///   - file: the book, open for reading.
    ///   - archive: the archive, with its text files loaded.
    ///   - extras: the optional parts to read.
    init(file: Int32, _ archive: BookArchive, _ extras: Set<DocumentExtra>) throws(DocumentFailure) {
        self.extras = extras
        var archive = archive
        package = try BookPackage(&archive, file: file)
        self.archive = archive
        head = package.head
        if extras.contains(.cover) {
            head.cover = package.cover.flatMap { BookArchive.picture($0, file: file) }.flatMap(Document.Picture.init)
        }
    }

    /// Returns the chapters in reading order: one for each entry in the table of contents, and one for the text before
    /// the first entry. If there is no table of contents, returns one chapter for each file.
    ///
    /// - Throws: `excessive` if a page exceeds a limit on markup.
    func chapters() throws(DocumentFailure) -> [Document.Chapter] {
        var blocks: [Document.Block] = []
        var pages: [NoteSearch.Page] = []
        var indices: [BookPath: Int] = [:]
        var isEarly = true
        for path in package.spine {
            guard let bytes = archive[path], let tree = try MarkupTree.page(bytes, path.text) else { continue }
            var reader = BlockReader(member: path.text, language: head.language)
            reader.notes.isWanted = extras.contains(.notes)
            try reader.read(tree)
            indices[path] = indices[path] ?? pages.count
            let start = blocks.count
            blocks += marked(reader, package.landmarks[path] ?? [], isEarly: isEarly)
            if reader.blocks.reduce(0, { $0 + $1.words }) > Self.longText { isEarly = false }
            pages.append(.init(anchors: reader.anchors, notes: reader.notes, blocks: start..<blocks.count))
        }
        let paths = package.spine.filter { indices[$0] != nil }
        let search = NoteSearch(pages, &blocks) { target, page in
            guard let found = BookPath.reference(target, from: paths[page]), let anchor = found.anchor else {
                return nil
            }
            // If a page is read more than once, each copy refers to its own notes.
            return found.path == paths[page] ? (page, anchor) : indices[found.path].map { ($0, anchor) }
        }
        FrontMatterSearch.markLicense(in: &blocks)
        let titles = titles(pages, indices, words: blocks.reduce(0) { $0 + $1.words })
        var borders = titles.keys.sorted()
        if borders.first != 0 { borders.insert(0, at: 0) }
        let noted = NotedBlocks(search.references, language: head.language)
        return zip(borders, borders.dropFirst() + [blocks.count]).compactMap { from, to in
            guard from < to, to <= blocks.count else { return nil }
            let part = noted.blocks(blocks, from..<to, without: search.removed)
            guard part.contains(where: { $0.kind != .scene }) else { return nil }
            return Document.Chapter(
                title: titles[from]?.title ?? part.firstHeading, blocks: part, level: titles[from]?.level)
        }
    }

    /// The maximum number of words of a short page. Front matter is detected only up to the first longer page.
    private static let longText = 400

    private func marked(_ reader: BlockReader, _ landmarks: [String], isEarly: Bool) -> [Document.Block] {
        let page = FrontMatterSearch.Page(
            blocks: reader.blocks[...], types: reader.types + landmarks, links: reader.linkCount, isEarly: isEarly)
        guard let matter = FrontMatterSearch.matter(of: page, title: head.title) else { return reader.blocks }
        return reader.blocks.map { block in
            var block = block
            block.matter = block.matter ?? matter
            return block
        }
    }

    /// The start of a chapter.
    private struct Start {
        var title: String?
        var level: Int?
    }

    /// The level below which an entry is usually a section of a chapter.
    private static let usualDepth = 2
    /// Entries at a deeper level are chapters if they contain at least this many words on average.
    private static let shortChapter = 1_000

    /// Returns the entries of the table of contents that are chapters rather than sections of a chapter. Entries at a
    /// deeper level are chapters if they are long on average, as in a novel with volumes and books, or if they have
    /// their own files.
    private func chapterEntries(words: Int) -> [BookPackage.Entry] {
        let contents = package.contents
        var depth = max(contents.map(\.level).max() ?? 0, Self.usualDepth)
        while depth > Self.usualDepth, contents.count(where: { $0.level == depth }) * Self.shortChapter > words {
            depth -= 1
        }
        return contents.filter { $0.level <= depth || $0.anchor == nil }
    }

    /// Returns the entries in the table of contents, keyed by the index of their first block. Entries for pages without
    /// text are omitted, because their titles would otherwise be assigned to later text.
    private func titles(_ pages: [NoteSearch.Page], _ indices: [BookPath: Int], words: Int) -> [Int: Start] {
        // Some tables of contents omit the folders from file paths.
        let byName = Dictionary(grouping: indices.keys, by: \.name).compactMapValues { $0.count == 1 ? $0[0] : nil }
        var titles: [Int: Start] = [:]
        for entry in chapterEntries(words: words) {
            guard let index = indices[entry.path] ?? byName[entry.path.name].flatMap({ indices[$0] }) else { continue }
            let page = pages[index]
            let position = page.blocks.lowerBound + (entry.anchor.flatMap { page.anchors[$0] } ?? 0)
            // The entry may point to a position after the last text on a page.
            guard page.blocks.contains(position) else { continue }
            guard let known = titles[position] else {
                titles[position] = Start(title: entry.title, level: entry.level)
                continue
            }
            // If a part starts directly with its first chapter, the chapter is given the titles of both.
            if let level = known.level, let title = known.title, entry.level == level + 1, !title.contains(entry.title)
            {
                titles[position]?.title = "\(title). \(entry.title)"
            }
        }
        if titles.isEmpty { for page in pages { titles[page.blocks.lowerBound] = Start() } }
        return titles
    }
}

extension [Document.Block] {
    /// The text of the first heading among the first blocks, or nil if there is none.
    var firstHeading: String? {
        prefix(4).first { $0.isHeading }?.title
    }
}
