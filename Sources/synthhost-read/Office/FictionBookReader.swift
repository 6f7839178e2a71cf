import SynthDocuments
import SynthJSON

/// Reads a FictionBook (FB2) document.
struct FictionBookReader {
    private(set) var head = Document()
    private(set) var chapters: [Document.Chapter] = []

    /// Elements that are not read.
    private static let silent: Set = ["image", "binary", "stylesheet", "description", "history"]
    private static let stressed: Set = ["emphasis", "strong"]
    /// The number of section levels at which chapters start. A section at a deeper level is part of the chapter that
    /// contains it.
    private static let deepest = 6

    private let withNotes: Bool
    /// Footnote elements, keyed by the IDs used in references.
    private var notes: [String: MarkupNode] = [:]
    private var references: [(block: Int, note: [Document.Block])] = []
    private var seen: Set<String> = []
    private var blocks: [Document.Block] = []
    private var starts: [(place: Int, title: String?)] = []
    private var isQuoted = false
    private var languages: [String] = []

    /// Whether a file is a FictionBook document, based on its root element.
    static func isFictionBook(_ bytes: [UInt8]) -> Bool {
        let beginning = String(decoding: bytes.prefix(2048).filter { $0 != 0 }, as: UTF8.self)
        return beginning.contains("<FictionBook") && !beginning.lowercased().contains("<html")
    }

    /// - Throws: `damaged` if the document is not well-formed; `excessive` if the markup exceeds a limit; `empty` if
    ///   there is no text.
    init(_ bytes: [UInt8], _ extras: Set<DocumentExtra>) throws(DocumentFailure) {
        withNotes = extras.contains(.notes)
        guard let tree = try MarkupTree.xml(bytes), let root = tree.root, root.name == "fictionbook" else {
            throw .damaged("is a FictionBook that is not well-formed XML")
        }
        readHead(root, withCover: extras.contains(.cover))
        let bodies = root.elements.filter { $0.name == "body" }
        let texts = bodies.filter {
            $0.attribute("name").map { name in !Self.namesOfNotes.contains(name.lowercased()) } ?? true
        }
        if withNotes {
            for body in bodies where body.attribute("name") != nil {
                body.visit { node in
                    if node.name == "section", let id = node.attribute("id") { notes[id] = node }
                    return true
                }
            }
        }
        for body in texts.isEmpty ? bodies : texts { read(body, level: 0) }
        try tree.checkBudget()
        guard !blocks.isEmpty else { throw .empty }
        chapters = NotedBlocks(references, language: head.language).chapters(blocks, startingAt: starts)
    }

    private static let namesOfNotes: Set = ["notes", "comments", "footnotes", "note"]

    // MARK: - Description

    private mutating func readHead(_ root: MarkupNode, withCover: Bool) {
        guard let info = root.descendants("title-info").first else { return }
        head.title = info.words(of: "book-title")
        head.language = info.words(of: "lang")?.lowercased()
        head.authors = info.elements.filter { $0.name == "author" }.map { author in
            let parts = ["first-name", "middle-name", "last-name"].compactMap { author.words(of: $0) }
            return parts.isEmpty ? author.words(of: "nickname") ?? "" : parts.joined(separator: " ")
        }.filter { !$0.isEmpty }
        let identifier = root.descendants("document-info").first?.child("id")?.words
        let isbn = root.descendants("publish-info").first?.child("isbn")?.words
        let identifiers = [isbn.map { "ISBN \($0)" }, identifier].compactMap(\.self).filter {
            $0.utf8.count > 5 && $0.utf8.count < 500
        }
        head.identifiers = identifiers.isEmpty ? nil : identifiers
        guard withCover,
            let picture = info.descendants("coverpage").first?.descendants("image").first?.attribute("href"),
            picture.hasPrefix("#")
        else { return }
        let binary = root.elements.first { $0.name == "binary" && $0.attribute("id") == String(picture.dropFirst()) }
        head.cover = binary.flatMap { Base64.bytes(of: $0.words.filter { !$0.isWhitespace }) }.flatMap(
            Document.Picture.init)
    }

    // MARK: - Text

    private mutating func read(_ node: MarkupNode, level: Int) {
        guard let name = node.name, !Self.silent.contains(name) else { return }
        let language = node.attribute("lang")
        if let language { languages.append(language) }
        defer { if language != nil { languages.removeLast() } }
        switch name {
        case "body": for part in node.elements { read(part, level: 0) }
        case "section":
            let title = node.child("title").map { Self.title(of: $0) }
            if let title, !title.isEmpty, level < Self.deepest { starts.append((blocks.count, title)) }
            for part in node.elements { read(part, level: level + 1) }
        case "title":
            let title = Self.title(of: node)
            if !title.isEmpty { append(.heading(level: min(max(level, 1), 6)), StyledText(title), node) }
        case "subtitle", "p", "v", "text-author", "date": paragraph(node, name)
        case "epigraph", "cite":
            let was = isQuoted
            isQuoted = true
            for part in node.elements { read(part, level: level) }
            isQuoted = was
        case "poem", "stanza", "annotation": for part in node.elements { read(part, level: max(level, 2)) }
        case "table": for row in node.descendants("tr") { self.row(row) }
        default: break
        }
    }

    private static func title(of node: MarkupNode) -> String {
        let lines = node.elements.filter { $0.name == "p" }.map(\.words).filter { !$0.isEmpty }
        return lines.reduce("") { all, line in
            all.isEmpty ? line : all + (all.last.map { ".!?:…".contains($0) } == true ? " " : ". ") + line
        }
    }

    private mutating func paragraph(_ node: MarkupNode, _ name: String) {
        var text = StyledText()
        var marks: [String] = []
        Self.read(node, into: &text, &marks, isStressed: false)
        if Ornament.isSceneBreak(text.text) {
            blocks.appendScene(at: .init(line: node.line))
            return
        }
        let place = blocks.count
        append(name == "subtitle" ? .heading(level: 6) : .paragraph, text, node)
        guard withNotes, blocks.count > place else { return }
        for mark in marks where !seen.contains(mark) {
            seen.insert(mark)
            guard let note = notes[mark] else { continue }
            let parts = note.descendants("p").filter { part in
                !part.ancestors(within: note).contains { $0.name == "title" }
            }
            references.append(
                (
                    place,
                    parts.compactMap { part in
                        var text = StyledText()
                        var inner: [String] = []
                        Self.read(part, into: &text, &inner, isStressed: false)
                        return text.text.isEmpty
                            ? nil
                            : Document.Block(.paragraph, text.text, emphasis: text.emphasis, at: .init(line: part.line))
                    }
                ))
        }
    }

    /// Reads a paragraph's text without footnote references.
    private static func read(_ node: MarkupNode, into text: inout StyledText, _ marks: inout [String], isStressed: Bool)
    {
        for part in node.children {
            if let words = part.text {
                text.add(words, isStressed: isStressed)
                continue
            }
            guard let name = part.name, !silent.contains(name) else { continue }
            if name == "a", part.attribute("type") == "note" || part.fewWords.map(isMark) ?? false {
                if let target = part.attribute("href"), target.hasPrefix("#") {
                    marks.append(String(target.dropFirst()))
                }
                continue
            }
            if name == "sup" || name == "sub", let few = part.fewWords,
                let small = name == "sup" ? RaisedText.superscript(few, withN: true) : RaisedText.subscripted(few)
            {
                text.add(small, isStressed: isStressed)
                continue
            }
            read(part, into: &text, &marks, isStressed: isStressed || stressed.contains(name))
        }
    }

    /// Whether the text is a footnote reference: "[1]", "12", "*".
    private static func isMark(_ words: String) -> Bool {
        !words.isEmpty && words.count <= 5 && !words.contains(where: \.isLetter)
    }

    private mutating func row(_ node: MarkupNode) {
        let cells = node.elements.filter { $0.name == "td" || $0.name == "th" }.map(\.words).filter { !$0.isEmpty }
        append(.row, StyledText(cells.joined(separator: ", ")), node)
    }

    private mutating func append(_ kind: Document.Block.Kind, _ text: StyledText, _ node: MarkupNode) {
        guard !text.text.isEmpty else { return }
        let language = languages.last.flatMap { $0.lowercased() == head.language ? nil : $0 }
        blocks.append(
            Document.Block(
                kind, text.text, emphasis: text.emphasis, isQuoted: isQuoted, language: language,
                at: .init(line: node.line)))
    }
}

/// Builds text with single spaces.
struct StyledText: Equatable {
    private(set) var text = ""
    /// The emphasized ranges in UTF-8 bytes.
    private(set) var emphasis: [Range<Int>] = []
    private var needsSpace = false

    /// Appends other text along with its emphasis.
    mutating func add(_ other: StyledText) {
        var place = other.text.startIndex
        let bytes = other.text.utf8
        for range in other.emphasis {
            let from = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
            let to = bytes.index(bytes.startIndex, offsetBy: range.upperBound)
            add(String(other.text[place..<from]), isStressed: false)
            add(String(other.text[from..<to]), isStressed: true)
            place = to
        }
        add(String(other.text[place...]), isStressed: false)
    }

    init() {}

    init(_ text: String) { add(text, isStressed: false) }

    mutating func add(_ part: String, isStressed: Bool) {
        var start: Int?
        for character in part {
            if character.isWhitespace {
                needsSpace = !text.isEmpty
                continue
            }
            if character == "\u{AD}" || character == "\u{200B}" || character == "\u{FEFF}" { continue }
            if needsSpace { text.append(" ") }
            needsSpace = false
            if start == nil { start = text.utf8.count }
            text.append(character == "\u{2011}" ? "-" : character)
        }
        guard isStressed, let start else { return }
        if let last = emphasis.last, last.upperBound + 1 >= start {
            emphasis[emphasis.count - 1] = last.lowerBound..<text.utf8.count
        } else {
            emphasis.append(start..<text.utf8.count)
        }
    }
}
