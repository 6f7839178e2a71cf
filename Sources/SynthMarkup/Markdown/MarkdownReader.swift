import SynthScript

/// Goes through the tree of a piece of a document and says what is heard of it.
struct MarkdownReader {
    /// What goes on from one piece to the next.
    struct State {
        var hasSaid = false
        var pause: PauseKind?
        var silence: Range<Int>?
        var tokens: TokenReader?
        var entities: MarkdownEntities
    }

    private struct List {
        /// Of the next item; nil = the items have no numbers.
        var number: Int?
        let isTight: Bool
    }

    private(set) var parts: [ScriptPart] = []
    private(set) var lostBlocks = 0
    private(set) var state: State
    private let tree: MarkdownTree
    private let lines: MarkdownLines
    /// The head of the first table was said with an earlier piece.
    private var skipsHead: Bool
    private var containers: MarkdownContainers
    private var lists: [List] = []
    /// Said before the next words: the number of an item.
    private var number = MarkdownText()
    private var walk: InlineWalk?
    private var row: TableRow?

    /// - Parameter lines: of the piece. What stands after them in the tree is not heard.
    init(_ tree: MarkdownTree, _ lines: MarkdownLines, skipsHead: Bool = false, _ state: State) {
        self.tree = tree
        self.lines = lines
        self.state = state
        self.skipsHead = skipsHead
        containers = MarkdownContainers(lines)
    }

    mutating func read(_ document: Span<UInt8>) throws(ScriptError) {
        // Without recursion: a document decides how deep the tree is.
        var node = tree.root
        while true {
            let kind = tree.kind(node)
            if !isBeyond(node) {
                try enter(node, kind, document)
                if !kind.isLeftOut, let child = tree.firstChild(node) {
                    node = child
                    continue
                }
                try leave(node, kind, document)
            }
            while tree.next(node) == nil {
                guard let parent = tree.parent(node) else { return }
                node = parent
                try leave(node, tree.kind(node), document)
            }
            guard let next = tree.next(node) else { return }
            node = next
        }
    }

    /// Whether a block is none of the piece.
    private func isBeyond(_ node: OpaquePointer) -> Bool {
        guard tree.parent(node) == tree.root, let start = tree.start(node) else { return false }
        return start.line >= lines.count
    }

    private mutating func enter(
        _ node: OpaquePointer, _ kind: MarkdownKind, _ document: Span<UInt8>
    ) throws(ScriptError) {
        switch kind {
        case .quote: if let start = tree.start(node) { containers.enterQuote(start, of: document) }
        case .list: lists.append(List(number: tree.firstNumber(node), isTight: tree.isTight(node)))
        case .item, .task: enterItem(node, document)
        case .paragraph, .heading: walk = walk(of: node, document)
        case .headerRow, .row: row = tableRow(node, kind, document)
        case .cell:
            let cell = row?.next(of: document)
            walk = InlineWalk(cell ?? MarkdownStretch(at: document.count))
        case .thematicBreak:
            // Nothing is heard of one before the first word.
            guard state.hasSaid, let start = tree.start(node) else { break }
            state.silence = lines[start.line]
        case .text, .code, .html: walk?.enter(kind, tree.literal(node), &state.entities)
        case .softBreak, .lineBreak, .emphasis, .strong, .struck, .link, .image, .noteReference:
            walk?.enter(kind, [], &state.entities)
        case .note: raise(.paragraph)
        case .document, .table, .codeBlock, .htmlBlock, .other: break
        }
    }

    private mutating func leave(
        _ node: OpaquePointer, _ kind: MarkdownKind, _ document: Span<UInt8>
    ) throws(ScriptError) {
        switch kind {
        case .quote: if tree.start(node) != nil { containers.leave() }
        case .list:
            _ = lists.popLast()
            if lists.isEmpty { raise(.paragraph) }
        case .item, .task:
            if tree.start(node) != nil { containers.leave() }
            number = MarkdownText()
            raise(lists.last?.isTight == true ? .sentence : .paragraph)
        case .paragraph, .heading:
            try say(words(), document)
            let isItem = kind == .paragraph && isInItem(node) && lists.last?.isTight == true
            raise(kind == .heading ? .heading : isItem ? .sentence : .paragraph)
        case .cell: try endCell(document)
        case .headerRow, .row:
            if let row, kind == .row || !skipsHead { try say(row.text, document) }
            if kind == .headerRow { skipsHead = false }
            row = nil
            raise(.sentence)
        case .table, .note: raise(.paragraph)
        default: walk?.leave(kind)
        }
    }

    private func isInItem(_ node: OpaquePointer) -> Bool {
        guard let parent = tree.parent(node) else { return false }
        let kind = tree.kind(parent)
        return kind == .item || kind == .task
    }

    // MARK: What is heard

    private mutating func words() -> MarkdownText {
        guard let walk else { return MarkdownText() }
        self.walk = nil
        if walk.isLost { lostBlocks += 1 }
        return walk.finish()
    }

    private mutating func say(_ text: MarkdownText, _ document: Span<UInt8>) throws(ScriptError) {
        guard text.mapped.hasVisible else { return }
        var whole = number
        number = MarkdownText()
        whole.append(text)
        let mapped = whole.mapped
        let said =
            try state.tokens?.parts(of: mapped, in: document, literal: whole.literal)
            ?? [.text(ScriptText(mapped.text, source: mapped.source))]
        if let pause = state.pause { parts.append(.end(pause)) }
        if let silence = state.silence { parts.append(.silence(MarkdownScript.breakLength, source: silence)) }
        (state.pause, state.silence) = (nil, nil)
        if !said.isEmpty { state.hasSaid = true }
        parts += said
    }

    private mutating func raise(_ kind: PauseKind) {
        guard state.hasSaid, state.pause != .paragraph, state.pause != .heading else { return }
        state.pause = kind
    }

    private mutating func endCell(_ document: Span<UInt8>) throws(ScriptError) {
        let text = words()
        guard var row, text.mapped.hasVisible else { return }
        if row.endsSentence, !skipsHead {
            try say(row.text, document)
            raise(.sentence)
            row.text = MarkdownText()
        }
        if !row.text.isEmpty { row.text.mapped.append(", ", for: row.border..<row.border) }
        row.text.append(text)
        self.row = row
    }

    // MARK: Where it stands

    private mutating func enterItem(_ node: OpaquePointer, _ document: Span<UInt8>) {
        guard let start = tree.start(node) else { return }
        let marker = containers.enterItem(start, of: document)
        guard let number = lists.last?.number, let last = document.lastByte(of: marker) else { return }
        lists[lists.count - 1].number = number + 1
        let said = String(number) + (last == UInt8(ascii: ")") ? ")" : ".")
        if Array(said.utf8) == document.bytes(of: marker) {
            self.number.mapped.append(copied: marker, of: document)
        } else {
            self.number.append(Array(said.utf8), insteadOf: marker)
        }
        self.number.mapped.append(" ", for: marker.upperBound..<marker.upperBound)
    }

    private func walk(of node: OpaquePointer, _ document: Span<UInt8>) -> InlineWalk {
        var walk = InlineWalk(stretch(of: node, document))
        if !isText(node, document) {
            walk.skipSigns()
        } else if tree.start(node) != nil {
            walk.skipDefinitions()
        }
        return walk
    }

    /// Whether a block is a paragraph, or a heading that is underlined.
    private func isText(_ node: OpaquePointer, _ document: Span<UInt8>) -> Bool {
        guard tree.kind(node) == .heading, let start = tree.start(node) else { return true }
        let line = lines[start.line]
        var index = line.lowerBound + start.column
        let first = index
        while index < line.upperBound, document[index] == UInt8(ascii: "#") { index += 1 }
        let isEnd = index >= line.upperBound || document[index] == 0x20 || document[index] == 0x09
        return !((1...6).contains(index - first) && isEnd)
    }

    private func stretch(of node: OpaquePointer, _ document: Span<UInt8>) -> MarkdownStretch {
        let next = tree.next(node)
        let table = next.flatMap { tree.kind($0) == .table ? $0 : nil }
        // What was a paragraph until its last line turned out to be the head of a table has no place of its own.
        guard let start = tree.start(node) ?? table.flatMap({ tree.start($0) }) else {
            return MarkdownStretch(at: document.count)
        }
        var stretch = MarkdownStretch(at: lines[start.line].lowerBound)
        let first = lines[start.line]
        stretch.append(min(first.lowerBound + start.column, first.upperBound)..<first.upperBound, of: document)
        guard isText(node, document) else { return stretch }
        var last = lines.count - 1
        if tree.start(node) != nil { last = min(last, max(tree.endLine(node), start.line)) }
        if let table, let header = headerLine(of: table) { last = min(last, header - 1) }
        // Footnotes come last, wherever they stand.
        if table == nil, let next, let after = tree.start(next), after.line > start.line {
            last = min(last, after.line - 1)
        }
        var line = start.line + 1
        while line <= last {
            let range = lines[line]
            let start = containers.start(of: line, in: document)
            let text = document.firstVisible(start.offset..<range.upperBound)
            guard text < range.upperBound else { break }
            stretch.append(lines[line - 1].upperBound..<range.lowerBound, of: document)
            // The library keeps the indent of a lazy line.
            stretch.append((start.isLazy ? start.offset : text)..<range.upperBound, of: document)
            line += 1
        }
        return stretch
    }

    /// The library takes for it the line where the paragraph before began.
    private func headerLine(of table: OpaquePointer) -> Int? {
        guard let header = tree.firstChild(table) else { return nil }
        if let row = tree.next(header), let start = tree.start(row) { return start.line - 2 }
        return tree.endLine(table) - 1
    }

    private func tableRow(_ node: OpaquePointer, _ kind: MarkdownKind, _ document: Span<UInt8>) -> TableRow? {
        let header = kind == .headerRow ? tree.parent(node).flatMap { headerLine(of: $0) } : nil
        guard let line = header ?? tree.start(node)?.line, line >= 0 else { return nil }
        let start = containers.start(of: line, in: document).offset
        return TableRow(start..<max(start, lines[line].upperBound), of: document)
    }
}
