/// Some lines of a document that are read by themselves.
struct MarkdownPiece {
    /// In the document, without their ends.
    var lines: [Range<Int>] = []
    /// The first two lines are the head of a table that began in an earlier piece.
    var beginsInTable = false
    /// What makes labels in the lines links and signs of footnotes, and footnotes heard.
    var appendix: [UInt8] = []

    /// What the library reads.
    func text(of document: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(lines.reduce(appendix.count + 2) { $0 + $1.count + 1 })
        for line in lines {
            text += document[line]
            text.append(0x0A)
        }
        if !appendix.isEmpty { text += [0x0A] + appendix }
        return text
    }
}

/// Cuts a document where blocks surely end, into pieces that can be read one after the other.
struct MarkdownPieces {
    /// In bytes: pieces end at the next empty line, twice as much within a list, four times as much wherever a line ends.
    private static let size = 16 << 10

    /// A block that goes on over empty lines: nothing of it is heard.
    private enum Hidden {
        case fence(UInt8, count: Int)
        case html(until: String)
    }

    private let document: [UInt8]
    private let labels: MarkdownLabels
    private var index: Int
    private var table: (head: Range<Int>, delimiter: Range<Int>)?

    init(_ document: [UInt8], from start: Int) {
        self.document = document
        index = start
        labels = MarkdownLabels(document, from: start)
    }

    mutating func next() -> MarkdownPiece? {
        guard index < document.count else { return nil }
        var piece = MarkdownPiece()
        if let table {
            piece.lines = [table.head, table.delimiter]
            piece.beginsInTable = true
        }
        var size = 0
        var hidden: Hidden?
        var isNote = false
        var last: MarkdownLine?
        while index < document.count {
            let (range, next) = MarkdownLine.range(at: index, of: document)
            let line = MarkdownLine(range, of: document)
            if let last, hidden == nil, isCut(before: line, after: last, size: size, isNote: isNote) { break }
            if let open = hidden {
                if Self.ends(open, line, document) {
                    hidden = nil
                } else if size > Self.size {
                    index = next
                    continue
                }
            } else {
                hidden = Self.begins(line, document)
            }
            if last == nil { isNote = line.isNoteDefinition(document) }
            if hidden == nil, range.count > 4 * Self.size {
                let end = MarkdownLine.end(ofPartOf: range, longest: 4 * Self.size, of: document)
                if end < range.upperBound {
                    piece.lines.append(range.lowerBound..<end)
                    index = end
                    break
                }
            }
            noteTable(line, after: last)
            piece.lines.append(range)
            size += range.count + 1
            last = line
            index = next
        }
        if let last, last.isBlank || !last.hasPipe { table = nil }
        piece.appendix = labels.appendix(to: piece.lines, of: document)
        return piece
    }

    private func isCut(before line: MarkdownLine, after last: MarkdownLine, size: Int, isNote: Bool) -> Bool {
        if line.isNoteDefinition(document) { return true }
        guard !line.isBlank else { return size >= 8 * Self.size }
        // What follows a footnote must not be heard before it.
        if isNote, line.indent < 4, last.isBlank || line.beginsBlock(document) { return true }
        if size >= Self.size, last.isBlank, line.indent == 0, !line.isItem(document) { return true }
        if size >= 2 * Self.size, line.indent == 0, last.isBlank || line.beginsBlock(document) || table != nil {
            return true
        }
        return size >= (last.endsSentence(document) ? 3 : 4) * Self.size
    }

    private mutating func noteTable(_ line: MarkdownLine, after last: MarkdownLine?) {
        if line.isBlank {
            table = nil
        } else if let last, last.hasPipe, line.isTableDelimiter(document) {
            table = (last.range, line.range)
        }
    }

    private static func begins(_ line: MarkdownLine, _ document: [UInt8]) -> Hidden? {
        guard line.indent < 4 else { return nil }
        let text = document[line.start..<line.range.upperBound]
        if let sign = text.first, sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~") {
            let count = text.prefix { $0 == sign }.count
            let isFence = count >= 3 && (sign == UInt8(ascii: "~") || !text.dropFirst(count).contains(sign))
            return isFence ? .fence(sign, count: count) : nil
        }
        guard text.first == UInt8(ascii: "<") else { return nil }
        let head = String(decoding: text.prefix(9), as: UTF8.self).lowercased()
        let marks = [
            ("<!--", "-->"), ("<?", "?>"), ("<![cdata[", "]]>"), ("<script", "</script>"), ("<pre", "</pre>"),
            ("<style", "</style>"), ("<textarea", "</textarea>"), ("<!", ">"),
        ]
        guard let end = marks.first(where: { head.hasPrefix($0.0) })?.1 else { return nil }
        let open = Hidden.html(until: end)
        return ends(open, line, document) ? nil : open
    }

    private static func ends(_ hidden: Hidden, _ line: MarkdownLine, _ document: [UInt8]) -> Bool {
        switch hidden {
        case .fence(let sign, let count):
            let text = document[line.start..<line.range.upperBound]
            let signs = text.prefix { $0 == sign }.count
            return line.indent < 4 && signs >= count && text.dropFirst(signs).allSatisfy { $0 == 0x20 || $0 == 0x09 }
        case .html(let end):
            return String(decoding: document[line.range], as: UTF8.self).lowercased().contains(end)
        }
    }
}
