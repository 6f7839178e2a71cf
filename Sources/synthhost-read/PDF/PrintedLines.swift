/// A line on a page, within a column or table cell.
struct PrintedLine: Equatable {
    /// A segment of a line: normal text, a superscript or a subscript.
    struct Piece: Equatable {
        enum Position { case base, raised, lowered }
        var text: String
        var position: Position
        var isStressed: Bool
        /// Whether a space precedes the segment.
        var isSpaced: Bool
    }

    private(set) var pieces: [Piece] = []
    private(set) var left: Int
    private(set) var right: Int
    private(set) var top: Int
    private(set) var bottom: Int
    /// The most common font size in the line, by letter count.
    private(set) var size: Int
    private(set) var isBold: Bool
    private(set) var isMono: Bool
    /// Whether all of the line's text is in a symbol font, such as a font for mathematical symbols.
    private(set) var isSymbols: Bool

    /// - Parameter fragments: one or more fragments, from left to right.
    init(_ fragments: [PrintedPages.Fragment]) {
        var letters: [Int: Int] = [:]
        for part in fragments { letters[part.font.size, default: 0] += part.text.unicodeScalars.count }
        let size = letters.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 1
        let base = fragments.filter { $0.font.size == size }
        (left, right) = (fragments.map(\.left).min() ?? 0, fragments.map(\.right).max() ?? 0)
        (top, bottom) = (base.map(\.top).min() ?? 0, base.map(\.bottom).max() ?? 0)
        self.size = size
        isBold =
            !base.isEmpty && base.allSatisfy { $0.isBold || !$0.text.contains(where: \.isLetter) }
            && base.contains(where: \.isBold)
        isMono = base.allSatisfy(\.font.isMono)
        isSymbols = base.allSatisfy(\.font.isSymbols)
        let middle = base.map(\.middle).max() ?? 0
        let isItalic = base.allSatisfy(\.isItalic)
        var end: (right: Int, isInitial: Bool)?
        var endsInSpace = false
        for part in fragments {
            var position = Piece.Position.base
            if part.font.size * 5 <= size * 4, part.text.unicodeScalars.count <= 12 {
                if part.middle * 100 < middle * 100 - 10 * size { position = .raised }
                if part.middle * 100 > middle * 100 + 20 * size { position = .lowered }
            }
            let gap = end.map { part.left - $0.right } ?? 0
            let isInitial = part.font.size >= 2 * size && part.text.count == 1
            let words = part.text.split(separator: " ")
            // Whether the text is letter-spaced.
            let isSpacedOut =
                words.count >= 4 && words.allSatisfy { $0.count == 1 && ($0.first?.isLetter ?? false || $0 == "-") }
            let text = words.joined(separator: isSpacedOut ? "" : " ")
            let isSpaced =
                !pieces.isEmpty && end?.isInitial != true
                && (gap * 100 > 12 * min(size, part.font.size) || part.text.first == " " || endsInSpace)
            endsInSpace = part.text.last == " "
            end = (part.right, isInitial)
            guard !text.isEmpty else { continue }
            pieces.append(
                Piece(
                    text: text, position: position, isStressed: part.isItalic && !isItalic || part.isBold && !isBold,
                    isSpaced: isSpaced))
        }
    }

    /// Joins the cells of a row into one line.
    ///
    /// - Parameter cells: one or more cells.
    init(joining cells: [PrintedLine]) {
        self = cells[0]
        for cell in cells.dropFirst() { append(cell) }
    }

    var width: Int { right - left }

    /// The text as printed.
    var text: String {
        var text = ""
        for piece in pieces { text += (piece.isSpaced && !text.isEmpty ? " " : "") + piece.text }
        return text
    }

    /// Appends another cell of the same row.
    mutating func append(_ cell: PrintedLine) {
        for (index, piece) in cell.pieces.enumerated() {
            var piece = piece
            if index == 0 { piece.isSpaced = true }
            pieces.append(piece)
        }
        if cell.width > width { (size, isMono) = (cell.size, cell.isMono) }
        isBold = isBold && cell.isBold
        (left, right) = (min(left, cell.left), max(right, cell.right))
        (top, bottom) = (min(top, cell.top), max(bottom, cell.bottom))
    }

    /// Removes `count` characters from the beginning, such as a list item's bullet.
    ///
    /// - Parameter left: the left edge of the remaining text, or nil to estimate it from the average letter width.
    mutating func removePrefix(_ count: Int, left start: Int?) {
        let all = max(1, text.count)
        left = start ?? left + width * count / all
        var remaining = count
        while remaining > 0, let first = pieces.first {
            if first.text.count <= remaining {
                remaining -= first.text.count
                pieces.removeFirst()
                if pieces.first?.isSpaced == true {
                    pieces[0].isSpaced = false
                    remaining -= 1
                }
            } else {
                pieces[0].text.removeFirst(remaining)
                remaining = 0
            }
        }
    }

    /// The width of the first word, estimated from the average letter width.
    var firstWord: Int {
        let text = text
        let word = text.prefix { $0 != " " }.count
        return width * word / max(1, text.count)
    }
}

/// Lines at the same height: a single line, or the cells of a row.
struct PrintedRow: Equatable {
    var cells: [PrintedLine]

    var left: Int { cells.map(\.left).min() ?? 0 }
    var right: Int { cells.map(\.right).max() ?? 0 }
    var top: Int { cells.map(\.top).min() ?? 0 }
    var bottom: Int { cells.map(\.bottom).max() ?? 0 }
    var size: Int { cells.max { $0.width < $1.width }?.size ?? 1 }
    var text: String { cells.map(\.text).joined(separator: " ") }

    /// Returns the rows of a page in drawing order.
    static func rows(of page: PrintedPages.Page) -> [PrintedRow] {
        var rows: [PrintedRow] = []
        var cells: [PrintedLine] = []
        var open: [PrintedPages.Fragment] = []
        var recent: [PrintedPages.Fragment] = []
        func closeCell() {
            if !open.isEmpty { cells.append(PrintedLine(open)) }
            open = []
            cells.removeAll { $0.pieces.isEmpty }
        }
        func closeRow() {
            closeCell()
            if !cells.isEmpty { rows.append(PrintedRow(cells: cells)) }
            cells = []
        }
        let numbers = LineNumbers(page)
        for part in page.fragments.flatMap(parts) where !numbers.contains(part) && isShown(part, on: page) {
            // Some programs draw letters twice to make them bold.
            if recent.contains(where: {
                $0.text == part.text && abs($0.left - part.left) <= 3 && abs($0.top - part.top) <= 3
            }) {
                continue
            }
            if recent.count == 4 { recent.removeFirst() }
            recent.append(part)
            if let last = open.last {
                let shared = min(last.bottom, part.bottom) - max(last.top, part.top)
                let size = min(last.font.size, part.font.size)
                let share = last.font.size == part.font.size ? 60 : 45
                let isBeside =
                    shared * 100 >= share * min(last.height, part.height) && part.left + size / 2 >= last.right
                if !isBeside {
                    closeRow()
                } else if (part.left - last.right) * 10 > 9 * max(last.font.size, part.font.size) {
                    closeCell()
                }
            }
            open.append(part)
        }
        closeRow()
        return rows
    }

    /// Splits a fragment at gaps between table cells. Some programs fill the gaps with spaces.
    private static func parts(of fragment: PrintedPages.Fragment) -> [PrintedPages.Fragment] {
        guard fragment.text.contains("     ") else { return [fragment] }
        let letters = Array(fragment.text)
        var parts: [PrintedPages.Fragment] = []
        var start = 0
        func add(upTo end: Int) {
            guard start < end else { return }
            var part = fragment
            part.text = String(letters[start..<end])
            part.left = fragment.left + fragment.width * start / letters.count
            part.width = fragment.width * (end - start) / letters.count
            parts.append(part)
        }
        var place = 0
        while place < letters.count {
            let spaces = letters[place...].prefix { $0 == " " }.count
            if spaces >= 5 {
                add(upTo: place)
                start = place + spaces
            }
            place += max(spaces, 1)
        }
        add(upTo: letters.count)
        return parts
    }

    /// Whether a fragment is on the page and not rotated. For example, a stamp in the margin is rotated.
    private static func isShown(_ part: PrintedPages.Fragment, on page: PrintedPages.Page) -> Bool {
        part.right > 0 && part.bottom > 0 && part.left < page.width && part.top < page.height
            && part.text.contains { $0 != " " } && !(part.text.count > 3 && part.height > 2 * part.width)
    }
}

/// Line numbers in a margin, as in drafts and legal texts.
private struct LineNumbers {
    private var rights: Set<Int> = []
    private let margin: Range<Int>

    private static let grid = 12
    private static let least = 8

    init(_ page: PrintedPages.Page) {
        let others = page.fragments.filter { Self.number($0) == nil && $0.width > 0 }
        // A few fragments, such as a running head, may extend into the margin.
        let lefts = others.map(\.left).sorted()
        let ends = others.map(\.right).sorted()
        margin =
            lefts.isEmpty
            ? 0..<0 : lefts[lefts.count / 20]..<max(lefts[lefts.count / 20], ends[ends.count - 1 - ends.count / 20])
        var groups: [Int: [(top: Int, value: Int)]] = [:]
        for part in page.fragments where part.right <= margin.lowerBound || part.left >= margin.upperBound {
            if let value = Self.number(part) { groups[part.right / Self.grid, default: []].append((part.top, value)) }
        }
        for (right, group) in groups where group.count >= Self.least {
            let values = group.sorted { $0.top < $1.top }.map(\.value)
            let steps = zip(values, values.dropFirst()).map { $1 - $0 }
            guard let step = steps.first, step == 1 || step == 5 || step == 10 else { continue }
            if steps.count(where: { $0 == step }) * 10 >= steps.count * 8 { rights.insert(right) }
        }
    }

    func contains(_ part: PrintedPages.Fragment) -> Bool {
        !rights.isEmpty && (part.right <= margin.lowerBound || part.left >= margin.upperBound)
            && Self.number(part) != nil
            && (part.right / Self.grid - 1...part.right / Self.grid + 1).contains { rights.contains($0) }
    }

    private static func number(_ part: PrintedPages.Fragment) -> Int? {
        let text = part.text.trimmed { $0 == " " }
        return text.utf8.count <= 5 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
