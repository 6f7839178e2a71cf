import SynthDocuments

/// A book's package document: its title and authors, the reading order, and the table of contents (EPUB 2 and 3).
struct BookPackage {
    private(set) var head = Document()
    /// The text files in reading order.
    private(set) var spine: [BookPath] = []
    /// The table of contents.
    private(set) var contents: [Entry] = []
    /// The types of pages, such as `toc`, from the landmarks and the EPUB 2 guide.
    private(set) var landmarks: [BookPath: [String]] = [:]
    /// The cover image, or nil if none is specified.
    private(set) var cover: BookPath?

    /// An entry of the table of contents.
    struct Entry: Equatable {
        let title: String
        let path: BookPath
        /// The ID of the target element, or nil for the beginning of the file.
        let anchor: String?
        /// The level, starting at 1.
        let level: Int
    }

    /// The maximum level of a chapter. Entries at deeper levels are sections of a chapter.
    private static let deepest = 4
    private static let maximumEntries = 10_000
    private static let maximumIdentifiers = 16
    /// The maximum length of an identifier in bytes.
    private static let longestIdentifier = 500

    /// - Parameters:
    ///   - archive: the archive, into which the book's pages are loaded regardless of their file names.
    ///   - file: the archive as a seekable file.
    init(_ archive: inout BookArchive, file: Int32) throws(DocumentFailure) {
        let path = try Self.path(archive)
        var fault = ""
        guard let package = try archive.xml(path, onFault: { fault = ", line \($0): \($1)" }), let root = package.root
        else {
            throw .damaged("has a package document that cannot be read (\(path.text)\(fault))")
        }
        let items = Self.items(root, at: path)
        readHead(root)
        readSpine(root, items, archive)
        try archive.load(spine, file: file)
        try Self.check(archive, needed: Set(spine))
        for reference in (root.descendants("guide").first?.descendants("reference") ?? []).prefix(
            Self.maximumIdentifiers)
        {
            note(landmark: reference.attribute("type"), reference.attribute("href"), in: path)
        }
        contents = try readContents(root, items, archive)
        cover = Self.cover(root, items)
        try package.checkBudget()
    }

    /// Returns the path of the package document, as specified in the container file or, as a fallback, found by file
    /// extension.
    private static func path(_ archive: BookArchive) throws(DocumentFailure) -> BookPath {
        var fault = "it has no META-INF/container.xml"
        var named: [BookPath] = []
        if let start = BookPath("META-INF/container.xml") {
            let container = try archive.xml(start) { fault = "META-INF/container.xml, line \($0): \($1)" }
            named = (container?.root?.descendants("rootfile") ?? []).compactMap { $0.attribute("full-path") }
                .compactMap { BookPath($0) }
            if container != nil { fault = "META-INF/container.xml does not refer to a file in the archive" }
        }
        if let path = named.first(where: { archive[$0] != nil }) ?? archive.packages.first { return path }
        if !archive.isBook { throw .unknownFormat }
        throw .damaged("has no package document (\(fault))")
    }

    /// Returns the cover image declared according to EPUB 3 or, as a fallback, EPUB 2.
    private static func cover(_ root: MarkupNode, _ items: [String: Item]) -> BookPath? {
        let marked = items.values.filter { $0.properties.split(separator: " ").contains("cover-image") }
            .min { $0.path.text < $1.path.text }
        let named = root.descendants("meta").first { $0.attribute("name")?.lowercased() == "cover" }?
            .attribute("content").flatMap { items[$0] }
        return (marked ?? named)?.path
    }

    private struct Item {
        let path: BookPath
        let kind: String
        let properties: String
        /// The ID of the item to use if this item's format is not supported.
        let fallback: String?
    }

    private static func items(_ root: MarkupNode, at path: BookPath) -> [String: Item] {
        var items: [String: Item] = [:]
        for item in root.descendants("item") {
            guard let id = item.attribute("id"), let href = item.attribute("href"),
                let target = BookPath.reference(href, from: path)
            else { continue }
            items[id] = Item(
                path: target.path, kind: item.attribute("media-type") ?? "",
                properties: item.attribute("properties") ?? "", fallback: item.attribute("fallback"))
        }
        return items
    }

    private mutating func readHead(_ root: MarkupNode) {
        guard let metadata = root.descendants("metadata").first else { return }
        func texts(_ name: String) -> [String] { metadata.descendants(name).map(\.words).filter { !$0.isEmpty } }
        head.title = texts("title").first
        head.authors = texts("creator")
        head.language = texts("language").first
        head.identifiers = texts("identifier").filter { $0.utf8.count <= Self.longestIdentifier }
            .prefix(Self.maximumIdentifiers).map { String($0) }
    }

    /// The maximum number of times that a file is read. A malicious book could list a file any number of times.
    private static let maximumOccurrences = 4

    /// Reads the spine, in which a page can occur more than once.
    private mutating func readSpine(_ root: MarkupNode, _ items: [String: Item], _ archive: BookArchive) {
        var occurrences: [String: (id: String, count: Int)] = [:]
        var missing: [String] = []
        for reference in root.descendants("itemref") where reference.attribute("linear")?.lowercased() != "no" {
            guard let id = reference.attribute("idref") else { continue }
            guard var item = items[id] else {
                missing.append(id)
                continue
            }
            var steps = 0
            while !Self.isPage(item), steps < 8, let next = item.fallback.flatMap({ items[$0] }) {
                (item, steps) = (next, steps + 1)
            }
            let name = archive.name(of: item.path)
            // If two items refer to the same file, treat the second one as a mistake.
            let (first, count) = occurrences[name ?? item.path.text] ?? (id, 0)
            guard first == id, count < Self.maximumOccurrences else { continue }
            occurrences[name ?? item.path.text] = (id, count + 1)
            if name == nil, count == 0 { missing.append(item.path.text) }
            if Self.isPage(item) { spine.append(item.path) }
        }
        head.missing = missing.isEmpty ? nil : Array(missing.prefix(Self.maximumIdentifiers))
    }

    /// Whether an item is a page rather than an image or an audio file. Some books declare incorrect media types for
    /// pages.
    private static func isPage(_ item: Item) -> Bool {
        !["image/jpeg", "image/png", "image/gif", "image/webp"].contains(item.kind.lowercased())
            && !item.kind.hasPrefix("audio/") && !item.kind.hasPrefix("video/") && !item.kind.hasPrefix("font/")
            && item.kind != "application/pdf"
    }

    /// Algorithms that encrypt only fonts, which leaves the text readable.
    private static let ofFonts = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"]

    private static func check(_ archive: BookArchive, needed: Set<BookPath>) throws(DocumentFailure) {
        guard let path = BookPath("META-INF/encryption.xml"), let tree = try archive.xml(path) else { return }
        for part in tree.root?.descendants("encrypteddata") ?? [] {
            let method = part.descendants("encryptionmethod").first?.attribute("algorithm") ?? ""
            guard !ofFonts.contains(method) else { continue }
            let named = part.descendants("cipherreference").compactMap { $0.attribute("uri") }.compactMap {
                BookPath($0)
            }
            if named.isEmpty || !needed.isDisjoint(with: named) { throw .encrypted }
        }
        try tree.checkBudget()
    }

    /// The maximum number of pages to search for a table of contents.
    private static let maximumPages = 16

    private mutating func note(landmark type: String?, _ target: String?, in file: BookPath) {
        guard let type, let position = target.flatMap({ BookPath.reference($0, from: file) }), position.anchor == nil
        else {
            return
        }
        landmarks[position.path, default: []] += type.split(separator: " ").map(String.init)
    }

    private mutating func readContents(
        _ root: MarkupNode, _ items: [String: Item], _ archive: BookArchive
    ) throws(DocumentFailure) -> [Entry] {
        let pages = Set(items.values.filter { $0.properties.split(separator: " ").contains("nav") }.map(\.path))
        for path in pages.sorted(by: { $0.text < $1.text }).prefix(Self.maximumPages) {
            guard let bytes = archive[path], let tree = try MarkupTree.page(bytes, path.text) else { continue }
            let found = ContentsReader(path).ofPage(tree)
            for list in tree.root?.descendants("nav") ?? [] where list.attribute("type", hasOneOf: ["landmarks"]) {
                for link in list.descendants("a").prefix(Self.maximumIdentifiers) {
                    note(landmark: link.attribute("type"), link.attribute("href"), in: path)
                }
            }
            try tree.checkBudget()
            if !found.isEmpty { return found }
        }
        let named = root.descendants("spine").first?.attribute("toc").flatMap { items[$0]?.path }
        let other = items.values.first { $0.kind == "application/x-dtbncx+xml" }?.path
        guard let path = named ?? other, let tree = try archive.xml(path) else { return [] }
        let found = ContentsReader(path).ofNCX(tree)
        try tree.checkBudget()
        return found
    }

    /// Reads the entries of a table of contents.
    private struct ContentsReader {
        private let file: BookPath

        init(_ file: BookPath) { self.file = file }

        /// Returns the entries of the table of contents in an EPUB 3 navigation document. If no list is marked as the
        /// table of contents, the first list is used.
        func ofPage(_ tree: MarkupTree) -> [Entry] {
            let lists = tree.root?.descendants("nav") ?? []
            guard let contents = lists.first(where: { $0.attribute("type", hasOneOf: ["toc"]) }) ?? lists.first else {
                return []
            }
            return entries(contents.descendants("a"), deepest: { depth(of: $0, in: contents) }) { link in
                (link.words, link.attribute("href"))
            }
        }

        func ofNCX(_ tree: MarkupTree) -> [Entry] {
            guard let map = tree.root?.descendants("navmap").first else { return [] }
            return entries(map.descendants("navpoint"), deepest: { depth(of: $0, in: map) }) { point in
                let own = point.elements
                return (
                    own.first { $0.name == "navlabel" }?.words ?? "",
                    own.first { $0.name == "content" }?.attribute("src")
                )
            }
        }

        private func entries(
            _ nodes: [MarkupNode], deepest: (MarkupNode) -> Int,
            _ read: (MarkupNode) -> (title: String, target: String?)
        ) -> [Entry] {
            nodes.prefix(maximumEntries).compactMap { node in
                let level = deepest(node)
                guard level <= BookPackage.deepest else { return nil }
                let (title, target) = read(node)
                guard !title.isEmpty, let target, let position = BookPath.reference(target, from: file) else {
                    return nil
                }
                return Entry(title: title, path: position.path, anchor: position.anchor, level: max(1, level))
            }
        }

        /// Returns the nesting depth of a node in lists or navigation points.
        private func depth(of node: MarkupNode, in contents: MarkupNode) -> Int {
            node.ancestors(within: contents).count { ["ol", "ul", "navpoint"].contains($0.name) }
                + (node.name == "navpoint" ? 1 : 0)
        }
    }
}
