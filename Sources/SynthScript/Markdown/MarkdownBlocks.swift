/// Reads a Markdown document one block at a time.
package struct MarkdownBlocks {
    struct List {
        /// The number of the next item, or nil if the list is not numbered.
        var number: Int?
        let isTight: Bool
        /// Whether the items are footnotes.
        var isNotes = false
    }

    let document: [UInt8]
    private let tape: MarkdownTape
    private let keepsCode: Bool
    let readsWikiLinks: Bool
    private var position = MarkdownTape.Position()
    private var ready: [MarkdownBlock] = []
    private var taken = 0

    var gaps: MarkdownGaps
    var entities: MarkdownEntities
    var html = MarkdownHTML()
    /// The end of the range that a tag or comment hides.
    var hiddenUntil = 0
    /// For each element, the position up to which the document has been searched without finding an end tag.
    var unclosed: [String: Int] = [:]

    /// The current block, to which text is added.
    var leaf: MarkdownBlock?
    private(set) var pause: PauseKind?
    private var rule: Range<Int>?
    var lists: [List] = []
    private(set) var quotations = 0
    private var isInHTML = false
    private var isInCode = false
    /// Whether the library reported the current block as a paragraph. False for an item's text in a tight list.
    private var isParagraph = false
    /// The block kind that an HTML tag sets for the text after it.
    var kindOfHTML: MarkdownBlock.Kind?
    /// Whether the current item has no text yet.
    private var isNewItem = false
    /// Whether the current cell has no text yet.
    var isNewCell = false
    var note: String?
    var pictures = 0
    var hasWordsBeside = false
    private var stress = 0
    var stressStart: Int?
    /// A space to add before the next text.
    var space: MarkdownGaps.Space? {
        didSet { if space == nil { endsLine = false } }
    }
    /// Whether the current line is the title of a callout.
    var isInTitle = false
    /// Whether the pending space is a hard line break, which is converted to a line feed.
    var endsLine = false

    /// Parses the entire document.
    ///
    /// - Parameters:
    ///   - document: UTF-8, with or without a byte order mark.
    ///   - keepsCode: whether code blocks are returned as blocks.
    ///   - readsWikiLinks: whether `[[Page]]` is a link.
    /// - Throws: `libraryNotLoaded`; `tooDeep`, `tooLong` or `unexpected` if parsing would need too much time or
    ///   memory.
    package init(_ document: [UInt8], keepsCode: Bool = false, readsWikiLinks: Bool = true) throws(ScriptError) {
        let start = FrontMatter.end(of: document.span, from: document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let library = try MarkdownLibrary.loaded()
        let source = try MarkdownSource(document.span, from: start)
        tape = try library.tape(of: source, document: document.span)
        gaps = MarkdownGaps(from: start, notes: source.notes)
        entities = MarkdownEntities(library)
        self.document = document
        self.keepsCode = keepsCode
        self.readsWikiLinks = readsWikiLinks
    }

    package mutating func next() -> MarkdownBlock? {
        while true {
            if taken < ready.count {
                taken += 1
                return ready[taken - 1]
            }
            ready.removeAll(keepingCapacity: true)
            taken = 0
            guard let event = tape.next(&position) else { return nil }
            read(event)
        }
    }

    private mutating func read(_ event: MarkdownEvent) {
        switch event {
        case .enter(let block, let value): enter(block, value)
        case .leave(let block): leave(block)
        case .begin(let span):
            if span == .image { pictures += 1 }
            if span == .emphasis || span == .strong { stress += 1 }
        case .end(let span):
            if span == .image { pictures -= 1 }
            if span == .emphasis || span == .strong { stress -= 1 }
            if stress == 0 { endStress() }
        case .sign(let sign): read(sign)
        case .text(let text, let range): read(text, range)
        }
    }

    // MARK: Blocks

    private mutating func enter(_ block: MarkdownEvent.Block, _ value: Int) {
        if block != .cell, block != .headCell { endLeaf() }
        switch block {
        case .quote: quotations += 1
        case .list: lists.append(List(number: nil, isTight: value & 1 == 1))
        case .numbered: lists.append(List(number: value >> 1, isTight: value & 1 == 1))
        case .item:
            isNewItem = true
            guard let number = lists.last?.number else { break }
            gaps.expectNumber(number)
            lists[lists.count - 1].number = number + 1
        case .rule: gaps.expectRule()
        case .heading: leaf = MarkdownBlock(kind: .heading(level: value))
        case .paragraph:
            leaf = MarkdownBlock(kind: kindOfParagraph)
            isParagraph = true
        case .row: leaf = MarkdownBlock(kind: .row)
        case .cell, .headCell: isNewCell = true
        case .code:
            isInCode = true
            if keepsCode { leaf = MarkdownBlock(kind: .code) }
        case .html: isInHTML = true
        case .document, .table, .head, .body: break
        }
    }

    private mutating func leave(_ block: MarkdownEvent.Block) {
        if block != .cell, block != .headCell { endLeaf() }
        switch block {
        case .quote: quotations -= 1
        case .list, .numbered:
            let isNotes = lists.popLast()?.isNotes == true
            if lists.isEmpty || isNotes { raise(.paragraph) }
        case .item:
            if lists.last?.isNotes == true { note = nil }
            gaps.forgetNumbers()
            raise(isTight ? .sentence : .paragraph)
        case .heading:
            let document = document
            gaps.passUnderline(of: document.span)
        case .table: raise(.paragraph)
        case .code: isInCode = false
        case .html:
            isInHTML = false
            kindOfHTML = nil
        default: break
        }
        if block == .html || block == .paragraph { endHTML() }
    }

    private var isTight: Bool { lists.last.map { $0.isTight && !$0.isNotes } ?? false }

    private var kindOfParagraph: MarkdownBlock.Kind {
        guard isNewItem, let list = lists.last, !list.isNotes else { return .paragraph }
        return .item(depth: lists.count { !$0.isNotes }, number: list.number.map { $0 - 1 })
    }

    mutating func raise(_ kind: PauseKind) {
        if pause != .paragraph, pause != .heading { pause = kind }
    }

    /// Creates a block for the next text if none is open.
    mutating func openLeaf() {
        if leaf == nil { leaf = MarkdownBlock(kind: kindOfHTML ?? kindOfParagraph) }
    }

    mutating func endLeaf() {
        space = nil
        guard let kind = pass() else { return }
        hasWordsBeside = false
        defer { isParagraph = false }
        switch kind {
        case .heading: raise(.heading)
        case .row: raise(.sentence)
        case .code: break
        case .item where isInHTML: raise(.sentence)
        default: raise(isTight && !isInHTML && !isParagraph ? .sentence : .paragraph)
        }
    }

    /// Emits the current block.
    ///
    /// - Returns: the kind of the block.
    @discardableResult
    private mutating func pass() -> MarkdownBlock.Kind? {
        endStress()
        isInTitle = false
        guard var block = leaf else { return nil }
        leaf = nil
        if block.text.mapped.hasVisible {
            if let found = gaps.rule { rule = found }
            gaps.rule = nil
            if block.kind == .paragraph, !hasWordsBeside { block.kind = .picture }
            block.number = gaps.takeNumber()
            (block.pause, block.rule, block.isQuoted, block.note) = (pause, rule, quotations > 0, note)
            if block.kind != .code { (pause, rule) = (nil, nil) }
            ready.append(block)
            isNewItem = false
        }
        return block.kind
    }

    private mutating func endStress() {
        guard let start = stressStart else { return }
        stressStart = nil
        guard let end = leaf?.text.mapped.count, start < end else { return }
        leaf?.emphasis.append(start..<end)
    }

    // MARK: Text

    private mutating func read(_ sign: MarkdownEvent.Text) {
        let document = document
        switch sign {
        case .zero:
            let place = gaps.zero(in: document.span)
            look(before: place.lowerBound, document)
            gaps.end = place.upperBound
            if html.isInText { say(.other(Array("\u{FFFD}".utf8), place)) }
        case .hardBreak:
            if space == nil { space = .open(sign) }
            (endsLine, isInTitle) = (true, false)
        case .softBreak:
            if space == nil { space = .open(sign) }
            if isInTitle { endsLine = true }
            isInTitle = false
        case .html:
            html.readBreak()
            if isInHTML, space == nil { space = .open(sign) }
        case .code where isInCode: if leaf != nil { leaf?.text.mapped.append("\n", for: gaps.end..<gaps.end) }
        case .code: if space == nil { space = .open(sign) }
        case .plain, .reference: break
        }
    }

    private mutating func read(_ text: MarkdownEvent.Text, _ range: Range<Int>) {
        let document = document
        look(before: range.lowerBound, document)
        let isEscaped = gaps.is("\\", before: range.lowerBound, in: document.span)
        let isAddress = gaps.is("<", before: range.lowerBound, in: document.span)
        gaps.end = range.upperBound
        let shown = max(range.lowerBound, min(hiddenUntil, range.upperBound))..<range.upperBound
        guard !shown.isEmpty else { return }
        switch text {
        case .plain where isAddress: readHTMLText(shown)
        case .plain: readPlain(shown, isEscaped: isEscaped && shown == range)
        case .reference: readReference(shown)
        case .code where isInCode: leaf?.text.mapped.append(copied: shown, of: document.span)
        case .code: readCode(shown)
        case .html: readHTML(shown, isInline: !isInHTML)
        case .zero, .hardBreak, .softBreak: break
        }
    }

    /// Finds the markup before the text at `index`.
    private mutating func look(before index: Int, _ document: [UInt8]) {
        if case .open(let sign) = space { space = .at(gaps.line(sign, before: index, in: document.span)) }
        gaps.findMarks(before: index, in: document.span)
        if isNewCell { gaps.findBar(before: index, in: document.span) }
    }

    /// Whether the line is long and the next one starts in lowercase, as in prose whose lines happen to end with two
    /// spaces.
    private func continuesLine(_ text: MarkdownText, _ words: Words) -> Bool {
        let start = words.place.lowerBound
        guard start < document.count, ScalarClass.isLowercase(UTF8Cursor.scalar(at: start, in: document.span).value)
        else {
            return false
        }
        return text.mapped.utf8.reversed().prefix { $0 != 0x0A }.count >= Self.wrapped
    }

    /// The minimum length of a wrapped line in bytes.
    private static let wrapped = 50

    /// Adds text to the block, after the pending space.
    mutating func say(_ words: Words) {
        openLeaf()
        guard var block = leaf else { return }
        leaf = nil
        defer { leaf = block }
        if isNewCell, block.kind == .row, block.text.mapped.hasVisible {
            let bar = gaps.bar ?? words.place.lowerBound
            if block.text.endsWithMark {
                leaf = block
                endLeaf()
                block = MarkdownBlock(kind: .row)
            } else {
                block.text.mapped.append(", ", for: bar..<bar)
            }
            space = nil
        }
        isNewCell = false
        if block.text.mapped.count >= Self.longest {
            leaf = block
            pass()
            block = MarkdownBlock(kind: block.kind)
        }
        if case .at(let place) = space, !block.text.isEmpty {
            // A single character other than a space or line break differs from the space that replaces it, so it is not
            // mapped as a copy.
            let isSame = place.count != 1 || " \n\r".utf8.contains(document[place.lowerBound])
            let sign = endsLine && block.kind != .row && !continuesLine(block.text, words) ? "\n" : " "
            block.text.mapped.append(sign, for: isSame ? place : place.lowerBound..<place.lowerBound)
        }
        space = nil
        if block.text.isEmpty { block.start = words.place.lowerBound }
        if stress > 0, stressStart == nil { stressStart = block.text.mapped.count }
        if pictures == 0 { hasWordsBeside = true }
        switch words {
        case .copied(var range):
            // Split a very long paragraph into several texts. A sentence may continue in the next text.
            while let end = Self.end(ofPartOf: range, after: block.text.mapped.count, document) {
                block.text.mapped.append(copied: range.lowerBound..<end, of: document.span)
                leaf = block
                pass()
                block = MarkdownBlock(kind: block.kind)
                block.start = end
                range = end..<range.upperBound
            }
            block.text.mapped.append(copied: range, of: document.span)
        case .literal(let range):
            let start = block.text.mapped.count
            block.text.mapped.append(copied: range, of: document.span)
            block.text.protect(from: start)
        case .other(let text, let range):
            let start = block.text.mapped.count
            block.text.append(text, insteadOf: range)
            block.text.protect(from: start)
        }
    }
}
