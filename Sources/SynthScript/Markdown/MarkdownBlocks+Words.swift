/// Converts document text to words.
extension MarkdownBlocks {
    /// The maximum size of a block in bytes.
    static let longest = 32 << 10

    /// Returns the position at which to split text that is too long for one block, or nil if it fits.
    static func end(ofPartOf range: Range<Int>, after count: Int, _ document: [UInt8]) -> Int? {
        guard count + range.count > longest else { return nil }
        var end = min(range.lowerBound + max(longest - count, 4), range.upperBound)
        while end > range.lowerBound, end < range.upperBound, UTF8.isContinuation(document[end]) { end -= 1 }
        return end < range.upperBound ? end : nil
    }

    /// Text to speak, distinguished by its origin.
    enum Words {
        case copied(Range<Int>)
        /// Text copied from the document, in which tokens are not recognized.
        case literal(Range<Int>)
        /// Text that replaces a document range.
        case other([UInt8], Range<Int>)

        var place: Range<Int> {
            switch self {
            case .copied(let range), .literal(let range), .other(_, let range): range
            }
        }
    }

    mutating func readPlain(_ range: Range<Int>, isEscaped: Bool) {
        let document = document
        var range = range
        if let sign = gaps.note(in: range) {
            beginNote(document.span.text(of: sign.lowerBound + 2..<sign.upperBound - 2))
            range = min(sign.upperBound, range.upperBound)..<range.upperBound
            range = document.span.firstVisible(range)..<range.upperBound
        }
        if !isEscaped { range = dialect(range) }
        guard !range.isEmpty else { return }
        var first = range.lowerBound
        var index = first
        if isEscaped, document[first] != UInt8(ascii: "|") || leaf?.kind != .row {
            say(.other([document[first]], first - 1..<first + 1))
            index += 1
            first = index
        }
        while index < range.upperBound {
            if let link = wikiLink(at: index, before: range.upperBound) {
                if first < link.all.lowerBound { say(.copied(first..<link.all.lowerBound)) }
                if !link.words.isEmpty { say(.copied(link.words)) }
                (index, first) = (link.all.upperBound, link.all.upperBound)
                continue
            }
            guard document[index] == UInt8(ascii: "["),
                let end = MarkdownSource.endOfNote(at: index, of: document.span, before: range.upperBound)
            else {
                index += 1
                continue
            }
            if first < index { say(.copied(first..<index)) }
            leaf?.references.append(document.span.text(of: index + 2..<end - 1))
            (index, first) = (end, end)
        }
        if first < range.upperBound { say(.copied(first..<range.upperBound)) }
    }

    /// Converts the most recently opened list item to a footnote.
    private mutating func beginNote(_ name: String) {
        guard let list = lists.indices.last else { return }
        lists[list].isNotes = true
        note = name
        raise(.paragraph)
    }

    mutating func readReference(_ range: Range<Int>) {
        if let meaning = entities.meaning(of: document.span.bytes(of: range)) {
            say(.other(meaning, range))
        } else {
            say(.copied(range))
        }
    }

    /// Reads code. In a table cell, removes the backslashes that escape vertical bars.
    mutating func readCode(_ range: Range<Int>) {
        var first = range.lowerBound
        if leaf?.kind == .row {
            for index in range.dropLast()
            where document[index] == UInt8(ascii: "\\") && document[index + 1] == UInt8(ascii: "|") {
                if first < index { say(.literal(first..<index)) }
                first = index + 1
            }
        }
        if first < range.upperBound { say(.literal(first..<range.upperBound)) }
    }

    // MARK: HTML

    mutating func readHTML(_ range: Range<Int>, isInline: Bool) {
        let document = document
        var found: [MarkdownHTML.Part] = []
        html.read(range, of: document.span, isInline: isInline, &found)
        for part in found {
            switch part {
            case .text(let range): readHTMLText(range)
            case .tag(let tag) where isInline: readInlineTag(tag)
            case .tag(let tag): readTag(tag)
            }
        }
    }

    /// Handles a tag within a line. Tags such as `p` separate the words before and after them, and `br` ends the line.
    private mutating func readInlineTag(_ tag: MarkdownHTML.Tag) {
        if tag.name == "br" || Self.lines.contains(tag.name) || Self.blocks.contains(tag.name), space == nil {
            space = .at(tag.place)
        }
        if tag.name == "br" { endsLine = true }
        guard !tag.isEnd, MarkdownHTML.hidden.contains(tag.name), tag.place.upperBound >= unclosed[tag.name] ?? 0
        else { return }
        // In a paragraph, a range is hidden only if its end tag is nearby. Otherwise, the words after the tag may be
        // part of the document's text.
        let near = tag.place.upperBound..<min(tag.place.upperBound + 2_000, document.count)
        if let end = MarkdownHTML.end(of: "</\(tag.name)", near, document.span) {
            hiddenUntil = max(hiddenUntil, end)
        } else {
            unclosed[tag.name] = near.upperBound
        }
    }

    /// Ends an HTML block. If content is still hidden, it remains hidden up to its end marker, if there is one.
    mutating func endHTML() {
        defer { html = MarkdownHTML() }
        guard let end = html.end(in: document.span, from: gaps.end) else { return }
        hiddenUntil = max(hiddenUntil, end)
    }

    /// Reads text with character references, replacing white space with spaces.
    mutating func readHTMLText(_ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound {
            let first = index
            while index < range.upperBound, Self.isSpace(document[index]) { index += 1 }
            if index > first {
                if space == nil { space = .at(first..<index) }
                continue
            }
            if document[index] == UInt8(ascii: "&") {
                let name = document[index..<range.upperBound].prefix(MarkdownEntities.longest)
                if let semicolon = name.firstIndex(of: UInt8(ascii: ";")),
                    let meaning = entities.meaning(of: Array(document[index...semicolon]))
                {
                    say(.other(meaning, index..<semicolon + 1))
                    index = semicolon + 1
                    continue
                }
                index += 1
            }
            while index < range.upperBound, !Self.isSpace(document[index]), document[index] != UInt8(ascii: "&") {
                index += 1
            }
            say(.copied(first..<index))
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static let blocks: Set = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
        "dl",
        "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "html", "legend", "main",
        "menu",
        "nav", "ol", "option", "p", "pre", "search", "section", "summary", "table", "tbody", "tfoot", "thead", "ul",
    ]

    private static let lines: Set = ["hr", "li", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"]

    private mutating func readTag(_ tag: MarkdownHTML.Tag) {
        switch tag.name {
        case "br":
            if space == nil { space = .at(tag.place) }
            endsLine = true
        case "hr":
            endLeaf()
            gaps.rule = tag.place
        case "img":
            guard let words = tag.alternative else { break }
            pictures += 1
            readHTMLText(words)
            pictures -= 1
        case "h1", "h2", "h3", "h4", "h5", "h6":
            begin(.heading(level: Int(tag.name.suffix(1)) ?? 1), tag)
        case "li": begin(.item(depth: lists.count + 1, number: nil), tag)
        case "tr": begin(.row, tag)
        case "td", "th": (isNewCell, gaps.bar) = (!tag.isEnd, nil)
        case _ where Self.blocks.contains(tag.name):
            endLeaf()
            if tag.isEnd, pause != nil, ["ul", "ol", "table"].contains(tag.name) { raise(.paragraph) }
        default: break
        }
    }

    private mutating func begin(_ kind: MarkdownBlock.Kind, _ tag: MarkdownHTML.Tag) {
        endLeaf()
        kindOfHTML = tag.isEnd ? nil : kind
    }
}

extension Span<UInt8> {
    func text(of range: Range<Int>) -> String { String(decoding: bytes(of: range), as: UTF8.self) }
}
