import SynthDocuments

/// Reads superscripts and subscripts, lists, tables and images.
extension BlockReader {
    // MARK: - Superscripts and subscripts

    mutating func raised(_ node: MarkupNode) {
        guard let text = node.fewWords else { return visitChildren(of: node) }
        let links = node.descendants("a").compactMap { $0.attribute("href") }.filter { !$0.contains("://") }
        if let target = links.first, NoteMark(text) != nil {
            note(anchorsIn: node)
            guard open.map({ $0.count == 0 }) ?? true else { return addReference(in: node) }
            return notes.links.append(Footnotes.Link(block: blocks.count, range: nil, target: target, isFirst: true))
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

    mutating func lowered(_ node: MarkupNode) {
        guard let text = node.fewWords, text.count <= 24 else { return visitChildren(of: node) }
        if let above = numerator {
            numerator = nil
            let fraction = RaisedText.fraction(above, text, after: open?.text ?? "", isGlued: open?.isGlued ?? false)
            return add(fraction, at: node.line)
        }
        // The atomic number is omitted if there is a mass number.
        if open?.hasMassNumber == true { return }
        add(raisedText.lowered(text, after: open?.text ?? "", isGlued: open?.isGlued ?? false), at: node.line)
    }

    /// Whether a slash and a denominator follow the element, as in `<sup>1</sup>/<sub>2</sub>`.
    func isFraction(_ node: MarkupNode, _ text: String) -> Bool {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let bar = node.next,
            Self.isBar(bar.text ?? bar.fewWords ?? ""), let below = bar.next, below.name == "sub"
        else { return false }
        return below.fewWords?.allSatisfy { $0.isASCII && $0.isNumber } ?? false
    }

    static func isBar(_ text: String) -> Bool { ["/", "⁄", "∕"].contains(text.trimmed(\.isWhitespace)) }

    /// Returns the beginning of the text after an element. Searches the siblings of the element and of its ancestors.
    static func text(after node: MarkupNode) -> String {
        var position = node
        for _ in 0..<8 {
            if let next = position.next {
                if let text = next.text, !text.isEmpty { return String(text.prefix(16)) }
                if next.name == "sub" || next.fewWords?.isEmpty == true {
                    position = next
                    continue
                }
                return next.fewWords.map { String($0.prefix(16)) } ?? ""
            }
            guard let parent = position.parent, let name = parent.name, !isBlock(name) else { return "" }
            position = parent
        }
        return ""
    }

    // MARK: - Lists, tables, images

    mutating func list(_ node: MarkupNode, isNumbered: Bool) {
        close()
        lists.append(OpenList(isNumbered: isNumbered, next: node.attribute("start").flatMap { Int($0) } ?? 1))
        visitChildren(of: node)
        close()
        lists.removeLast()
    }

    mutating func item(_ node: MarkupNode) {
        var number: Int?
        if let list = lists.last, list.isNumbered {
            number = node.attribute("value").flatMap { Int($0) } ?? list.next
            lists[lists.count - 1].next = (number ?? list.next) &+ 1
        }
        block(.item(depth: max(1, lists.count), number: number), node)
    }

    /// Reads a table row, with commas between the cells. In tables used for layout, cells that contain blocks of text
    /// remain separate blocks.
    mutating func row(_ node: MarkupNode) {
        close()
        let first = blocks.count
        var cells: [String] = []
        var isLayout = false
        for cell in node.elements where cell.name == "td" || cell.name == "th" {
            let start = blocks.count
            block(.row, cell)
            let own = blocks[start...]
            if own.count > Self.maximumInCell || own.contains(where: { $0.kind.isWhole }) { isLayout = true }
            let text = own.map(\.text).joined(separator: " ").replacing("\n", with: " ")
            if !text.isEmpty { cells.append(text) }
        }
        if isLayout { return }
        blocks.removeSubrange(first...)
        for anchor in names.reversed() {
            guard let position = anchors[anchor], position > first else { break }
            anchors[anchor] = first
        }
        notes.gather(from: first)
        append(.row, cells.joined(separator: ", "), at: node.line)
    }

    private static let maximumInCell = 3

    mutating func picture(_ alternative: String?, at line: Int) {
        guard let words = alternative, words.contains(where: { !$0.isWhitespace }) else { return }
        if Ornament.isSeparator(alternative: words), open.map({ $0.count == 0 }) ?? true {
            return addScene(at: line)
        }
        if Ornament.isDecorative(alternative: words) { return }
        // A drop cap is part of the word that follows.
        let letters = words.count { $0.isLetter }
        let isInitial = letters == 1 && words.trimmed(\.isWhitespace).count <= 2
        add(isInitial ? words.trimmed(\.isWhitespace) : words, at: line, isPicture: !isInitial)
    }

    /// Reads the text inside a drawing.
    mutating func drawing(_ node: MarkupNode) {
        var found: [MarkupNode] = []
        node.visit { part in
            guard part.name == "text" || part.name == "foreignobject" else { return true }
            found.append(part)
            // The content of this element is read below.
            return false
        }
        for text in found { if text.name == "text" { block(.paragraph, text) } else { visitChildren(of: text) } }
    }
}

extension Document.Block.Kind {
    /// Whether a table that contains a block of this kind is used only for layout.
    var isWhole: Bool {
        switch self {
        case .heading, .code, .scene: true
        default: false
        }
    }

    var canBeOrnament: Bool {
        switch self {
        case .heading, .paragraph, .figure: true
        default: false
        }
    }
}
