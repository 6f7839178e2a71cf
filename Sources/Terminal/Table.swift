/// Rows of text under a header, aligned in columns.
package struct Table: Sendable {
    package struct Column: Sendable {
        package enum Alignment: Sendable { case leading, trailing }

        package let title: String
        package let alignment: Alignment

        package init(_ title: String, alignment: Alignment = .leading) {
            self.title = title
            self.alignment = alignment
        }
    }

    package let columns: [Column]
    package private(set) var rows: [[String]] = []

    private static let gap = 2
    /// A column is not squeezed below this, so that names stay recognisable.
    private static let narrowest = 8

    package init(columns: [Column], rows: [[String]] = []) {
        self.columns = columns
        self.rows = rows.map { row in Self.fit(row, count: columns.count) }
    }

    /// Missing cells are empty, surplus cells are left out.
    package mutating func append(_ row: [String]) {
        rows.append(Self.fit(row, count: columns.count))
    }

    /// The table for one output: clipped to the width of a terminal, whole everywhere else.
    package func render(for output: TextOutput) -> String {
        render(width: output.style.isTerminal ? output.width : nil)
    }

    /// Header and rows, each line ended by a newline and without trailing spaces.
    ///
    /// - Parameter width: columns that no line exceeds; the widest columns give way first. Nil clips nothing.
    package func render(width: Int?) -> String {
        let widths = columnWidths(within: width)
        var text = ""
        for cells in [columns.map(\.title)] + rows {
            var line = ""
            for (index, cell) in cells.enumerated() {
                let clipped = DisplayWidth.truncate(cell, to: widths[index])
                let gap = index == 0 ? 0 : Self.gap
                line += String(repeating: " ", count: gap)
                line += DisplayWidth.pad(
                    clipped, to: widths[index], trailing: columns[index].alignment == .leading)
            }
            while line.last == " " { line.removeLast() }
            text += (width.map { DisplayWidth.truncate(line, to: $0) } ?? line) + "\n"
        }
        return text
    }

    private func columnWidths(within limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            rows.reduce(DisplayWidth.columns(columns[index].title)) { max($0, DisplayWidth.columns($1[index])) }
        }
        guard let limit else { return widths }
        var surplus = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - limit
        while surplus > 0 {
            let ordered = widths.indices.sorted { widths[$0] > widths[$1] }
            guard let widest = ordered.first, widths[widest] > Self.narrowest else { break }
            let next = ordered.dropFirst().first.map { widths[$0] } ?? 0
            let step = min(surplus, max(1, widths[widest] - max(next, Self.narrowest)))
            widths[widest] -= step
            surplus -= step
        }
        return widths
    }

    private static func fit(_ row: [String], count: Int) -> [String] {
        (0..<count).map { $0 < row.count ? CleanText.line(row[$0]) : "" }
    }
}
