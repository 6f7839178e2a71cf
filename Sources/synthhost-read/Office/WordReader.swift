import SynthDocuments

/// Reads a Word document (DOCX). Chapters start at headings.
struct WordReader {
    private(set) var head = Document()
    private var blocks: [Document.Block] = []

    private let styles: WordStyles
    private var numbering: WordNumbering
    private let extras: Set<DocumentExtra>
    /// Footnotes and endnotes, keyed by ID.
    private var footnotes: [String: MarkupNode] = [:]
    private var endnotes: [String: MarkupNode] = [:]
    private var references: [(block: Int, note: [Document.Block])] = []
    /// The instructions of the open fields, and whether their results have started.
    private var fields: [(instruction: String, hasResult: Bool)] = []
    /// The number of letters in each language.
    private var letters: [String: Int] = [:]
    private var languages: [String?] = []
    /// Whether a note is being read. Notes are not nested.
    private var isNote = false

    /// Returns the file that contains the text, or nil if the archive is not a Word document.
    static func main(_ archive: BookArchive) -> BookPath? {
        for name in ["word/document.xml", "word/document2.xml"] {
            if let path = BookPath(name), archive[path] != nil { return path }
        }
        guard let start = BookPath("_rels/.rels"), let tree = try? archive.xml(start) else { return nil }
        let target = tree.root?.descendants("relationship").first {
            $0.attribute("type")?.hasSuffix("/officeDocument") ?? false
        }?.attribute("target")
        guard let target, let path = BookPath(target), path.text.hasSuffix(".xml"), !path.text.hasPrefix("ppt/"),
            !path.text.hasPrefix("xl/")
        else { return nil }
        return archive[path] == nil ? nil : path
    }

    init(_ archive: BookArchive, _ path: BookPath, _ extras: Set<DocumentExtra>) throws(DocumentFailure) {
        self.extras = extras
        let folder = path.text.split(separator: "/").dropLast().joined(separator: "/")
        func part(_ name: String) throws(DocumentFailure) -> MarkupTree? {
            guard let path = BookPath(folder.isEmpty ? name : "\(folder)/\(name)") else { return nil }
            return try archive.xml(path)
        }
        let styleTree = try part("styles.xml")
        styles = WordStyles(styleTree?.root)
        let numberTree = try part("numbering.xml")
        numbering = WordNumbering(numberTree?.root)
        guard let tree = try archive.xml(path), let body = tree.root?.child("body")
        else {
            throw .damaged("contains a part that is not well-formed XML (\(path.text))")
        }
        let footnoteTree = extras.contains(.notes) ? try part("footnotes.xml") : nil
        let endnoteTree = extras.contains(.notes) ? try part("endnotes.xml") : nil
        for (trees, isEnd) in [(footnoteTree, false), (endnoteTree, true)] {
            for note in trees?.root?.elements ?? [] {
                guard let id = note.attribute("id"), note.attribute("type") == nil else { continue }
                if isEnd { endnotes[id] = note } else { footnotes[id] = note }
            }
        }
        read(body)
        for tree in [tree, styleTree, numberTree, footnoteTree, endnoteTree] { try tree?.checkBudget() }
        try readHead(archive)
        nameLanguages()
        if !blocks.contains(where: \.isHeading) { findHeadings() }
    }

    private mutating func readHead(_ archive: BookArchive) throws(DocumentFailure) {
        guard let path = BookPath("docProps/core.xml"), let tree = try archive.xml(path) else { return }
        head.title = tree.root?.words(of: "title")
        head.authors = (tree.root?.words(of: "creator") ?? "").split(separator: ";").map {
            String($0).trimmed(\.isWhitespace)
        }.filter {
            !$0.isEmpty
        }
        head.language = tree.root?.words(of: "language")
    }

    /// Sets the document's language to the one with the most letters.
    private mutating func nameLanguages() {
        let main = letters.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? styles.language
        if let main { head.language = main }
        func base(_ language: String) -> String { language.split(separator: "-").first.map { $0.lowercased() } ?? "" }
        for index in blocks.indices {
            guard let own = languages[index], let main, base(own) != base(main) else { continue }
            blocks[index].language = own
        }
    }

    /// Finds headings such as "Chapter One" in a document without styles.
    private mutating func findHeadings() {
        for index in blocks.indices where blocks[index].kind == .paragraph {
            if PlainTextReader.heading([blocks[index].text]) != nil { blocks[index].kind = .heading(level: 1) }
        }
    }

    /// One chapter for each heading, and one for the text before the first heading.
    var chapters: [Document.Chapter] {
        let starts = blocks.indices.filter { blocks[$0].isHeading }.map {
            (place: $0, title: Optional(blocks[$0].text))
        }
        return NotedBlocks(references, language: head.language).chapters(blocks, startingAt: starts)
    }

    // MARK: - Blocks

    private mutating func read(_ node: MarkupNode) {
        for part in node.elements {
            switch part.name {
            case "p": paragraph(part)
            case "tbl": table(part)
            case "sdt":
                if !Self.isContents(part) {
                    for content in part.elements where content.name == "sdtcontent" { read(content) }
                }
            case "ins", "moveto", "customxml", "smarttag": read(part)
            case "alternatecontent": if let choice = Self.choice(of: part) { read(choice) }
            default: break
            }
        }
    }

    /// Whether the element is a table of contents generated by Word.
    private static func isContents(_ node: MarkupNode) -> Bool {
        node.child("sdtpr")?.descendants("docpartgallery").first?.attribute("val")?.lowercased().contains("contents")
            ?? false
    }

    private static func choice(of node: MarkupNode) -> MarkupNode? {
        node.child("choice") ?? node.child("fallback")
    }

    private mutating func table(_ node: MarkupNode) {
        for row in node.descendants("tr") {
            let cells = row.elements.filter { $0.name == "tc" || $0.name == "sdt" }.map { cell in
                let start = blocks.count
                read(cell.name == "sdt" ? cell.descendants("tc").first ?? cell : cell)
                let texts = blocks[start...].map(\.text)
                blocks.removeSubrange(start...)
                languages.removeSubrange(start...)
                references.removeAll { $0.block >= start }
                return texts.joined(separator: " ")
            }.filter { !$0.isEmpty }
            append(.row, StyledText(cells.joined(separator: ", ")), row.line, nil)
        }
    }

    private mutating func paragraph(_ node: MarkupNode) {
        let properties = node.child("ppr")
        let style = styles[properties?.value("pstyle")]
        var run = WordRun(text: StyledText())
        inline(node, style, &run)
        run.lines.append(run.text)
        let boxes = run.boxes
        defer { for box in boxes { read(box) } }
        guard !style.isContents, !style.isHidden else { return }
        let level = properties?.value("outlinelvl").flatMap { Int($0) } ?? style.outline
        let number = numbering.next(
            properties?.child("numpr") ?? style.numbering, hasText: run.lines.contains { !$0.text.isEmpty })
        let start = blocks.count
        if let level, (0...8).contains(level) {
            var title = StyledText(number?.text.map { "\($0) " } ?? "")
            for line in run.lines { title.add(" \(line.text)", isStressed: false) }
            append(.heading(level: min(level + 1, 6)), title, node.line, run.language)
        } else {
            for (index, line) in run.lines.enumerated() {
                if Ornament.isSceneBreak(line.text) {
                    if blocks.appendScene(at: .init(line: node.line)) { languages.append(nil) }
                    continue
                }
                guard index == 0, let number else {
                    append(.paragraph, line, node.line, run.language)
                    continue
                }
                var text = StyledText(number.count == nil ? number.text.map { "\($0) " } ?? "" : "")
                text.add(line)
                append(.item(depth: number.depth, number: number.count), text, node.line, run.language)
            }
        }
        for picture in run.pictures { append(.figure, StyledText(picture), node.line, nil) }
        guard blocks.count > start else { return }
        for note in run.notes {
            let text = blocksOfNote(note)
            if !text.isEmpty { references.append((blocks.count - 1, text)) }
        }
    }

    private func blocksOfNote(_ note: MarkupNode) -> [Document.Block] {
        guard !isNote else { return [] }
        var reader = self
        (reader.blocks, reader.languages, reader.references, reader.isNote, reader.fields) = ([], [], [], true, [])
        reader.read(note)
        return reader.blocks
    }

    private mutating func append(_ kind: Document.Block.Kind, _ text: StyledText, _ line: Int, _ language: String?) {
        guard !text.text.isEmpty else { return }
        if let language { letters[language, default: 0] += text.text.count }
        languages.append(language)
        blocks.append(Document.Block(kind, text.text, emphasis: text.emphasis, at: .init(line: line)))
    }

    // MARK: - Runs

    /// Whether the current text is the result of a field that is skipped: a table of contents, an index or a page
    /// number.
    private var isInSilentField: Bool {
        fields.contains { field in
            let word = field.instruction.split(separator: " ").first?.uppercased() ?? ""
            return !field.hasResult || ["TOC", "INDEX", "PAGE", "NUMPAGES", "PAGEREF", "XE", "TC", "RD"].contains(word)
        }
    }

    private mutating func inline(_ node: MarkupNode, _ style: WordStyle, _ run: inout WordRun) {
        for part in node.elements {
            switch part.name {
            case "r": read(run: part, style, &run)
            case "hyperlink", "ins", "moveto", "smarttag", "customxml", "sdtcontent", "dir", "bdo":
                inline(part, style, &run)
            case "sdt": for content in part.elements where content.name == "sdtcontent" { inline(content, style, &run) }
            case "fldsimple":
                fields.append((part.attribute("instr") ?? "", true))
                inline(part, style, &run)
                fields.removeLast()
            case "alternatecontent": if let choice = Self.choice(of: part) { inline(choice, style, &run) }
            case "omath", "omathpara":
                run.text.add(" \(part.descendants("t").map(\.words).joined(separator: " ")) ", isStressed: false)
            default: break
            }
        }
    }

    private mutating func read(run node: MarkupNode, _ style: WordStyle, _ run: inout WordRun) {
        let properties = node.child("rpr")
        let own = styles[properties?.value("rstyle")]
        func isOn(_ name: String) -> Bool? {
            properties?.child(name).map { !["0", "false", "off", "none"].contains($0.attribute("val") ?? "") }
        }
        let isHidden = isOn("vanish") ?? (own.isHidden || style.isHidden) || isOn("webhidden") ?? false
        let isStressed = isOn("b") ?? own.isStressed || isOn("i") ?? own.isStressed
        let language = properties?.value("lang") ?? own.language ?? style.language ?? styles.language
        let position = properties?.value("vertalign")
        for part in node.elements {
            if part.name == "fldchar" {
                switch part.attribute("fldchartype") {
                case "begin": if fields.count < 64 { fields.append(("", false)) }
                case "separate": if !fields.isEmpty { fields[fields.count - 1].hasResult = true }
                case "end": _ = fields.popLast()
                default: break
                }
                continue
            }
            if part.name == "instrtext" {
                if !fields.isEmpty { fields[fields.count - 1].instruction += part.rawText }
                continue
            }
            if isInSilentField || isHidden { continue }
            switch part.name {
            case "t":
                let text = part.rawText
                if let language { run.languages[language, default: 0] += text.utf8.count }
                let small =
                    switch position {
                    case "superscript": RaisedText.superscript(text, withN: true)
                    case "subscript": RaisedText.subscripted(text)
                    default: String?.none
                    }
                run.text.add(small ?? text, isStressed: isStressed)
            case "tab", "ptab": run.text.add(" ", isStressed: false)
            case "cr": run.breakLine()
            case "br":
                if part.attribute("type").map({ $0 == "textWrapping" }) ?? true {
                    run.breakLine()
                } else {
                    run.text.add(" ", isStressed: false)
                }
            case "nobreakhyphen": run.text.add("-", isStressed: isStressed)
            case "footnotereference":
                if let note = part.attribute("id").flatMap({ footnotes[$0] }) { run.notes.append(note) }
            case "endnotereference":
                if let note = part.attribute("id").flatMap({ endnotes[$0] }) { run.notes.append(note) }
            case "drawing", "pict", "object": read(drawing: part, &run)
            case "alternatecontent": if let choice = Self.choice(of: part) { read(drawing: choice, &run) }
            default: break
            }
        }
    }

    /// Reads text boxes and the alternative text of images.
    private func read(drawing node: MarkupNode, _ run: inout WordRun) {
        let boxes = node.descendants("txbxcontent")
        // A nested text box is read as part of the outer one.
        run.boxes += boxes.filter { box in
            !box.ancestors(within: node).contains { $0.name == "txbxcontent" || $0.name == "fallback" }
        }
        guard boxes.isEmpty, let words = node.descendants("docpr").first?.attribute("descr"), words.contains(" ") else {
            return
        }
        run.pictures.append(words)
    }
}

/// The combined runs of a paragraph.
private struct WordRun {
    var text: StyledText
    /// The lines of the paragraph, except for the last one.
    var lines: [StyledText] = []
    var notes: [MarkupNode] = []
    var boxes: [MarkupNode] = []
    var pictures: [String] = []
    var languages: [String: Int] = [:]

    /// The language with the most letters.
    var language: String? { languages.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }

    mutating func breakLine() {
        lines.append(text)
        text = StyledText()
    }
}
