import SynthDocuments

/// Footnotes identified by a page's markup, and links on the page that may belong to footnotes.
struct Footnotes {
    /// A link whose text is a footnote reference, or a link from a footnote back to its reference.
    struct Link {
        /// The block that contains or follows the link.
        var block: Int
        /// The range of the reference in the block's text, or nil if the text does not contain the reference.
        var range: Range<Int>?
        /// The link target, such as "#n1" or "notes.xhtml#n1".
        let target: String
        /// The text of the reference without brackets.
        var sign = ""
        /// Whether the link's text is a backlink arrow.
        var isBacklink = false
        /// Whether the block starts with the link.
        var isFirst = false
    }

    private(set) var notes: [[Document.Block]] = []
    /// Footnote indices, keyed by element ID.
    private(set) var names: [String: Int] = [:]
    var references: [Link] = []
    var links: [Link] = []
    /// The indices of blocks before which footnotes were removed.
    var gaps: Set<Int> = []
    /// Whether to store the texts of footnotes so that they can be read at their references.
    var isWanted = false

    mutating func add(_ note: [Document.Block], names: [String]) {
        for name in names where self.names[name] == nil { self.names[name] = notes.count }
        notes.append(note)
    }

    /// Assigns the links in this block and all later blocks to this block, into which the later blocks were merged.
    /// Drops links that have a range, because the text has changed.
    mutating func gather(from block: Int) {
        func gathered(_ list: [Link]) -> [Link] {
            var end = list.count
            while end > 0, list[end - 1].block >= block { end -= 1 }
            return list[..<end]
                + list[end...].filter { $0.range == nil }.map { link in
                    var link = link
                    link.block = block
                    return link
                }
        }
        if let last = references.last, last.block >= block { references = gathered(references) }
        if let last = links.last, last.block >= block { links = gathered(links) }
    }
}

extension BlockReader {
    private static let single: Set = ["footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"]
    /// Elements that each contain one footnote inside an element for several footnotes.
    private static let holders: Set = ["li", "p", "dd", "tr"]

    /// Removes footnotes from the text and stores them.
    mutating func keepNotes(in node: MarkupNode) {
        notes.gaps.insert(blocks.count)
        keep(node, depth: 0)
    }

    private mutating func keep(_ node: MarkupNode, depth: Int) {
        // Skip definition terms, which contain only footnote numbers.
        guard let name = node.name, name != "dt", depth < 64 else { return }
        let elements = node.elements
        let isSingle =
            Self.holders.contains(name)
            || ["type", "role"].contains { node.attribute($0, hasOneOf: Self.single) }
            // A `div` that directly contains text is also a footnote.
            || !elements.contains { Self.blocks.contains($0.name ?? "") }
        if isSingle { return keepNote(node) }
        for child in elements { keep(child, depth: depth + 1) }
    }

    private static let blocks = holders.union(["ol", "ul", "dl", "div", "aside", "section", "table", "tbody", "dt"])

    private mutating func keepNote(_ node: MarkupNode) {
        var names: [String] = []
        // The footnote's ID may be on an element that contains only the footnote, or on the term of a definition.
        var (inner, depth) = (node, 0)
        while depth < 4, let parent = inner.parent, inner.isOnlyElement {
            if let name = parent.attribute("id") { names.append(name) }
            (inner, depth) = (parent, depth + 1)
        }
        if node.name == "dd", let name = node.previousElement?.attribute("id") { names.append(name) }
        node.visit { part in
            if let name = part.attribute("id") ?? (part.name == "a" ? part.attribute("name") : nil) {
                names.append(name)
            }
            return true
        }
        guard !names.isEmpty else { return }
        guard notes.isWanted else { return notes.add([], names: names) }
        var reader = BlockReader(member: member, language: mainLanguage, isNote: true)
        reader.visitChildren(of: node)
        reader.close()
        var note = reader.blocks
        if !note.isEmpty { note[0].removeSign() }
        notes.add(note, names: names)
    }
}

/// Detects footnotes that the markup does not identify, along with the numbers that refer to them, based on the links
/// between the two.
struct NoteSearch {
    struct Page {
        let anchors: [String: Int]
        let notes: Footnotes
        /// The range of the page's blocks in the array of all blocks.
        let blocks: Range<Int>
    }

    /// The indices of blocks that are footnotes, or headings followed only by footnotes.
    private(set) var removed: Set<Int> = []
    /// Footnotes, each with the first block that refers to it.
    private(set) var references: [(block: Int, note: [Document.Block])] = []

    /// The maximum number of blocks between the first blocks of two footnotes. If there are more, only the first block
    /// belongs to the first footnote.
    private static let maximumBlocksBetween = 8

    /// - Parameters:
    ///   - blocks: the blocks of all pages. Numbers that refer to footnotes are removed from them.
    ///   - place: resolves the target of a link, on the page with the given index, to a page and an element ID. Returns
    ///     nil if the target is not in the document.
    init(
        _ pages: [Page], _ blocks: inout [Document.Block], place: (String, Int) -> (page: Int, anchor: String)?
    ) {
        func block(_ target: String, from page: Int) -> Int? {
            guard let found = place(target, page), let own = pages[found.page].anchors[found.anchor] else { return nil }
            let place = pages[found.page].blocks.lowerBound + own
            return pages[found.page].blocks.contains(place) ? place : nil
        }
        // The targets of links in blocks that start with a link or contain a backlink.
        var back: [Int: [Int]] = [:]
        var signs: [Int: Range<Int>] = [:]
        for (index, page) in pages.enumerated() {
            for link in page.notes.links {
                let own = page.blocks.lowerBound + link.block
                guard page.blocks.contains(own), let target = block(link.target, from: index) else { continue }
                back[own, default: []].append(target)
                if let range = link.range, signs[own] == nil { signs[own] = range }
            }
        }
        var cuts: [Int: [Range<Int>]] = [:]
        var starts: [Int: Int] = [:]
        var seen: Set<[Int]> = []
        var found: [(block: Int, start: Int)] = []
        for (index, page) in pages.enumerated() {
            for reference in page.notes.references {
                let own = min(page.blocks.lowerBound + reference.block, blocks.count - 1)
                guard let target = place(reference.target, index) else { continue }
                if let number = pages[target.page].notes.names[target.anchor] {
                    if let range = reference.range { cuts[own, default: []].append(range) }
                    let note = pages[target.page].notes.notes[number]
                    if !note.isEmpty, seen.insert([target.page, number]).inserted { references.append((own, note)) }
                    continue
                }
                guard let note = block(reference.target, from: index), note != own, blocks[note].kind.canBeNote else {
                    continue
                }
                let leadsBack = back[note]?.contains(own) ?? false
                guard leadsBack || reference.range == nil && blocks[note].begins(withSign: reference.sign) else {
                    continue
                }
                if let range = reference.range { cuts[own, default: []].append(range) }
                if starts[note] == nil {
                    starts[note] = index
                    found.append((own, note))
                }
            }
        }
        let isWanted = pages.contains { $0.notes.isWanted }
        let ends = Self.ends(of: starts.keys.sorted(), blocks, pages)
        for (own, start) in found {
            let range = start..<(ends[start] ?? start + 1)
            var note = Array(blocks[range])
            if let sign = signs[start] { note[0].remove([sign]) }
            note[0].removeSign()
            if isWanted { references.append((own, note)) }
            removed.formUnion(range)
        }
        references.sort { $0.block < $1.block }
        for (place, ranges) in cuts where !removed.contains(place) { blocks[place].remove(ranges) }
        for page in pages { removeHeadings(page, blocks) }
    }

    /// Returns the ends of footnotes, keyed by their starts. A footnote with several paragraphs ends where the next
    /// footnote starts.
    private static func ends(of starts: [Int], _ blocks: [Document.Block], _ pages: [Page]) -> [Int: Int] {
        var ends: [Int: Int] = [:]
        let borders = Set(pages.map(\.blocks.lowerBound))
        for (start, next) in zip(starts, starts.dropFirst()) {
            let between = start + 1..<next
            if between.count <= maximumBlocksBetween,
                between.allSatisfy({ blocks[$0].kind.canBeNote && !borders.contains($0) }),
                !borders.contains(next)
            {
                ends[start] = next
            }
        }
        return ends
    }

    /// Removes headings on a page that are followed only by footnotes.
    private mutating func removeHeadings(_ page: Page, _ blocks: [Document.Block]) {
        var (hasNotes, hasText) = (page.notes.gaps.contains(page.blocks.count), false)
        // The level of the next heading that is not removed.
        var next: Int?
        for place in page.blocks.reversed() {
            if case .heading(let level) = blocks[place].kind {
                if hasNotes, !hasText, next.map({ $0 <= level }) ?? true {
                    removed.insert(place)
                } else {
                    (hasNotes, hasText, next) = (false, false, level)
                }
            } else if removed.contains(place) {
                hasNotes = true
            } else {
                hasText = true
            }
            if page.notes.gaps.contains(place - page.blocks.lowerBound) { hasNotes = true }
        }
    }
}

extension Document.Block {
    var isHeading: Bool { if case .heading = kind { true } else { false } }

    /// Whether the block starts with a footnote number such as "3. ", "[3] " or "* ", or is a list item with that
    /// number.
    fileprivate func begins(withSign sign: String) -> Bool {
        guard !sign.isEmpty else { return false }
        if case .item(_, let number?) = kind, String(number) == sign { return true }
        let bare = text.drop { "[(".contains($0) }
        guard bare.hasPrefix(sign) else { return false }
        return bare.dropFirst(sign.count).first.map { !$0.isLetter && !$0.isNumber } ?? false
    }

    /// Removes the footnote number, or the punctuation that remains of it, from the beginning of the text.
    fileprivate mutating func removeSign() {
        let sign = text.prefix { !$0.isLetter && !$0.isNumber && !"“‘«„\"'¿¡".contains($0) || $0.isNumber }
        guard let last = sign.last, !last.isNumber, NoteMark(String(sign)) != nil || sign.allSatisfy({ !$0.isNumber })
        else { return }
        remove([0..<sign.utf8.count])
    }
}

extension Document.Block.Kind {
    fileprivate var canBeNote: Bool {
        switch self {
        case .paragraph, .item, .figure, .row: true
        case .heading, .code, .scene: false
        }
    }
}

/// Inserts footnotes after the blocks that refer to them. Each footnote is inserted once, after its first reference.
struct NotedBlocks {
    private var notes: [Int: [Document.Block]] = [:]

    /// - Parameters:
    ///   - references: the indices of blocks, and the footnotes to which those blocks refer.
    ///   - language: the document's language.
    init(_ references: [(block: Int, note: [Document.Block])], language: String?) {
        let word = DocumentWords(language: language).note
        for (block, note) in references {
            for (index, part) in note.enumerated() {
                var part = part
                // The footnote becomes a paragraph, so that it is not read as a list item.
                if case .item = part.kind { part.kind = .paragraph }
                if index == 0 { part.prefix("\(word): ") }
                notes[block, default: []].append(part)
            }
        }
    }

    /// Returns the blocks in a range, with their footnotes.
    ///
    /// - Parameters:
    ///   - range: a range of block indices.
    ///   - removed: the indices of blocks to skip.
    func blocks(_ blocks: [Document.Block], _ range: Range<Int>, without removed: Set<Int>) -> [Document.Block] {
        if notes.isEmpty, removed.isEmpty { return Array(blocks[range]) }
        return range.flatMap { place -> [Document.Block] in
            (removed.contains(place) ? [] : [blocks[place]]) + (notes[place] ?? [])
        }
    }

    /// Divides blocks with their footnotes into chapters. Any text before the first start is also a chapter.
    ///
    /// - Parameter starts: the index of the first block and the title of each chapter, in order.
    func chapters(_ blocks: [Document.Block], startingAt starts: [(place: Int, title: String?)]) -> [Document.Chapter] {
        var borders = starts.filter { $0.place < blocks.count }
        if borders.first?.place != 0 { borders.insert((0, nil), at: 0) }
        let ends = borders.dropFirst().map(\.place) + [blocks.count]
        return zip(borders, ends).compactMap { start, end in
            guard start.place < end else { return nil }
            let part = self.blocks(blocks, start.place..<end, without: []).withoutLastScene
            return Document.Chapter(title: start.title ?? part.firstHeading, blocks: part)
        }
    }
}

extension Document.Block {
    fileprivate mutating func prefix(_ added: String) {
        let length = added.utf8.count
        text = added + text
        emphasis = emphasis.map { $0.lowerBound + length..<$0.upperBound + length }
        passages = passages.map {
            Passage($0.range.lowerBound + length..<$0.range.upperBound + length, language: $0.language)
        }
    }
}
