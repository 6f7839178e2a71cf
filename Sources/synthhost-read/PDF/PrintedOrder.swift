/// Consecutive rows in one column of a page, in a single font size.
struct PrintedBlock: Equatable {
    var rows: [PrintedRow]
    /// The page number, starting at 1.
    var page: Int

    var left: Int { rows.map(\.left).min() ?? 0 }
    var right: Int { rows.map(\.right).max() ?? 0 }
    var top: Int { rows.map(\.top).min() ?? 0 }
    var bottom: Int { rows.map(\.bottom).max() ?? 0 }
    /// The font size of the first row.
    var size: Int { rows.first?.size ?? 1 }
}

/// Puts the rows of a page in reading order.
///
/// Most programs draw text in reading order. That order is preserved, because positions alone cannot distinguish a
/// table from columns. However, if a block precedes a block that is above it or to its left, the order is based on the
/// white space between blocks.
enum PrintedOrder {
    /// The maximum number of blocks on a page that are compared with each other. If a page has more blocks, they are
    /// left in drawing order.
    static let maximumBlocks = 300

    /// - Parameters:
    ///   - rows: the rows in drawing order.
    ///   - page: the page number, starting at 1.
    ///   - edges: the usual left and right edges of the document's lines.
    static func blocks(_ rows: [PrintedRow], page: Int, _ edges: TextEdges) -> [PrintedBlock] {
        let blocks = joined(columnsApart(withMarkers(rows)).map(edges.joined), page)
        guard blocks.count <= maximumBlocks, rows.count <= 20 * maximumBlocks else { return blocks }
        let isInOrder = zip(blocks, blocks.dropFirst()).allSatisfy { one, next in
            let isBelow = next.top + next.size / 2 >= one.bottom
            let isBeside = next.left + next.size / 2 >= one.right && next.top < one.bottom
            return isBelow || isBeside
        }
        return tables(isInOrder && !isSplit(blocks) ? blocks : sorted(blocks[...], depth: 0))
    }

    /// Whether consecutive long blocks are side by side at least three times, which is unlikely for blocks in reading
    /// order.
    private static func isSplit(_ blocks: [PrintedBlock]) -> Bool {
        let wide = blocks.filter { $0.rows.count >= 3 && $0.rows.allSatisfy { $0.cells.count == 1 } }
        guard wide.count >= 4 else { return false }
        var switches = 0
        for (one, next) in zip(wide, wide.dropFirst()) where next.right <= one.left || next.left >= one.right {
            switches += 1
        }
        return switches >= 3
    }

    /// Groups consecutive rows into blocks, from top to bottom.
    private static func joined(_ rows: [PrintedRow], _ page: Int) -> [PrintedBlock] {
        var blocks: [PrintedBlock] = []
        var range = 0..<0
        for row in rows {
            if let last = blocks.last?.rows.last {
                let height = max(last.bottom - last.top, row.bottom - row.top)
                let isNext = row.top > last.top && row.top - last.bottom < height * 3 / 2
                let isUnder = row.left < range.upperBound && row.right > range.lowerBound
                let isAlike = abs(row.size - last.size) * 12 <= max(row.size, last.size)
                if isNext, isUnder, isAlike {
                    blocks[blocks.count - 1].rows.append(row)
                    range = min(range.lowerBound, row.left)..<max(range.upperBound, row.right)
                    continue
                }
            }
            blocks.append(PrintedBlock(rows: [row], page: page))
            range = row.left..<max(row.left, row.right)
        }
        return blocks
    }

    // MARK: - Item markers that were drawn separately

    /// Moves a separate bullet or number to the adjacent line.
    private static func withMarkers(_ rows: [PrintedRow]) -> [PrintedRow] {
        let marks = rows.indices.filter { rows[$0].cells.count == 1 && PrintedParagraphs.isMarker(rows[$0].text) }
        guard !marks.isEmpty, marks.count <= maximumBlocks else { return rows }
        var (rows, used) = (rows, Set<Int>())
        for mark in marks {
            let row = rows[mark]
            let beside = rows.indices.filter { position in
                let other = rows[position]
                let shared = min(row.bottom, other.bottom) - max(row.top, other.top)
                return position != mark && !used.contains(position) && other.left >= row.right
                    && other.left - row.right < 4 * row.size
                    && shared * 2 > row.bottom - row.top
            }
            guard let position = beside.min(by: { rows[$0].left < rows[$1].left }) else { continue }
            rows[position].cells.insert(row.cells[0], at: 0)
            used.insert(mark)
        }
        return rows.indices.filter { !used.contains($0) }.map { rows[$0] }
    }

    // MARK: - Columns that were drawn row by row

    /// Splits rows whose two long cells are actually lines in two columns.
    private static func columnsApart(_ rows: [PrintedRow]) -> [PrintedRow] {
        var result: [PrintedRow] = []
        var run: [PrintedRow] = []
        var gutter = 0..<0
        func close() {
            let pairs = run.filter { $0.cells.count == 2 }
            let widest = (pairs.map { $0.cells[0].width }.max() ?? 0, pairs.map { $0.cells[1].width }.max() ?? 0)
            let full = pairs.filter { $0.cells[0].width * 10 >= widest.0 * 8 && $0.cells[0].text.count >= 20 }
            let isText =
                pairs.count >= 5 && full.count * 10 >= pairs.count * 6
                && pairs.count { $0.cells[1].text.count >= 15 } * 10 >= pairs.count * 5
            if isText {
                let middle = (gutter.lowerBound + gutter.upperBound) / 2
                for side in [true, false] {
                    for row in run {
                        let cells = row.cells.filter { ($0.left < middle) == side }
                        if !cells.isEmpty { result.append(PrintedRow(cells: cells)) }
                    }
                }
            } else {
                result += run
            }
            run = []
        }
        for row in rows {
            if row.cells.count == 2 {
                let own = row.cells[0].right..<max(row.cells[0].right, row.cells[1].left)
                let shared = run.isEmpty ? own : own.clamped(to: gutter)
                if !run.isEmpty, shared.isEmpty { close() }
                gutter = run.isEmpty ? own : shared
                run.append(row)
            } else if !run.isEmpty, row.cells.count == 1,
                row.right <= gutter.lowerBound + 1 || row.left >= gutter.upperBound - 1
            {
                run.append(row)
            } else {
                close()
                result.append(row)
            }
        }
        close()
        return result
    }

    // MARK: - White space

    private static func sorted(_ blocks: ArraySlice<PrintedBlock>, depth: Int) -> [PrintedBlock] {
        guard blocks.count > 1, depth < 12 else { return blocks.sorted { ($0.top, $0.left) < ($1.top, $1.left) } }
        if let x = gutter(Array(blocks)) {
            let left = blocks.filter { $0.left < x }
            let right = blocks.filter { $0.left >= x }
            return sorted(left[...], depth: depth + 1) + sorted(right[...], depth: depth + 1)
        }
        // Regions with and without columns, from top to bottom.
        var parts: [[PrintedBlock]] = []
        for band in bands(blocks) {
            if let last = parts.last {
                let hasColumns = gutter(last) != nil
                if (gutter(last + band) != nil) == (hasColumns || gutter(band) != nil)
                    && (hasColumns || gutter(band) == nil)
                {
                    parts[parts.count - 1] += band
                    continue
                }
            }
            parts.append(band)
        }
        guard parts.count > 1 else { return blocks.sorted { ($0.top, $0.left) < ($1.top, $1.left) } }
        return parts.flatMap { sorted($0[...], depth: depth + 1) }
    }

    /// Splits blocks into groups at empty horizontal bands across the full width.
    private static func bands(_ blocks: ArraySlice<PrintedBlock>) -> [[PrintedBlock]] {
        var bands: [[PrintedBlock]] = []
        var bottom = Int.min
        for block in blocks.sorted(by: { ($0.top, $0.left) < ($1.top, $1.left) }) {
            if block.top + block.size / 3 >= bottom { bands.append([]) }
            bands[bands.count - 1].append(block)
            bottom = max(bottom, block.bottom)
        }
        return bands
    }

    /// Returns the middle of the widest empty vertical strip between blocks, or nil if none is wide enough.
    private static func gutter(_ blocks: [PrintedBlock]) -> Int? {
        let size = blocks.map(\.size).min() ?? 1
        var best: (width: Int, middle: Int)?
        var right = Int.min
        for block in blocks.sorted(by: { $0.left < $1.left }) {
            if right > Int.min, block.left - right >= size / 2, block.left - right > best?.width ?? 0 {
                best = (block.left - right, (block.left + right) / 2)
            }
            right = max(right, block.right)
        }
        return best?.middle
    }

    // MARK: - Tables that were drawn column by column

    private static func tables(_ blocks: [PrintedBlock]) -> [PrintedBlock] {
        var result: [PrintedBlock] = []
        for block in cellsTogether(blocks) {
            if let last = result.last, let joined = rows(last, block) {
                result[result.count - 1].rows = joined
            } else {
                result.append(block)
            }
        }
        return result
    }

    /// Converts multi-line cells that were drawn in sequence to table rows. There must be at least two rows.
    private static func cellsTogether(_ blocks: [PrintedBlock]) -> [PrintedBlock] {
        var groups: [[PrintedBlock]] = []
        for block in blocks {
            if let last = groups.last?.last, block.left >= last.right, block.top < last.bottom, last.top < block.bottom,
                isCell(block), isCell(last)
            {
                groups[groups.count - 1].append(block)
            } else {
                groups.append([block])
            }
        }
        func isRow(_ position: Int) -> Bool { groups.indices.contains(position) && groups[position].count > 1 }
        func isBelow(_ position: Int) -> Bool {
            guard isRow(position), isRow(position - 1), groups[position].count == groups[position - 1].count else {
                return false
            }
            return zip(groups[position - 1], groups[position]).allSatisfy { one, next in
                next.top + next.size / 2 >= one.bottom && next.left < one.right && one.left < next.right
            }
        }
        var result: [PrintedBlock] = []
        for position in groups.indices {
            guard isBelow(position) || isBelow(position + 1) else {
                result += groups[position]
                continue
            }
            let row = PrintedRow(cells: groups[position].map { PrintedLine(joining: $0.rows.flatMap(\.cells)) })
            if isBelow(position), !result.isEmpty {
                result[result.count - 1].rows.append(row)
            } else {
                result.append(PrintedBlock(rows: [row], page: groups[position][0].page))
            }
        }
        return result
    }

    private static func isCell(_ block: PrintedBlock) -> Bool {
        block.rows.count <= 4 && block.rows.reduce(0) { $0 + $1.text.count } <= 120
            && !block.rows.contains {
                PrintedParagraphs.isMarker($0.cells[0].text) || PrintedParagraphs.marker($0.text) != nil
            }
    }

    /// Returns the rows of two adjacent blocks whose short lines are aligned, or nil if the blocks do not form a table.
    private static func rows(_ one: PrintedBlock, _ other: PrintedBlock) -> [PrintedRow]? {
        guard one.rows.count == other.rows.count, one.rows.count >= 2, other.left >= one.right else { return nil }
        let isShort = (one.rows + other.rows).allSatisfy { $0.cells.allSatisfy { $0.text.count <= 40 } }
        let average = other.rows.reduce(0) { $0 + $1.text.count } / other.rows.count
        let areLevel = zip(one.rows, other.rows).allSatisfy { abs($0.top - $1.top) * 3 <= $0.size }
        guard isShort, areLevel, average <= 24, !isText(one), !isText(other) else { return nil }
        return zip(one.rows, other.rows).map { PrintedRow(cells: $0.cells + $1.cells) }
    }

    /// Whether many of the block's lines continue a sentence from the previous line.
    private static func isText(_ block: PrintedBlock) -> Bool {
        let small = block.rows.dropFirst().count { $0.text.first?.isLowercase ?? false }
        return small * 3 > block.rows.count - 1
    }
}

/// The horizontal positions at which a document's lines start and end.
struct TextEdges {
    private var lefts: [Int: Int] = [:]
    private var rights: [Int: Int] = [:]
    private static let grid = 6

    init(_ pages: [[PrintedRow]]) {
        for row in pages.joined() where row.cells.count == 1 {
            lefts[row.left / Self.grid, default: 0] += 1
            rights[row.right / Self.grid, default: 0] += 1
        }
    }

    /// Joins the cells of a row if the row is actually a line of justified text with wide spaces. Other lines of
    /// justified text start and end at the same positions.
    func joined(_ row: PrintedRow) -> PrintedRow {
        guard row.cells.count > 1, !PrintedParagraphs.isMarker(row.cells[0].text), count(rights, row.right) > 8,
            count(lefts, row.left) > 2
        else { return row }
        return PrintedRow(cells: [PrintedLine(joining: row.cells)])
    }

    private func count(_ ends: [Int: Int], _ end: Int) -> Int {
        (end / Self.grid - 1...end / Self.grid + 1).reduce(0) { $0 + (ends[$1] ?? 0) }
    }
}
