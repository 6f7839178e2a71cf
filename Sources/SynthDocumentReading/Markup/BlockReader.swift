import SynthDocuments

/// Reads the blocks of a page.
struct BlockReader {
    private(set) var blocks: [Document.Block] = []
    /// The blocks that names of places (`id`) stand before or in.
    private(set) var anchors: [String: Int] = [:]
    /// Their names in the order in which they come.
    private var names: [String] = []
    /// Its notes, and where it refers to notes.
    var notes = Footnotes()
    /// What `epub:type` says of the page, of a section of it that holds the whole text, or of neither.
    private(set) var types: [String] = []

    /// How many links to other places of the document have words.
    private(set) var linkCount = 0
    /// Within the lines of a public archive about its text.
    private var licences = 0

    let member: String?
    /// Of the document: a block tells its language only if it has another one.
    let mainLanguage: String?
    private let isNote: Bool
    private let raisedText: RaisedText
    private var open: OpenBlock?
    private var quotations = 0
    private var emphases = 0
    /// How many elements around the text raise it above the line.
    private var raises = 0
    private var lists: [OpenList] = []
    private var languages: [String] = []
    /// A fraction of which the number above the bar was read.
    private var numerator: String?

    private struct OpenList {
        let isNumbered: Bool
        var next: Int
    }

    /// - Parameters:
    ///   - member: the name of the page's file in a book.
    ///   - language: of the document.
    ///   - isNote: what is read is the text of a note, whose number and link back are silent.
    init(member: String? = nil, language: String?, isNote: Bool = false) {
        self.member = member
        self.isNote = isNote
        mainLanguage = language?.lowercased()
        raisedText = RaisedText(words: DocumentWords(language: language), language: language)
    }

    /// - Throws: `excessive`.
    mutating func read(_ tree: MarkupTree) throws(DocumentFailure) {
        guard let root = tree.root else { return }
        visit(root)
        close()
        // A pause at the end of a page is none.
        if blocks.last?.kind == .scene { blocks.removeLast() }
        try tree.checkBudget()
    }

    // MARK: - Elements

    private static let paragraphs: Set = [
        "p", "div", "section", "article", "address", "dd", "dt", "dl", "center", "main", "header", "footer", "aside",
        "body", "html", "figure", "figcaption", "caption", "fieldset", "details", "summary", "hgroup", "table", "thead",
        "tbody", "tfoot",
    ]
    private static let stressed: Set = ["em", "i", "strong", "b", "cite", "dfn", "var"]
    /// Elements that are one line of verse each, by their classes.
    private static let lines: Set = ["line", "verse", "verseline", "poemline", "vl", "lgline"]

    private mutating func visit(_ node: MarkupNode) {
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
        let isLicence = facts.hasClass(["pgboilerplate", "pgheader", "pgfooter"])
        if isLicence {
            close()
            licences += 1
        }
        visit(node, name, facts)
        if isLicence {
            close()
            licences -= 1
        }
        if language != nil { if isBlock { languages.removeLast() } else { open?.endPassage() } }
    }

    private static func isBlock(_ name: String) -> Bool {
        paragraphs.contains(name)
            || ["h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "menu", "li", "tr", "td", "th", "pre"]
                .contains(name)
    }

    private mutating func begin(_ language: String, at line: Int) {
        if open == nil { open = OpenBlock(kind: .paragraph, line: line) }
        open?.beginPassage(language)
    }

    private mutating func visit(_ node: MarkupNode, _ name: String, _ facts: ElementFacts) {
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
            add(" \(MathText.text(node, raisedText))\(space)", at: node.line)
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

    private mutating func note(_ anchor: String) {
        guard anchors[anchor] == nil else { return }
        anchors[anchor] = blocks.count
        names.append(anchor)
    }

    private mutating func note(anchorsIn node: MarkupNode) {
        node.visit { part in
            if let anchor = part.attribute("id") { note(anchor) }
            return true
        }
    }

    /// How many blocks are complete.
    var blockCount: Int { blocks.count }

    mutating func visitChildren(of node: MarkupNode) { for child in node.children { visit(child) } }

    // MARK: - Links

    private mutating func link(_ node: MarkupNode, _ facts: ElementFacts) {
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
        if NoteMark.isWayBack(text) {
            notes.addLink(Footnotes.Link(block: blocks.count, range: nil, target: target, isWayBack: true))
            return
        }
        let isFirst = open.map { $0.count == 0 } ?? true
        if isNote, isFirst, NoteMark(text) != nil || text.isEmpty { return }
        guard let mark = NoteMark(text), !isFirst || raises > 0 else {
            let start = open?.count ?? 0
            visitChildren(of: node)
            guard isFirst, NoteMark(text) != nil else { return }
            // The number of a note, perhaps.
            let end = max(start, open?.count ?? 0)
            let range = start < end ? start..<end : nil
            notes.addLink(Footnotes.Link(block: blocks.count, range: range, target: target, isFirst: true))
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
        // A number in a text that leads somewhere: of a note only if the note leads back.
        notes.addReference(
            Footnotes.Link(block: blocks.count, range: start..<end, target: target, sign: NoteMark.bare(text)))
    }

    private mutating func addReference(in node: MarkupNode) {
        note(anchorsIn: node)
        for link in (node.name == "a" ? [node] : []) + node.descendants("a") {
            if let target = link.attribute("href") { addReference(to: target, link.fewWords ?? "") }
        }
    }

    private mutating func addReference(to target: String, _ text: String) {
        notes.addReference(
            Footnotes.Link(block: blocks.count, range: nil, target: target, sign: NoteMark.bare(text)))
    }

    // MARK: - Above and below the line

    private mutating func raised(_ node: MarkupNode) {
        guard let text = node.fewWords else { return visitChildren(of: node) }
        let links = node.descendants("a").compactMap { $0.attribute("href") }.filter { !$0.contains("://") }
        if let target = links.first, NoteMark(text) != nil {
            note(anchorsIn: node)
            guard open.map({ $0.count == 0 }) ?? true else { return addReference(in: node) }
            return notes.addLink(Footnotes.Link(block: blocks.count, range: nil, target: target, isFirst: true))
        }
        if isNote, open.map({ $0.count == 0 }) ?? true, NoteMark(text) != nil { return }
        if links.isEmpty, isFraction(node, text) {
            numerator = text
            return
        }
        guard links.isEmpty, text.count <= 24 else {
            raises += 1
            visitChildren(of: node)
            raises -= 1
            return
        }
        let before = open?.text ?? ""
        switch raisedText.raised(text, after: before, isGlued: open?.isGlued ?? false, before: Self.text(after: node)) {
        case .silent: break
        case .text(let text): add(text, at: node.line)
        case .massNumber(let number):
            if open == nil { open = OpenBlock(kind: .paragraph, line: node.line) }
            open?.add(massNumber: number)
        }
    }

    private mutating func lowered(_ node: MarkupNode) {
        guard let text = node.fewWords, text.count <= 24 else { return visitChildren(of: node) }
        if let above = numerator {
            numerator = nil
            let fraction = RaisedText.fraction(above, text, after: open?.text ?? "", isGlued: open?.isGlued ?? false)
            return add(fraction, at: node.line)
        }
        // The number of protons beside that of the mass.
        if open?.hasMassNumber == true { return }
        add(raisedText.lowered(text, after: open?.text ?? "", isGlued: open?.isGlued ?? false), at: node.line)
    }

    /// Whether a bar and a number below it follow: `<sup>1</sup>/<sub>2</sub>`.
    private func isFraction(_ node: MarkupNode, _ text: String) -> Bool {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let bar = node.next,
            Self.isBar(bar.text ?? bar.fewWords ?? ""), let below = bar.next, below.name == "sub"
        else { return false }
        return below.fewWords?.allSatisfy { $0.isASCII && $0.isNumber } ?? false
    }

    private static func isBar(_ text: String) -> Bool { ["/", "⁄", "∕"].contains(text.trimmed(\.isWhitespace)) }

    /// The beginning of the text after an element, as far as it is beside it or beside what it is in.
    private static func text(after node: MarkupNode) -> String {
        var place = node
        for _ in 0..<8 {
            if let next = place.next {
                if let text = next.text, !text.isEmpty { return String(text.prefix(16)) }
                if next.name == "sub" || next.fewWords?.isEmpty == true {
                    place = next
                    continue
                }
                return next.fewWords.map { String($0.prefix(16)) } ?? ""
            }
            guard let parent = place.parent, let name = parent.name, !isBlock(name) else { return "" }
            place = parent
        }
        return ""
    }

    // MARK: - Lists, tables, pictures

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

    /// A row with a comma between its cells; cells that hold whole texts, where a table only arranges them, stay apart.
    private mutating func row(_ node: MarkupNode) {
        close()
        let first = blocks.count
        var cells: [String] = []
        var isLayout = false
        for cell in node.elements where cell.name == "td" || cell.name == "th" {
            let start = blocks.count
            block(.row, cell)
            let own = blocks[start...]
            if own.count > Self.mostInCell || own.contains(where: { $0.kind.isWhole }) { isLayout = true }
            let text = own.map(\.text).joined(separator: " ").replacing("\n", with: " ")
            if !text.isEmpty { cells.append(text) }
        }
        if isLayout { return }
        blocks.removeSubrange(first...)
        for anchor in names.reversed() {
            guard let place = anchors[anchor], place > first else { break }
            anchors[anchor] = first
        }
        notes.gather(from: first)
        append(.row, cells.joined(separator: ", "), at: node.line)
    }

    private static let mostInCell = 3

    private mutating func picture(_ alternative: String?, at line: Int) {
        guard let words = alternative, words.contains(where: { !$0.isWhitespace }) else { return }
        if Ornament.isSeparator(alternative: words), open.map({ $0.count == 0 }) ?? true {
            return addScene(at: line)
        }
        if Ornament.isDecorative(alternative: words) { return }
        // A large first letter belongs to its word.
        let letters = words.count { $0.isLetter }
        let isInitial = letters == 1 && words.trimmed(\.isWhitespace).count <= 2
        add(isInitial ? words.trimmed(\.isWhitespace) : words, at: line, isPicture: !isInitial)
    }

    /// A drawing says what is written in it.
    private mutating func drawing(_ node: MarkupNode) {
        var found: [MarkupNode] = []
        node.visit { part in
            guard part.name == "text" || part.name == "foreignobject" else { return true }
            found.append(part)
            // Whatever is in it comes with it.
            return false
        }
        for text in found { if text.name == "text" { block(.paragraph, text) } else { visitChildren(of: text) } }
    }

    // MARK: - Lines

    private mutating func breakLine(at line: Int) {
        guard var block = open else { return }
        let isNew = block.breakLine()
        open = block
        if !isNew, block.count > 0 {
            close()
            open = OpenBlock(kind: block.kind, line: line)
        }
    }

    /// An element that is a line of verse, as Sphinx and others write them.
    private mutating func line(_ node: MarkupNode) {
        _ = open?.breakLine()
        visitChildren(of: node)
        _ = open?.breakLine()
    }

    private static let poems: Set = [
        "poem", "poetry", "verse", "stanza", "lyrics", "song", "epigraph", "lineblock", "letter",
    ]

    private mutating func preformatted(_ node: MarkupNode, _ facts: ElementFacts) {
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

    private mutating func addScene(at line: Int) {
        close()
        guard let last = blocks.last, last.kind != .scene else { return }
        if case .heading = last.kind { return }
        blocks.append(Document.Block(.scene, "", at: .init(member: member, line: line)))
    }

    // MARK: - Blocks

    private mutating func block(_ kind: Document.Block.Kind, _ node: MarkupNode) {
        var kind = kind
        // The first paragraph of an item is the item.
        if kind == .paragraph, let item = open, item.count == 0, case .item = item.kind { kind = item.kind }
        close()
        open = OpenBlock(kind: kind, line: node.line)
        visitChildren(of: node)
        close()
    }

    private mutating func add(_ text: String, at line: Int, isPicture: Bool = false) {
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

    private mutating func append(
        _ kind: Document.Block.Kind, _ text: String, emphasis: [Range<Int>] = [], _ own: String? = nil,
        _ passages: [Document.Block.Passage] = [], at line: Int
    ) {
        guard !text.isEmpty else { return }
        let language = (own ?? languages.last).flatMap { $0.lowercased() == mainLanguage ? nil : $0 }
        var block = Document.Block(
            kind, text, emphasis: emphasis, isQuoted: quotations > 0, language: language,
            at: .init(member: member, line: line))
        block.passages = passages.filter { $0.language.lowercased() != (language ?? mainLanguage)?.lowercased() }
        if licences > 0 { block.matter = .licence }
        blocks.append(block)
    }
}

extension Document.Block.Kind {
    /// Whether a table that has it only arranges what is on the page.
    fileprivate var isWhole: Bool {
        switch self {
        case .heading, .code, .scene: true
        default: false
        }
    }

    fileprivate var canBeOrnament: Bool {
        switch self {
        case .heading, .paragraph, .figure: true
        default: false
        }
    }
}
