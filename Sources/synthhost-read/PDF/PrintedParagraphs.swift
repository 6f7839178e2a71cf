/// A paragraph of printed lines, before its text is assembled.
struct PrintedParagraph: Equatable {
    enum Kind: Equatable { case text, row, code }
    var kind = Kind.text
    var lines: [PrintedLine]
    /// The cells of a table row.
    var cells: [PrintedLine] = []
    /// The bullet or number of an item, which is not included in `lines`.
    var marker: String?
    /// The page number, starting at 1.
    var page: Int
    /// Whether the space above the paragraph exceeds the line spacing.
    var isApart: Bool
    /// Whether the space below the paragraph exceeds the line spacing.
    var isApartBelow = false
    /// Whether one more word would fit on the last line.
    var isOpenEnded = false

    var size: Int { (lines.first ?? cells.first)?.size ?? 1 }
    var isBold: Bool { !lines.isEmpty && lines.allSatisfy(\.isBold) }
    /// Whether both paragraphs are short texts next to each other, as in a table.
    func isBeside(_ other: PrintedParagraph) -> Bool {
        guard page == other.page, lines.count <= 4, other.lines.count <= 4, let first = lines.first,
            let last = lines.last,
            let top = other.lines.first, let bottom = other.lines.last
        else { return false }
        return top.left >= first.right && top.top < last.bottom && bottom.bottom > first.top
            || first.left >= top.right && first.top < bottom.bottom && last.bottom > top.top
    }
    var left: Int { (lines.first ?? cells.first)?.left ?? 0 }
    /// The text as printed, for comparison.
    var text: String { (lines + cells).map(\.text).joined(separator: " ") }
}

/// Converts blocks in reading order to paragraphs.
struct PrintedParagraphs {
    private(set) var paragraphs: [PrintedParagraph] = []
    private let bodySize: Int
    private let isMonoBody: Bool
    /// The usual line spacing, keyed by font size.
    private let leadings: [Int: Int]
    /// The usual length of a line.
    private let lineWidth: Int

    /// - Parameters:
    ///   - pages: the blocks of each page.
    ///   - bodySize: the most common font size, by letter count.
    init(_ pages: [[PrintedBlock]], bodySize: Int, isMonoBody: Bool) {
        self.bodySize = bodySize
        self.isMonoBody = isMonoBody
        var distances: [Int: [Int: Int]] = [:]
        for block in pages.joined() {
            for (one, next) in zip(block.rows, block.rows.dropFirst()) where one.size == next.size {
                distances[one.size, default: [:]][Self.base(next) - Self.base(one), default: 0] += 1
            }
        }
        leadings = distances.compactMapValues { $0.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key }
        let widths = pages.joined().flatMap(\.rows).filter { $0.cells.count == 1 && $0.size == bodySize }.map {
            $0.right - $0.left
        }.sorted()
        lineWidth = widths.isEmpty ? 0 : widths[widths.count / 2]
        for blocks in pages { for block in unfinishedFirst(blocks, after: paragraphs.last) { add(block) } }
        joinAcrossFloats()
    }

    private static func base(_ row: PrintedRow) -> Int { row.cells.first?.bottom ?? row.bottom }

    // MARK: - Floats

    /// Joins sentences that are interrupted by captions or tables.
    private mutating func joinAcrossFloats() {
        var isJoined = Array(repeating: false, count: paragraphs.count)
        for position in paragraphs.indices.reversed() {
            let open = paragraphs[position]
            guard open.marker == nil, open.isUnfinished, (open.lines.last?.width ?? 0) * 10 > lineWidth * 6 else {
                continue
            }
            var next = position + 1
            while next < paragraphs.count, next <= position + 12,
                isJoined[next] || paragraphs[next].kind == .row || PrintedNotes.isCaption(paragraphs[next].text)
                    || paragraphs[next].size * 16 < open.size * 15
            {
                next += 1
            }
            if next > position + 1, next < paragraphs.count, paragraphs[next].kind == .text,
                paragraphs[next].marker == nil,
                paragraphs[next].size == open.size, !paragraphs[next].isBold,
                paragraphs[next].text.first?.isLowercase ?? false
            {
                paragraphs[position].lines += paragraphs[next].lines
                paragraphs[position].isOpenEnded = paragraphs[next].isOpenEnded
                isJoined[next] = true
            }
        }
        paragraphs = paragraphs.indices.filter { !isJoined[$0] }.map { paragraphs[$0] }
    }

    /// If a caption or table at the top of a page interrupts a sentence, moves the block with the rest of the sentence
    /// before it.
    private func unfinishedFirst(_ blocks: [PrintedBlock], after last: PrintedParagraph?) -> [PrintedBlock] {
        guard let first = blocks.first, let last, last.isUnfinished, !Self.continues(last, first),
            Self.isFloat(first, last), (last.lines.last?.width ?? 0) * 10 > lineWidth * 6
        else { return blocks }
        guard let position = blocks.prefix(6).firstIndex(where: { Self.continues(last, $0) }) else { return blocks }
        var blocks = blocks
        blocks.insert(blocks.remove(at: position), at: 0)
        return blocks
    }

    /// Whether a block is a table, a caption or text in a smaller font.
    private static func isFloat(_ block: PrintedBlock, _ last: PrintedParagraph) -> Bool {
        guard let row = block.rows.first, row.cells.count == 1, let cell = row.cells.first else { return true }
        return (last.size - cell.size) * 12 > last.size || PrintedNotes.isCaption(cell.text)
    }

    private static func continues(_ last: PrintedParagraph, _ block: PrintedBlock) -> Bool {
        guard let row = block.rows.first, row.cells.count == 1, let cell = row.cells.first else { return false }
        guard abs(cell.size - last.size) * 12 <= last.size, !cell.isBold else { return false }
        let letter = cell.text.first { !"“\"‘'«(".contains($0) }
        // The next word of a sentence may be capitalized, such as "Wednesday".
        if let end = last.lines.last, cell.width * 10 > end.width * 8, letter?.isUppercase ?? false {
            return !PrintedNotes.isCaption(cell.text)
        }
        return letter.map { $0.isLowercase || !$0.isCased && !$0.isNumber && !$0.isPunctuation } ?? false
    }

    // MARK: - Blocks

    private mutating func add(_ block: PrintedBlock) {
        var position = 0
        var previous: PrintedRow?
        while position < block.rows.count {
            let table = tableLength(block.rows[position...])
            if table > 0 {
                for row in block.rows[position..<position + table] { addRow(row, block.page) }
                position += table
                previous = block.rows[position - 1]
                continue
            }
            add(block.rows[position], after: previous, in: block, at: position)
            previous = block.rows[position]
            position += 1
        }
    }

    private mutating func addRow(_ row: PrintedRow, _ page: Int) {
        // A cell may continue in the next row.
        if row.cells.count == 1, let last = paragraphs.last, last.kind == .row,
            let position = last.cells.firstIndex(where: { abs($0.left - row.left) <= row.size / 2 })
        {
            paragraphs[paragraphs.count - 1].cells[position].append(row.cells[0])
            return
        }
        paragraphs.append(PrintedParagraph(kind: .row, lines: [], cells: row.cells, page: page, isApart: false))
    }

    /// Returns the number of rows at the start that form a table: at least two rows with aligned cells.
    private func tableLength(_ rows: ArraySlice<PrintedRow>) -> Int {
        var (length, full) = (0, 0)
        var starts: [Int] = []
        var aligned: [PrintedLine] = []
        for row in rows {
            let isFull =
                row.cells.count > 1 && !Self.isMarker(row.cells[0].text) && Self.marker(row.cells[0].text) == nil
                && !Self.isNumbering(row.cells[0].text) && !isStretched(row)
            if !isFull {
                // Accept a cell that continues in the next row, or a row with a single cell.
                guard length > 0, row.cells.count == 1, starts.contains(where: { abs($0 - row.left) <= row.size / 3 }),
                    row.left > starts[0] + row.size,
                    row.top - (rows[rows.startIndex + length - 1].bottom) < row.size / 2
                else { break }
                length += 1
                continue
            }
            let lefts = row.cells.map(\.left)
            let shared = row.cells.dropFirst().contains { cell in
                aligned.contains {
                    abs($0.left - cell.left) <= row.size || abs($0.right - cell.right) <= row.size / 2
                        || abs($0.left + $0.right - cell.left - cell.right) <= row.size
                }
            }
            guard starts.isEmpty || shared else { break }
            if starts.count < lefts.count { starts = lefts }
            aligned = Array(row.cells.dropFirst())
            length += 1
            full = length
        }
        let count = rows.prefix(full).count { $0.cells.count > 1 }
        return count >= 2 ? full : 0
    }

    /// Whether the row is a line of text with a wide space after a sentence, rather than a table row.
    private func isStretched(_ row: PrintedRow) -> Bool {
        row.cells.count == 2 && row.cells[0].text.count > 30 && row.cells[1].left - row.cells[0].right < 2 * row.size
            && (row.cells[0].text.last.map { ".!?:;,".contains($0) } ?? false)
    }

    /// Whether the text is a section number before a heading, such as "1" or "2.3".
    private static func isNumbering(_ text: String) -> Bool {
        text.count <= 8 && text.contains(where: \.isNumber) && text.contains(".")
            && text.allSatisfy { $0.isNumber || $0 == "." }
    }

    // MARK: - Lines

    private mutating func add(_ row: PrintedRow, after previous: PrintedRow?, in block: PrintedBlock, at position: Int)
    {
        var line = row.cells.count == 1 ? row.cells[0] : PrintedLine(joining: row.cells)
        if Ornament.isSceneBreak(line.text) {
            if !paragraphs.isEmpty { paragraphs[paragraphs.count - 1].isApartBelow = true }
            paragraphs.append(
                PrintedParagraph(lines: [line], page: block.page, isApart: true, isApartBelow: true, isOpenEnded: true))
            return
        }
        let marker = Self.marker(line.text)
        let start = line.left
        let below = position + 1 < block.rows.count ? block.rows[position + 1].left : start
        if let marker {
            line.removePrefix(
                marker.length,
                left: row.cells.count > 1
                    ? row.cells[1].left : below > start + line.size / 3 && below < start + 4 * line.size ? below : nil)
        }
        let isMono = line.isMono && !isMonoBody
        let leading = leadings[row.size] ?? row.size * 6 / 5
        let distance = previous.map { Self.base(row) - Self.base($0) }
        let isApart = distance.map { $0 * 10 > leading * 13 } ?? true
        let next = position + 1 < block.rows.count ? block.rows[position + 1] : nil
        if var open = paragraphs.last, open.kind != .row, marker == nil, !line.pieces.isEmpty,
            let last = open.lines.last,
            open.kind == .code ? isMono && (!isApart || previous != nil) : !isMono
        {
            let isAlike = abs(last.size - line.size) * 12 <= max(last.size, line.size) && last.isBold == line.isBold
            let continuesText: Bool
            if open.kind == .code {
                continuesText = previous != nil
            } else if previous == nil {
                continuesText =
                    isAlike && open.isUnfinished && last.width * 10 > lineWidth * 6 && Self.continues(open, block)
            } else {
                continuesText =
                    isAlike && !isApart && !begins(line, after: last, open, in: block, at: position, next)
            }
            if continuesText {
                open.lines.append(line)
                open.isOpenEnded = Self.hasRoom(line, in: block, at: position)
                paragraphs[paragraphs.count - 1] = open
                return
            }
        }
        if isApart || previous == nil, !paragraphs.isEmpty { paragraphs[paragraphs.count - 1].isApartBelow = true }
        var paragraph = PrintedParagraph(lines: [line], marker: marker?.text, page: block.page, isApart: isApart)
        paragraph.kind = isMono ? .code : .text
        paragraph.isOpenEnded = Self.hasRoom(line, in: block, at: position)
        paragraphs.append(paragraph)
    }

    /// Whether a line starts a paragraph, based on its position.
    private func begins(
        _ line: PrintedLine, after last: PrintedLine, _ open: PrintedParagraph, in block: PrintedBlock,
        at position: Int, _ next: PrintedRow?
    ) -> Bool {
        let size = line.size
        // The previous line ends with a hyphenated word.
        if let end = last.text.last, "-\u{2010}\u{AD}".contains(end), line.text.first?.isLowercase ?? false {
            return false
        }
        let isIndented = line.left > last.left + size / 2
        let isOutdented = line.left + size / 2 < last.left
        if open.marker != nil {
            // A line to the left of the item's first line may continue the item or may be text after the list.
            if open.lines.count == 1, line.left + size / 2 < last.left, line.left <= block.left + size / 2,
                Self.isFirstSentence(line.text), open.isOpenEnded
            {
                return true
            }
            if isIndented { return true }
            return open.isOpenEnded && fits(line, after: last, in: block, at: position)
        }
        let isCentred =
            abs((line.left + line.right) - (last.left + last.right)) <= size && abs(line.left - last.left) > size / 3
        if isCentred { return false }
        if isIndented, open.lines.count == 1, let next, abs(next.left - line.left) <= size / 3,
            abs(next.size - size) * 12 <= size
        {
            // This may be a hanging indent, as in a bibliography.
            return open.isOpenEnded && fits(line, after: last, in: block, at: position)
        }
        if isIndented { return open.isOpenEnded || Self.endsSentence(last.text) }
        if isOutdented, open.lines.count > 1 { return true }
        return fits(line, after: last, in: block, at: position)
    }

    /// Whether the first word of a line would fit at the end of the previous line. If so, the line break is deliberate.
    private func fits(_ line: PrintedLine, after last: PrintedLine, in block: PrintedBlock, at position: Int) -> Bool {
        if line.size * 10 > bodySize * 11 || line.isBold { return false }
        // In mid-sentence, a line can be short only because it is next to an image.
        if last.text.last.map({ $0.isLetter || $0.isNumber }) ?? false, line.text.first?.isLowercase ?? false {
            return false
        }
        return last.right + line.size / 3 + line.firstWord + line.size / 2 < Self.edge(of: block, near: position)
    }

    private static func hasRoom(_ line: PrintedLine, in block: PrintedBlock, at position: Int) -> Bool {
        line.right + 2 * line.size < edge(of: block, near: position)
    }

    /// Returns the right edge of the surrounding lines. An image may shorten these lines.
    private static func edge(of block: PrintedBlock, near position: Int) -> Int {
        block.rows[max(0, position - 4)...min(block.rows.count - 1, position + 4)].map(\.right).max() ?? 0
    }

    private static func endsSentence(_ text: String) -> Bool {
        text.last { !"”\"’'»)]".contains($0) }.map { ".!?:…".contains($0) } ?? true
    }

    private static func isFirstSentence(_ text: String) -> Bool { text.first.map { !$0.isLowercase } ?? false }

    // MARK: - Items

    /// Returns an item's bullet, or its number including the period or brackets.
    static func marker(_ text: String) -> (text: String, length: Int)? {
        guard let space = text.firstIndex(of: " ") else { return nil }
        let word = String(text[..<space])
        guard isMarker(word), !text[space...].allSatisfy({ $0 == " " }) else { return nil }
        return (word, word.count + 1)
    }

    static func isMarker(_ word: String) -> Bool {
        if word.count == 1, let sign = word.first { return "•◦▪‣∙·–—*-+○●■□".contains(sign) }
        guard word.count <= 6, let last = word.last, last == "." || last == ")" else { return false }
        let inner = word.dropLast().drop { $0 == "(" }
        if inner.allSatisfy({ $0.isASCII && $0.isNumber }) { return (1...3).contains(inner.count) }
        return last == ")"
            && (inner.count == 1 && inner.allSatisfy(\.isLetter) || RomanNumeral.value(String(inner)) != nil)
    }
}

extension PrintedParagraph {
    /// Whether the last sentence may continue in another column or on another page.
    var isUnfinished: Bool {
        let end = lines.last?.text.last { !"”\"’'»)]".contains($0) }
        return kind == .text && !isOpenEnded && end.map { !".!?:…".contains($0) } == true
    }
}
