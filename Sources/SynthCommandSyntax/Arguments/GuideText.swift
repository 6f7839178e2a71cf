import SynthSystem

/// Converts the Markdown of the guides into terminal text. Supports headings, paragraphs, lists, tables, examples,
/// links and images.
package struct GuideText {
    package let width: Int
    private var lines: [String] = []
    private var paragraph: [Substring] = []
    private var isItem = false
    private var isExample = false
    /// The rows of the current table.
    private var rows: [[String]] = []

    package init(width: Int) { self.width = width }

    /// Converts the next line of Markdown.
    package mutating func read(_ line: Substring) {
        if line.hasPrefix("```") {
            flush()
            isExample.toggle()
        } else if isExample {
            lines.append(line.isEmpty ? "" : "    " + line)
        } else if line.allSatisfy({ $0 == " " }) {
            flush()
            if lines.last?.isEmpty == false { lines.append("") }
        } else if line.hasPrefix("#") {
            flush()
            lines.append(Self.withoutLinks(line.drop { $0 == "#" || $0 == " " }).uppercased())
        } else if line.hasPrefix("|") {
            if rows.isEmpty { flush() }
            let isRule = line.allSatisfy { "|-: ".contains($0) }
            if !isRule { rows.append(Self.cells(line)) }
        } else if line.hasPrefix("![") {
            // Images are omitted.
            flush()
        } else {
            if line.hasPrefix("* ") || line.first?.isNumber == true && line.drop(while: \.isNumber).hasPrefix(". ") {
                flush()
                isItem = true
            }
            paragraph.append(line.drop { $0 == " " })
        }
    }

    /// Returns the text. Call this after the last line.
    package mutating func end() -> String {
        flush()
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func flush() {
        if !rows.isEmpty {
            lines += TextTable(rows: rows).lines(width: width - 2).map { "  " + $0 }
            rows = []
        }
        guard !paragraph.isEmpty else { return }
        let text = Self.withoutLinks(paragraph.joined(separator: " ")[...])
        let wrapped = DisplayWidth.wrap(text, to: width - (isItem ? 2 : 0))
        lines += wrapped.enumerated().map { isItem && $0.offset > 0 ? "  \($0.element)" : $0.element }
        (paragraph, isItem) = ([], false)
    }

    /// Returns the cells of a row without the bars at both ends. Empty cells are kept.
    private static func cells(_ row: Substring) -> [String] {
        row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
            withoutLinks(cell.drop { $0 == " " }.withoutTrailingSpaces)
        }
    }

    /// Replaces each link "[words](URL)" with its words.
    private static func withoutLinks(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let open = rest.firstIndex(of: "[") {
            let after = rest[rest.index(after: open)...]
            guard let middle = after.firstRange(of: "]("), let close = after[middle.upperBound...].firstIndex(of: ")"),
                !after[..<middle.lowerBound].contains("[")
            else {
                result += rest[...open]
                rest = after
                continue
            }
            result += rest[..<open] + after[..<middle.lowerBound]
            rest = after[after.index(after: close)...]
        }
        return result + rest
    }
}

/// A table with aligned columns, for a terminal.
struct TextTable {
    private static let gap = 2
    private static let narrowest = 8

    /// Each row has its cells in the order of the columns; missing cells are empty.
    let rows: [[String]]

    /// Returns the table's lines. If the columns do not fit, the widest ones are made narrower and their cells are
    /// wrapped. A word that is wider than its column extends beyond it.
    func lines(width: Int) -> [String] {
        let widths = columnWidths(width)
        return rows.flatMap { row -> [String] in
            let cells = widths.indices.map { column in
                column < row.count ? DisplayWidth.wrap(row[column], to: widths[column]) : []
            }
            return (0..<max(1, cells.map(\.count).max() ?? 0)).map { line in
                let parts = zip(cells, widths).map { cell, width in
                    DisplayWidth.pad(line < cell.count ? cell[line] : "", to: width)
                }
                let text = parts.joined(separator: String(repeating: " ", count: Self.gap))
                return String(text[...].withoutTrailingSpaces)
            }
        }
    }

    private func columnWidths(_ width: Int) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            rows.map { column < $0.count ? DisplayWidth.columns($0[column]) : 0 }.max() ?? 0
        }
        let room = width - Self.gap * (count - 1)
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > Self.narrowest,
            let column = widths.firstIndex(of: widest)
        {
            widths[column] -= 1
        }
        return widths
    }
}

extension Substring {
    fileprivate var withoutTrailingSpaces: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }
}
