import SynthDocuments

/// Converts a PDF to a document. Chapters start at bookmarks or, if there are none, at headings.
struct PDFReader {
    private(set) var head: Document
    private var blocks: [Document.Block] = []
    /// The start positions and titles of the chapters.
    private var starts: [(place: Int, title: String?)] = []
    private var references: [(block: Int, note: [Document.Block])] = []

    /// - Parameters:
    ///   - printed: the output of `pdftohtml`.
    ///   - facts: the output of `pdfinfo`.
    /// - Throws: `empty` if no page contains text.
    init(_ printed: PrintedPages, facts: PDFFacts = PDFFacts([]), withNotes: Bool = false) throws(DocumentFailure) {
        var pages = printed.pages.map { PrintedRow.rows(of: $0) }
        let body = BodyText(pages)
        let titles = Dictionary(grouping: printed.bookmarks, by: \.page).mapValues { marks in
            Set(marks.map { PrintedHeadings.key($0.title) })
        }
        pages = RunningHeads.removed(
            from: pages, heights: printed.pages.map(\.height), bodySize: body.size, titles: titles)
        pages = ContentsRows.removed(from: pages)
        let edges = TextEdges(pages)
        var notes = PrintedNotes(bodySize: body.size)
        let ordered = pages.indices.map { page in
            notes.taken(
                from: PrintedOrder.blocks(pages[page], page: page + 1, edges), height: printed.pages[page].height)
        }
        let paragraphs = PrintedParagraphs(ordered, bodySize: body.size, isMonoBody: body.isMono).paragraphs
        let texts = PrintedTexts(paragraphs, marks: notes.marks)
        let headings = PrintedHeadings(paragraphs, bookmarks: printed.bookmarks, bodySize: body.size)
        head = Document(title: facts.title ?? headings.title, authors: facts.authors)
        var seen: Set<String> = []
        var depths: [Int] = []
        var title = headings.starts.makeIterator()
        var next = title.next()
        for (place, paragraph) in paragraphs.enumerated() {
            while let start = next, start.place <= place {
                if start.place == place { starts.append((blocks.count, start.title)) }
                next = title.next()
            }
            if headings.joined.contains(place) { continue }
            if Ornament.isSceneBreak(paragraph.text) {
                blocks.appendScene(at: .init(line: paragraph.page))
                continue
            }
            let lines = paragraph.lines + headings.rest(place, paragraphs)
            var text = texts.text(of: lines, page: paragraph.page)
            var kind = Document.Block.Kind.paragraph
            if let level = headings.levels[place] {
                kind = .heading(level: level)
                if let marker = paragraph.marker { text.text = "\(marker) \(text.text)" }
                if let written = headings.texts[place] { text.text = written }
                text.emphasis = []
            } else if paragraph.kind == .row {
                kind = .row
                text = PrintedTexts.Text()
                text.text = paragraph.cells.map { texts.text(of: [$0], page: paragraph.page).text }.filter {
                    !$0.isEmpty
                }.joined(separator: ", ")
            } else if paragraph.kind == .code {
                kind = .code
                text.text = lines.map(\.text).joined(separator: "\n")
                text.emphasis = []
            } else if let marker = paragraph.marker {
                while let last = depths.last, last > paragraph.left + paragraph.size / 2 { depths.removeLast() }
                if depths.last.map({ $0 + paragraph.size / 2 < paragraph.left }) ?? true {
                    depths.append(paragraph.left)
                }
                let number = Int(marker.filter { $0.isASCII && $0.isNumber })
                kind = .item(depth: depths.count, number: number)
                if number == nil, marker.count > 1 {
                    let added = "\(marker) "
                    text.text = added + text.text
                    text.emphasis = text.emphasis.map {
                        $0.lowerBound + added.utf8.count..<$0.upperBound + added.utf8.count
                    }
                }
            }
            if paragraph.marker == nil { depths = [] }
            guard !text.text.isEmpty else { continue }
            for name in withNotes ? text.references : [] {
                guard let lines = notes.lines[paragraph.page]?[name] ?? notes.lines[paragraph.page + 1]?[name],
                    seen.insert("\(paragraph.page) \(name)").inserted
                else { continue }
                let note = texts.text(of: lines, page: paragraph.page)
                references.append(
                    (
                        blocks.count,
                        [
                            Document.Block(
                                .paragraph, note.text, emphasis: note.emphasis, at: .init(line: paragraph.page))
                        ]
                    ))
            }
            blocks.append(Document.Block(kind, text.text, emphasis: text.emphasis, at: .init(line: paragraph.page)))
        }
        guard !blocks.isEmpty else { throw .empty }
        let withoutText = printed.pages.indices.filter { printed.pages[$0].fragments.isEmpty }.map { $0 + 1 }
        if !withoutText.isEmpty { head.pagesWithoutText = withoutText }
    }

    /// Returns one chapter for each bookmark or heading, and one chapter for the text before the first bookmark or
    /// heading.
    func chapters() -> [Document.Chapter] {
        NotedBlocks(references, language: nil).chapters(blocks, startingAt: starts)
    }
}

/// The font properties that most letters in the document have.
private struct BodyText {
    var size = 30
    var isMono = false

    init(_ pages: [[PrintedRow]]) {
        var letters: [Int: Int] = [:]
        var (mono, all) = (0, 0)
        for cell in pages.joined().flatMap(\.cells) {
            let count = cell.pieces.reduce(0) { $0 + $1.text.utf8.count }
            letters[cell.size, default: 0] += count
            all += count
            if cell.isMono { mono += count }
        }
        size = letters.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 30
        isMono = mono * 2 > all
    }
}

/// The metadata of a PDF, from the output of `pdfinfo`.
struct PDFFacts: Equatable {
    private(set) var title: String?
    private(set) var authors: [String] = []
    private(set) var pages = 0
    /// Whether the PDF requires a password.
    private(set) var isLocked = false

    init(_ bytes: [UInt8]) {
        for line in String(decoding: bytes.prefix(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.contains("Incorrect password") { isLocked = true }
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard !value.isEmpty else { continue }
            switch line[..<colon] {
            case "Title" where title == nil: title = Self.isTitle(value) ? value : nil
            case "Author" where authors.isEmpty: authors = Self.names(value)
            case "Pages": pages = Int(value) ?? 0
            default: break
            }
        }
    }

    /// Whether the text is an actual title. Some programs use the file name if no title is specified.
    private static func isTitle(_ text: String) -> Bool {
        let lower = text.lowercased()
        if ["untitled", "unknown", "title", "document", "unbenannt", "sans titre"].contains(lower)
            || lower.hasPrefix("microsoft word - ")
        {
            return false
        }
        let endings = [
            ".doc", ".docx", ".odt", ".tex", ".dvi", ".ps", ".pdf", ".indd", ".qxd", ".html", ".htm", ".txt", ".ms",
            ".rtf", ".ppt", ".pptx",
        ]
        return !endings.contains { lower.hasSuffix($0) } && text.contains(where: \.isLetter)
    }

    private static func names(_ text: String) -> [String] {
        text.split(separator: ";").flatMap { part -> [String] in
            var names: [String] = [""]
            for word in part.split(separator: " ") {
                if word == "and" || word == "&" || word == "und" {
                    names.append("")
                } else {
                    names[names.count - 1] += (names[names.count - 1].isEmpty ? "" : " ") + word
                }
            }
            return names.filter { $0.contains(where: \.isLetter) && $0.lowercased() != "unknown" }
        }
    }
}
