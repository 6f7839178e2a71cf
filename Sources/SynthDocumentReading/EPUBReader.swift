import SynthDocuments

/// Reads a book in the format EPUB, 2 or 3.
struct EPUBReader {
    private(set) var head: DocumentMessage.Head
    private let extras: Set<DocumentExtra>
    private let archive: BookArchive
    private let package: BookPackage

    /// - Parameters:
    ///   - file: open for reading.
    ///   - archive: what is in it.
    ///   - extras: what of it is wanted besides.
    init(file: Int32, _ archive: BookArchive, _ extras: Set<DocumentExtra>) throws(DocumentFailure) {
        self.extras = extras
        self.archive = archive
        package = try BookPackage(archive)
        head = package.head
        if extras.contains(.cover) {
            head.cover = package.cover.flatMap { BookArchive.picture($0, file: file) }.flatMap(Document.Picture.init)
        }
    }

    /// In the order of reading: one for each line of the contents, and one for what stands before the first. Without contents, one for
    /// each file.
    ///
    /// - Throws: `excessive`.
    func chapters() throws(DocumentFailure) -> [Document.Chapter] {
        var blocks: [Document.Block] = []
        var starts: [BookPath: Int] = [:]
        var anchors: [BookPath: [String: Int]] = [:]
        var notes: [BookPath: Footnotes] = [:]
        for path in package.spine {
            guard let bytes = archive[path], let tree = try MarkupTree.page(bytes, path.text) else { continue }
            var reader = BlockReader(
                member: path.text, language: head.language, withNotes: extras.contains(.notes))
            try reader.read(tree)
            notes[path] = reader.footnotes
            starts[path] = blocks.count
            anchors[path] = reader.anchors.mapValues { $0 + blocks.count }
            blocks += reader.blocks
        }
        // Contents are found that leave out the folders of their files.
        let byName = Dictionary(grouping: starts.keys, by: \.name).compactMapValues { $0.count == 1 ? $0[0] : nil }
        var titles: [Int: String?] = [:]
        for entry in package.contents {
            let path = starts[entry.path] == nil ? byName[entry.path.name] ?? entry.path : entry.path
            guard let start = starts[path] else { continue }
            let place = entry.anchor.flatMap { anchors[path]?[$0] } ?? start
            if titles[place] == nil { titles[place] = entry.title }
        }
        if titles.isEmpty { for start in starts.values { titles[start] = .some(nil) } }
        var borders = titles.keys.sorted()
        if borders.first != 0 { borders.insert(0, at: 0) }
        let noted = NotedBlocks(references(starts, notes, count: blocks.count), language: head.language)
        return zip(borders, borders.dropFirst() + [blocks.count]).compactMap { from, to in
            guard from < to, to <= blocks.count else { return nil }
            let part = noted.blocks(blocks, from..<to)
            return Document.Chapter(title: (titles[from] ?? nil) ?? part.firstHeading, blocks: part)
        }
    }

    /// Where the text refers to notes first.
    private func references(
        _ starts: [BookPath: Int], _ notes: [BookPath: Footnotes], count: Int
    ) -> [(block: Int, note: [Document.Block])] {
        var seen: Set<String> = []
        return package.spine.flatMap { path -> [(block: Int, note: [Document.Block])] in
            guard let start = starts[path], let own = notes[path] else { return [] }
            return own.references.compactMap { reference in
                guard let target = BookPath.reference(reference.target, from: path), let anchor = target.anchor,
                    let page = notes[target.path], let number = page.names[anchor],
                    seen.insert("\(number) \(target.path.text)").inserted
                else { return nil }
                return (min(start + reference.block, count - 1), page.notes[number])
            }
        }
    }
}

extension [Document.Block] {
    /// The text of the first heading, if it stands among the first blocks.
    var firstHeading: String? {
        prefix(4).first { if case .heading = $0.kind { true } else { false } }?.text
    }
}
