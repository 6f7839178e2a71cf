import SynthDocuments

/// Reads the blocks of a page.
struct BlockReader {
    var blocks: [Document.Block] = []
    /// The indices of the blocks that contain or follow elements, keyed by element ID.
    var anchors: [String: Int] = [:]
    /// The element IDs in document order.
    var names: [String] = []
    /// The page's footnotes and the references to them.
    var notes = Footnotes()
    /// The `epub:type` values of the page, or of a section that contains all the text of the page.
    private(set) var types: [String] = []

    /// The number of text links to other positions in the document.
    private(set) var linkCount = 0
    /// The number of enclosing elements that contain a public archive's license notices.
    var licenses = 0

    let member: String?
    /// The document's language. A block specifies a language only if it differs from this one.
    let mainLanguage: String?
    let isNote: Bool
    let raisedText: RaisedText
    var open: OpenBlock?
    var quotations = 0
    var emphases = 0
    /// The number of enclosing superscript elements.
    var raises = 0
    var lists: [OpenList] = []
    var languages: [String] = []
    /// The numerator of a fraction that is being read.
    var numerator: String?

    struct OpenList {
        let isNumbered: Bool
        var next: Int
    }

    /// - Parameters:
    ///   - member: the file name of the page in a book.
    ///   - language: the document's language.
    ///   - isNote: whether the blocks belong to a footnote. If so, the footnote's number and backlink are skipped.
    init(member: String? = nil, language: String?, isNote: Bool = false) {
        self.member = member
        self.isNote = isNote
        mainLanguage = language?.lowercased()
        raisedText = RaisedText(words: DocumentWords(language: language), language: language)
    }

    /// - Throws: `excessive` if content was omitted because it exceeded the budget.
    mutating func read(_ tree: MarkupTree) throws(DocumentFailure) {
        guard let root = tree.root else { return }
        visit(root)
        close()
        // Remove a pause between scenes at the end of the page.
        blocks = blocks.withoutLastScene
        try tree.checkBudget()
    }

    // MARK: - Elements

    private static let paragraphs: Set = [
        "p", "div", "section", "article", "address", "dd", "dt", "dl", "center", "main", "header", "footer", "aside",
        "body", "html", "figure", "figcaption", "caption", "fieldset", "details", "summary", "hgroup", "table", "thead",
        "tbody", "tfoot",
    ]
    private static let stressed: Set = ["em", "i", "strong", "b", "cite", "dfn", "var"]
    /// Classes of elements that contain one line of verse.
    private static let lines: Set = ["line", "verse", "verseline", "poemline", "vl", "lgline"]

    mutating func visit(_ node: MarkupNode) {
        if let text = node.text { return add(text, at: node.line) }
        guard let name = node.name else { return }
        let facts = ElementFacts(node)
        if let anchor = facts.id ?? (name == "a" ? facts.name : nil) { note(anchor) }
        if name == "body" || name == "section", blocks.isEmpty { types += facts.types }
        switch ElementMeaning.of(node, name, facts) {
        case .silent: return
        case .noteReference: return addReference(in: node)
        case .notes: return keepNotes(in: node)
        case .printedNumber:
            if node.fewWords.map(ElementMeaning.isPrintedNumber) ?? false { return note(anchorsIn: node) }
        case .separator where node.fewWords.map { $0.isEmpty || Ornament.isSceneBreak($0) } ?? false:
            return addScene(at: node.line)
        case .separator, .text: break
        }
        let language = facts.language.flatMap { $0.isEmpty ? nil : $0 }
        let isBlock = Self.isBlock(name)
        if let language {
            if isBlock { languages.append(language) } else { begin(language, at: node.line) }
        }
        let isLicense = facts.hasClass(["pgboilerplate", "pgheader", "pgfooter"])
        if isLicense {
            close()
            licenses += 1
        }
        visit(node, name, facts)
        if isLicense {
            close()
            licenses -= 1
        }
        if language != nil { if isBlock { languages.removeLast() } else { open?.endPassage() } }
    }

    static func isBlock(_ name: String) -> Bool {
        paragraphs.contains(name)
            || ["h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "menu", "li", "tr", "td", "th", "pre"]
                .contains(name)
    }

    mutating func begin(_ language: String, at line: Int) {
        if open == nil { open = OpenBlock(kind: .paragraph, line: line) }
        open?.beginPassage(language)
    }

    mutating func visit(_ node: MarkupNode, _ name: String, _ facts: ElementFacts) {
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6": block(.heading(level: Int(name.dropFirst()) ?? 1), node)
        case "blockquote":
            close()
            quotations += 1
            block(.paragraph, node)
            quotations -= 1
        case "ul", "ol", "menu": list(node, isNumbered: name == "ol")
        case "li": item(node)
        case "tr": row(node)
        case "pre": preformatted(node, facts)
        case "img", "image": picture(facts.alt, at: node.line)
        case "br": breakLine(at: node.line)
        case "hr": addScene(at: node.line)
        case "wbr": break
        case "a": link(node, facts)
        case "sup": raised(node)
        case "sub": lowered(node)
        case "math":
            let next = Self.text(after: node).first
            let space = next.map { $0.isLetter || $0.isNumber } ?? false ? " " : ""
            add(" \(MathMLText.text(node, raisedText))\(space)", at: node.line)
        case "svg": drawing(node)
        case "q":
            add("“", at: node.line)
            visitChildren(of: node)
            add("”", at: node.line)
        case _ where facts.hasClass(Self.lines) && open != nil: line(node)
        case _ where Self.paragraphs.contains(name): block(.paragraph, node)
        case _ where Self.stressed.contains(name):
            emphases += 1
            visitChildren(of: node)
            emphases -= 1
            if emphases == 0 { open?.endEmphasis() }
        case _ where facts.isRaised: raised(node)
        default: visitChildren(of: node)
        }
    }

    mutating func note(_ anchor: String) {
        guard anchors[anchor] == nil else { return }
        anchors[anchor] = blocks.count
        names.append(anchor)
    }

    mutating func note(anchorsIn node: MarkupNode) {
        node.visit { part in
            if let anchor = part.attribute("id") { note(anchor) }
            return true
        }
    }

    mutating func visitChildren(of node: MarkupNode) { for child in node.children { visit(child) } }

    // MARK: - Links

    mutating func link(_ node: MarkupNode, _ facts: ElementFacts) {
        guard let target = facts.href, !target.contains("://"), let text = node.fewWords else {
            let isPage =
                facts.href == nil
                && (facts.id ?? facts.name).map {
                    ElementMeaning.isPageAnchor($0, node.fewWords ?? "x")
                } ?? false
            if !isPage { visitChildren(of: node) }
            return
        }
        linkCount += 1
        if NoteMark.isBacklink(text) {
            notes.links.append(Footnotes.Link(block: blocks.count, range: nil, target: target, isBacklink: true))
            return
        }
        let isFirst = open.map { $0.count == 0 } ?? true
        if isNote, isFirst, NoteMark(text) != nil || text.isEmpty { return }
        guard let mark = NoteMark(text), !isFirst || raises > 0 else {
            let start = open?.count ?? 0
            visitChildren(of: node)
            guard isFirst, NoteMark(text) != nil else { return }
            // The link may be the number of a footnote.
            let end = max(start, open?.count ?? 0)
            let range = start < end ? start..<end : nil
            notes.links.append(Footnotes.Link(block: blocks.count, range: range, target: target, isFirst: true))
            return
        }
        var isRaised = raises > 0 || facts.isRaised
        node.visit { part in
            if part.name == "sup" || part.name != nil && ElementFacts(part).isRaised { isRaised = true }
            return true
        }
        let isGlued = open?.isGlued ?? false
        let isBracketed = text.first.map(NoteMark.brackets.contains) ?? false
        let isCertain =
            switch mark {
            case .number: isRaised || isBracketed && (isGlued || text.hasPrefix("[")) || isGlued
            case .sign: true
            case .letter: isRaised || isBracketed && isGlued && text.hasPrefix("[")
            }
        note(anchorsIn: node)
        if isCertain { return addReference(to: target, text) }
        let start = (open?.count ?? 0) + (isGlued || open?.count == 0 ? 0 : 1)
        visitChildren(of: node)
        guard let end = open?.count, start < end else { return }
        // A linked number is a footnote reference only if the footnote links back to it.
        notes.references.append(
            Footnotes.Link(block: blocks.count, range: start..<end, target: target, sign: NoteMark.bare(text)))
    }

    mutating func addReference(in node: MarkupNode) {
        note(anchorsIn: node)
        for link in (node.name == "a" ? [node] : []) + node.descendants("a") {
            if let target = link.attribute("href") { addReference(to: target, link.fewWords ?? "") }
        }
    }

    mutating func addReference(to target: String, _ text: String) {
        notes.references.append(
            Footnotes.Link(block: blocks.count, range: nil, target: target, sign: NoteMark.bare(text)))
    }

    // MARK: - Lines

    mutating func breakLine(at line: Int) {
        guard var block = open else { return }
        let isNew = block.breakLine()
        open = block
        if !isNew, block.count > 0 {
            close()
            open = OpenBlock(kind: block.kind, line: line)
        }
    }

    /// Reads a line of verse that has its own element, as generated by Sphinx.
    mutating func line(_ node: MarkupNode) {
        _ = open?.breakLine()
        visitChildren(of: node)
        _ = open?.breakLine()
    }

    private static let poems: Set = [
        "poem", "poetry", "verse", "stanza", "lyrics", "song", "epigraph", "lineblock", "letter",
    ]

    mutating func preformatted(_ node: MarkupNode, _ facts: ElementFacts) {
        close()
        var text = ""
        node.visit { part in
            text += part.text ?? ""
            if part.name == "br" { text += "\n" }
            if let anchor = part.attribute("id") { note(anchor) }
            return true
        }
        let isCode = node.descendants("code").first != nil || facts.classes.contains { $0.contains("code") }
        let isPoem = facts.hasClass(Self.poems) || node.parent.map { ElementFacts($0).hasClass(Self.poems) } ?? false
        guard isPoem || !isCode && PlainTextReader.isWrittenForReaders(text) else {
            return append(.code, text.trimmed { $0.isNewline }, at: node.line)
        }
        for stanza in PlainTextReader.stanzas(text) { append(.paragraph, stanza, at: node.line) }
    }

    mutating func addScene(at line: Int) {
        close()
        blocks.appendScene(at: .init(member: member, line: line))
    }

    // MARK: - Blocks

    mutating func block(_ kind: Document.Block.Kind, _ node: MarkupNode) {
        var kind = kind
        // The first paragraph of an item becomes the item's text.
        if kind == .paragraph, let item = open, item.count == 0, case .item = item.kind { kind = item.kind }
        close()
        open = OpenBlock(kind: kind, line: node.line)
        visitChildren(of: node)
        close()
    }

    mutating func add(_ text: String, at line: Int, isPicture: Bool = false) {
        if numerator != nil, Self.isBar(text) { return }
        if open == nil {
            if text.allSatisfy(\.isWhitespace) { return }
            open = OpenBlock(kind: .paragraph, line: line)
        }
        open?.add(PageMarks.removed(from: text), isStressed: emphases > 0, isPicture: isPicture)
    }

    mutating func close() {
        guard var block = open else { return }
        open = nil
        block.close()
        guard !block.text.isEmpty else { return }
        if block.kind.canBeOrnament, Ornament.isSceneBreak(block.text) { return addScene(at: block.line) }
        let kind = block.isPicture && block.kind == .paragraph ? .figure : block.kind
        let text = block.lines
        var language: String?
        var passages = PassageChoice.sentences(block.passages, in: text)
        if let whole = passages.first, whole.range == 0..<text.utf8.count {
            (language, passages) = (whole.language, [])
        }
        append(kind, text, emphasis: block.emphasis, language, passages, at: block.line)
    }

    mutating func append(
        _ kind: Document.Block.Kind, _ text: String, emphasis: [Range<Int>] = [], _ own: String? = nil,
        _ passages: [Document.Block.Passage] = [], at line: Int
    ) {
        guard !text.isEmpty else { return }
        let language = (own ?? languages.last).flatMap { $0.lowercased() == mainLanguage ? nil : $0 }
        var block = Document.Block(
            kind, text, emphasis: emphasis, isQuoted: quotations > 0, language: language,
            at: .init(member: member, line: line))
        block.passages = passages.filter { $0.language.lowercased() != (language ?? mainLanguage)?.lowercased() }
        if licenses > 0 { block.matter = .license }
        blocks.append(block)
    }
}
