import SynthSystem

/// Rows of text under a header, aligned in columns. Columns without any text are omitted.
package struct Table: Sendable {
    /// A column with its header.
    package struct Column: Sendable {
        /// The alignment of a column.
        package enum Alignment: Sendable { case leading, trailing }

        /// How a column is treated if lines are too long.
        package enum Priority: Sendable {
            /// Columns that are dropped first when space is short, starting with the rightmost one.
            case detail
            /// Columns that are narrowed after the detail columns have been dropped, starting with the widest one.
            case ordinary
            /// Columns that contain text for the user to type. They are narrowed last.
            case name
        }

        package let title: String
        package let alignment: Alignment
        package let priority: Priority
        /// The minimum width to which the column may be narrowed.
        package let narrowest: Int

        package init(
            _ title: String, alignment: Alignment = .leading, priority: Priority = .ordinary, narrowest: Int = 8
        ) {
            self.title = title
            self.alignment = alignment
            self.priority = priority
            self.narrowest = narrowest
        }
    }

    package let columns: [Column]
    package private(set) var rows: [[String]] = []

    private static let gap = 2

    package init(columns: [Column], rows: [[String]] = []) {
        self.columns = columns
        self.rows = rows.map { row in Self.fit(row, count: columns.count) }
    }

    /// Appends a row. Missing cells are empty, and extra cells are dropped.
    package mutating func append(_ row: [String]) {
        rows.append(Self.fit(row, count: columns.count))
    }

    /// Formats the table to fit the width of a terminal. For any other output, the table has its full width.
    package func render(for output: TextOutput) -> String {
        render(width: output.style.isTerminal ? output.width : nil)
    }

    /// Returns the header and the rows, each with a newline and without trailing spaces.
    ///
    /// - Parameter width: the maximum line length, or nil for no limit. `Column.Priority` decides which columns shrink.
    package func render(width: Int?) -> String {
        let layout = layout(within: width)
        var text = ""
        for cells in [columns.map(\.title)] + rows {
            var line = ""
            for (position, (index, room)) in layout.enumerated() {
                let clipped = DisplayWidth.truncate(cells[index], to: room)
                line += String(repeating: " ", count: position == 0 ? 0 : Self.gap)
                line += DisplayWidth.pad(clipped, to: room, trailing: columns[index].alignment == .leading)
            }
            while line.last == " " { line.removeLast() }
            text += (width.map { DisplayWidth.truncate(line, to: $0) } ?? line) + "\n"
        }
        return text
    }

    /// Returns the visible columns and their widths.
    private func layout(within limit: Int?) -> [(index: Int, width: Int)] {
        var layout = columns.indices.filter { index in rows.isEmpty || rows.contains { !$0[index].isEmpty } }
            .map { index in
                (
                    index: index,
                    width: rows.reduce(DisplayWidth.columns(columns[index].title)) {
                        max($0, DisplayWidth.columns($1[index]))
                    }
                )
            }
        guard let limit else { return layout }
        func surplus() -> Int { layout.reduce(Self.gap * (layout.count - 1) - limit) { $0 + $1.width } }
        while surplus() > 0, let position = layout.lastIndex(where: { columns[$0.index].priority == .detail }) {
            layout.remove(at: position)
        }
        for priority in [Column.Priority.ordinary, .name] {
            while case let surplus = surplus(), surplus > 0 {
                let yielding = layout.indices.filter { position in
                    let column = columns[layout[position].index]
                    return column.priority == priority && layout[position].width > column.narrowest
                }.sorted { layout[$0].width > layout[$1].width }
                guard let widest = yielding.first else { break }
                let next = yielding.dropFirst().first.map { layout[$0].width } ?? 0
                let least = max(next, columns[layout[widest].index].narrowest)
                layout[widest].width -= min(surplus, max(1, layout[widest].width - least))
            }
        }
        return layout
    }

    private static func fit(_ row: [String], count: Int) -> [String] {
        (0..<count).map { $0 < row.count ? CleanText.line(row[$0]) : "" }
    }
}
