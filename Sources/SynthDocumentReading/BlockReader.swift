import SynthDocuments

/// Reads the blocks of a page.
struct BlockReader {
    private(set) var blocks: [Document.Block] = []
    /// The blocks that names of places (`id`) stand before or in.
    private(set) var anchors: [String: Int] = [:]

    /// nil = notes are not wanted.
    var footnotes: Footnotes?
    /// What is read is the text of a note.
    let isNote: Bool

    let member: String?
    /// Of the document: a block tells its language only if it has another one.
    let mainLanguage: String?
    private var open: OpenBlock?
    private var quotations = 0
    private var emphases = 0
    private var lists: [OpenList] = []
    private var languages: [String] = []

    private struct OpenList {
        let isNumbered: Bool
        var next: Int
    }

    /// - Parameters:
    ///   - member: the name of the page's file in a book.
    ///   - language: of the document.
    ///   - withNotes: whether notes are kept, to be read where the text refers to them.
    init(member: String? = nil, language: String?, withNotes: Bool = false, isNote: Bool = false) {
        self.member = member
        self.isNote = isNote
        mainLanguage = language?.lowercased()
        footnotes = withNotes ? Footnotes() : nil
    }

    /// - Throws: `excessive`.
    mutating func read(_ tree: MarkupTree) throws(DocumentFailure) {
        guard let root = tree.root else { return }
        visit(root)
        close()
        try tree.checkBudget()
    }

    // MARK: - Elements

    /// Never spoken.
    private static let silent: Set = [
        "script", "style", "head", "title", "template", "svg", "math", "nav", "audio", "video", "iframe", "object",
        "embed",
        "canvas", "button", "input", "select", "textarea", "datalist", "rt", "rp", "map", "noscript", "dialog",
    ]
    private static let paragraphs: Set = [
        "p", "div", "section", "article", "address", "dd", "dt", "dl", "center", "main", "header", "footer", "aside",
        "body", "html",
        "figure", "figcaption", "caption", "fieldset", "details", "summary", "hgroup", "table", "thead", "tbody",
        "tfoot",
    ]
    private static let stressed: Set = ["em", "i", "strong", "b", "cite", "dfn", "var"]
    static let marksOfNotes: Set = ["noteref", "doc-noteref"]
    private static let leftOut: Set = [
        "footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "pagebreak", "doc-footnote",
        "doc-endnote",
        "doc-endnotes", "doc-pagebreak", "backlink", "doc-backlink", "toc", "doc-toc", "page-list", "landmarks",
    ]

    private mutating func visit(_ node: MarkupNode) {
        if let text = node.text { return add(text, at: node.line) }
        guard let name = node.name else { return }
        if isLeftOut(node, name) { return keepNotes(of: node) }
        let language = node.attribute("lang")
        if let language { languages.append(language) }
        defer { if language != nil { languages.removeLast() } }
        if let anchor = node.attribute("id") ?? (name == "a" ? node.attribute("name") : nil), anchors[anchor] == nil {
            anchors[anchor] = blocks.count
        }
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            block(.heading(level: Int(name.dropFirst()) ?? 1), node)
        case "blockquote":
            close()
            quotations += 1
            block(.paragraph, node)
            quotations -= 1
        case "ul", "ol", "menu": list(node, isNumbered: name == "ol")
        case "li": item(node)
        case "tr": row(node)
        case "pre": code(node)
        case "img", "image":
            if let words = node.attribute("alt"), words.contains(where: { !$0.isWhitespace }) {
                add(words, at: node.line, isPicture: true)
            }
        case "br", "wbr", "hr": if name == "hr" { close() } else if name == "br" { add(" ", at: node.line) }
        case "q":
            add("“", at: node.line)
            visitChildren(of: node)
            add("”", at: node.line)
        case _ where Self.paragraphs.contains(name): block(.paragraph, node)
        case _ where Self.stressed.contains(name):
            emphases += 1
            visitChildren(of: node)
            emphases -= 1
            if emphases == 0 { open?.endEmphasis() }
        default: visitChildren(of: node)
        }
    }

    mutating func visitChildren(of node: MarkupNode) { for child in node.children { visit(child) } }

    private func isLeftOut(_ node: MarkupNode, _ name: String) -> Bool {
        if Self.silent.contains(name) || node.attribute("hidden") != nil
            || node.attribute("aria-hidden")?.lowercased() == "true"
        {
            return true
        }
        if ["type", "role"].contains(where: { node.attribute($0, hasOneOf: Self.leftOut.union(Self.marksOfNotes)) }) {
            // `type` is also a kind of list.
            return name != "ol" && name != "ul"
        }
        // As programs that make a page of Markdown write it.
        if name == "section" || name == "div", node.attribute("class", hasOneOf: ["footnotes"]) { return true }
        // The way back from a note.
        if isNote, name == "a", isMark(node) { return true }
        return name == "sup" && isMarkOfNote(node)
    }

    /// Whether it is no more than a link of a few signs, as `<sup><a href="#n1">1</a></sup>`.
    private func isMarkOfNote(_ node: MarkupNode) -> Bool {
        let elements = node.elements
        guard elements.count == 1, elements[0].name == "a", elements[0].attribute("href")?.contains("#") == true else {
            return false
        }
        return isMark(node)
    }

    private func isMark(_ node: MarkupNode) -> Bool {
        node.fewWords.map { $0.count <= 5 && !$0.contains(where: \.isLetter) } ?? false
    }

    private mutating func list(_ node: MarkupNode, isNumbered: Bool) {
        close()
        lists.append(OpenList(isNumbered: isNumbered, next: node.attribute("start").flatMap { Int($0) } ?? 1))
        visitChildren(of: node)
        close()
        lists.removeLast()
    }

    private mutating func item(_ node: MarkupNode) {
        var number: Int?
        if let list = lists.last, list.isNumbered {
            number = node.attribute("value").flatMap { Int($0) } ?? list.next
            lists[lists.count - 1].next = (number ?? list.next) &+ 1
        }
        block(.item(depth: max(1, lists.count), number: number), node)
    }

    private mutating func row(_ node: MarkupNode) {
        close()
        let cells = node.elements.filter { $0.name == "td" || $0.name == "th" }.map(\.words).filter { !$0.isEmpty }
        for cell in node.elements {
            note(anchorsIn: cell)
            keepReferences(in: cell)
        }
        append(.row, cells.joined(separator: ", "), at: node.line)
    }

    private mutating func code(_ node: MarkupNode) {
        close()
        note(anchorsIn: node)
        var text = ""
        node.visit { part in
            text += part.text ?? ""
            return true
        }
        append(.code, text.trimmed { $0.isNewline }, at: node.line)
    }

    private mutating func note(anchorsIn node: MarkupNode) {
        node.visit { part in
            if let anchor = part.attribute("id"), anchors[anchor] == nil { anchors[anchor] = blocks.count }
            return true
        }
    }

    // MARK: - Blocks

    private mutating func block(_ kind: Document.Block.Kind, _ node: MarkupNode) {
        close()
        open = OpenBlock(kind: kind, line: node.line)
        visitChildren(of: node)
        close()
    }

    private mutating func add(_ text: String, at line: Int, isPicture: Bool = false) {
        if open == nil { open = OpenBlock(kind: .paragraph, line: line) }
        open?.add(text, isStressed: emphases > 0, isPicture: isPicture)
    }

    mutating func close() {
        guard var block = open else { return }
        open = nil
        block.endEmphasis()
        guard !block.text.isEmpty else { return }
        let kind = block.isPicture && block.kind == .paragraph ? .figure : block.kind
        append(kind, block.text, emphasis: block.emphasis, at: block.line)
    }

    private mutating func append(
        _ kind: Document.Block.Kind, _ text: String, emphasis: [Range<Int>] = [], at line: Int
    ) {
        guard !text.isEmpty else { return }
        let language = languages.last.flatMap { $0.lowercased() == mainLanguage ? nil : $0 }
        blocks.append(
            Document.Block(
                kind, text, emphasis: emphasis, isQuoted: quotations > 0, language: language,
                at: .init(member: member, line: line)))
    }
}

/// A block whose text still comes.
private struct OpenBlock {
    let kind: Document.Block.Kind
    let line: Int
    private(set) var text = ""
    private(set) var emphasis: [Range<Int>] = []
    /// Nothing but what stands for pictures.
    private(set) var isPicture = true
    private var needsSpace = false
    private var stressedFrom: Int?

    init(kind: Document.Block.Kind, line: Int) {
        self.kind = kind
        self.line = line
    }

    /// Spaces are single, none at the beginning.
    mutating func add(_ part: String, isStressed: Bool, isPicture: Bool) {
        if !isStressed { endEmphasis() }
        if isPicture, !text.isEmpty { needsSpace = true }
        for character in part {
            // A no-break space is one like the others to who listens; soft hyphens and marks of width are none.
            if character.isWhitespace {
                needsSpace = !text.isEmpty
                continue
            }
            if character == "\u{AD}" || character == "\u{200B}" || character == "\u{FEFF}" { continue }
            if needsSpace { text.append(" ") }
            needsSpace = false
            if isStressed, stressedFrom == nil { stressedFrom = text.utf8.count }
            if !isPicture { self.isPicture = false }
            text.append(character)
        }
        if isPicture { needsSpace = true }
    }

    mutating func endEmphasis() {
        guard let from = stressedFrom else { return }
        stressedFrom = nil
        emphasis.append(from..<text.utf8.count)
    }
}

extension String {
    /// Without what the condition holds for at both ends.
    func trimmed(_ isCut: (Character) -> Bool) -> String {
        let begun = drop(while: isCut)
        return String(
            begun.prefix(upTo: begun.lastIndex { !isCut($0) }.map { begun.index(after: $0) } ?? begun.startIndex))
    }
}
