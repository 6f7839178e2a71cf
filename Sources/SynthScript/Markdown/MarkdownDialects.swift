/// Markup that is not part of CommonMark but is supported by certain programs: definition lists (Pandoc, PHP Markdown
/// Extra), callouts (GitHub, Obsidian, MkDocs), heading attributes (Pandoc, kramdown), and wiki links (Obsidian).
extension MarkdownBlocks {
    private static let longestMark = 200

    /// Handles dialect-specific markup at the beginning and end of a text. Returns the range that remains to be read.
    mutating func dialect(_ range: Range<Int>) -> Range<Int> {
        guard let first = range.first else { return range }
        switch document[first] {
        case UInt8(ascii: ":") where isDefinition(at: first):
            endsLine = true
            return document.span.firstVisible(first + 1..<range.upperBound)..<range.upperBound
        case UInt8(ascii: "[") where quotations > 0 && isAtStart: return callout(range)
        case UInt8(ascii: "!") where isAtStart, UInt8(ascii: "?") where isAtStart: return admonition(range)
        default: break
        }
        if case .heading? = leaf?.kind, document[range.upperBound - 1] == UInt8(ascii: "}") {
            return withoutAttributes(range)
        }
        return range
    }

    private var isAtStart: Bool { leaf.map { $0.text.isEmpty } ?? true }

    /// Whether the colon starts a definition, that is, a line that follows the defined term.
    private func isDefinition(at colon: Int) -> Bool {
        guard space != nil, leaf?.text.isEmpty == false, colon + 1 < document.count,
            document[colon + 1] == 0x20 || document[colon + 1] == 0x09
        else { return false }
        var last = colon
        while last > 0, document[last - 1] == 0x20 { last -= 1 }
        return last > 0 && (document[last - 1] == 0x0A || document[last - 1] == 0x0D)
    }

    /// Reads a callout marker, `[!NOTE]`, which may be followed by a title on the same line.
    private mutating func callout(_ range: Range<Int>) -> Range<Int> {
        let name = range.lowerBound + 2
        guard document.span.has("[!", at: range.lowerBound) else { return range }
        var end = name
        while end < range.upperBound, isLetter(document[end]) { end += 1 }
        guard end > name, end < range.upperBound, document[end] == UInt8(ascii: "]") else { return range }
        var next = end + 1
        if next < range.upperBound, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(document[next]) { next += 1 }
        next = document.span.firstVisible(next..<range.upperBound)
        return title(of: name..<end, from: next, in: range)
    }

    /// Reads a callout marker, `!!! note "Title"` or `??? note`, if it is alone on its line.
    private mutating func admonition(_ range: Range<Int>) -> Range<Int> {
        let mark = document[range].prefix(5).prefix { $0 != 0x20 }
        guard ["!!!", "???", "???+"].contains(String(decoding: mark, as: UTF8.self)) else { return range }
        let name = document.span.firstVisible(mark.endIndex..<range.upperBound)
        var end = name
        while end < range.upperBound, isLetter(document[end]) { end += 1 }
        guard end > name else { return range }
        var next = document.span.firstVisible(end..<range.upperBound)
        if next < range.upperBound, document[next] == UInt8(ascii: "\"") {
            next += 1
            let quote = document[next..<range.upperBound].firstIndex(of: UInt8(ascii: "\"")) ?? range.upperBound
            if next < quote {
                isInTitle = true
                say(.copied(next..<quote))
            }
            return range.upperBound..<range.upperBound
        }
        return next == range.upperBound ? title(of: name..<end, from: next, in: range) : range
    }

    /// Adds the type of a callout to the spoken text if no title follows on the same line.
    private mutating func title(of name: Range<Int>, from next: Int, in range: Range<Int>) -> Range<Int> {
        isInTitle = true
        if next >= range.upperBound, isAtLineEnd(next) {
            let word = document.span.text(of: name).lowercased()
            say(.other(Array((word.prefix(1).uppercased() + word.dropFirst()).utf8), name))
        }
        return next..<range.upperBound
    }

    private func isAtLineEnd(_ position: Int) -> Bool {
        let next = document.span.firstVisible(position..<document.count)
        return next == document.count || document[next] == 0x0A || document[next] == 0x0D
    }

    /// Removes attributes such as `{#name .class}`, `{: .class}` or `{-}` from the end of a heading.
    private func withoutAttributes(_ range: Range<Int>) -> Range<Int> {
        guard isAtLineEnd(range.upperBound), let brace = document[range].lastIndex(of: UInt8(ascii: "{")) else {
            return range
        }
        var inside = document[brace + 1..<range.upperBound - 1]
        if inside.first == UInt8(ascii: ":") { inside = inside.dropFirst().drop { $0 == 0x20 } }
        let isMark = inside.elementsEqual([UInt8(ascii: "-")])
        let isNamed =
            inside.count > 1 && "#.".utf8.contains(inside[inside.startIndex]) && isLetter(inside[inside.startIndex + 1])
        guard isMark || isNamed else { return range }
        var end = brace
        while end > range.lowerBound, document[end - 1] == 0x20 { end -= 1 }
        return range.lowerBound..<end
    }

    /// Returns the ranges of the wiki link at a position and of its text: `[[Page|text]]`, `[[Folder/Page#Heading]]`,
    /// or `![[picture.png]]`, whose text is empty. Returns nil if there is no link.
    func wikiLink(at index: Int, before end: Int) -> (all: Range<Int>, words: Range<Int>)? {
        guard readsWikiLinks else { return nil }
        let isEmbedded = document[index] == UInt8(ascii: "!")
        let start = (isEmbedded ? index + 1 : index) + 2
        guard document.span.has("[[", at: start - 2) else { return nil }
        var close = start
        while close < min(end, start + Self.longestMark), document[close] != UInt8(ascii: "]") {
            guard ![UInt8(ascii: "["), 0x0A, 0x0D].contains(document[close]) else { return nil }
            close += 1
        }
        guard close > start, close + 1 < end, document.span.has("]]", at: close) else { return nil }
        // "[[1]](address)" is a link whose text is in brackets.
        let next = close + 2 < document.count ? document[close + 2] : 0
        if next == UInt8(ascii: "(") || next == UInt8(ascii: "[") && !document.span.has("[[", at: close + 2) {
            return nil
        }
        let all = index..<close + 2
        if isEmbedded { return (all, close..<close) }
        if let bar = document[start..<close].lastIndex(of: UInt8(ascii: "|")) { return (all, bar + 1..<close) }
        let heading = document[start..<close].firstIndex(of: UInt8(ascii: "#")) ?? close
        let page = document[start..<heading].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? start
        return (all, heading > page ? page..<heading : min(heading + 1, close)..<close)
    }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
