import Documents

/// Reads a book in the format EPUB, 2 or 3.
struct EPUBReader {
    private(set) var head: DocumentMessage.Head
    private let archive: BookArchive
    private let package: BookPackage

    /// - Parameters:
    ///   - file: open for reading, at its beginning.
    ///   - withCover: whether the picture of its cover is wanted.
    init(file: Int32, withCover: Bool) throws(DocumentFailure) {
        archive = try BookArchive(file: file)
        package = try BookPackage(archive)
        head = package.head
        if withCover {
            head.cover = package.cover.flatMap { BookArchive.picture($0, file: file) }.flatMap(Document.Picture.init)
        }
    }

    /// In the order of reading: one for each line of the contents, and one for what stands before the first. Without contents, one for
    /// each file.
    func chapters() -> [Document.Chapter] {
        var blocks: [Document.Block] = []
        var starts: [BookPath: Int] = [:]
        var anchors: [BookPath: [String: Int]] = [:]
        for path in package.spine {
            guard let tree = archive[path].flatMap(MarkupTree.page) else { continue }
            var reader = BlockReader(member: path.text, language: head.language)
            reader.read(tree)
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
        return zip(borders, borders.dropFirst() + [blocks.count]).compactMap { from, to in
            guard from < to, to <= blocks.count else { return nil }
            let part = Array(blocks[from..<to])
            return Document.Chapter(title: (titles[from] ?? nil) ?? part.firstHeading, blocks: part)
        }
    }
}

extension [Document.Block] {
    /// The text of the first heading, if it stands among the first blocks.
    var firstHeading: String? {
        prefix(4).first { if case .heading = $0.kind { true } else { false } }?.text
    }
}
