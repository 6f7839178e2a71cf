import SynthSystem

/// The contents of a terminal, as a value: rows of styled cells. Drawing writes the difference between two values.
///
/// ncurses is not used: its windows and modes are global state that only one thread may use, tests cannot compare its
/// screens, and the few sequences that this type needs are the same on all current terminals. No colors are set, so the
/// text is readable with light and dark color schemes.
///
/// External text cannot control the terminal. Right-to-left text is written in logical order, because terminals with
/// bidirectional support reorder it.
package struct TextScreen: Equatable, Sendable {
    /// The attributes of a cell.
    package struct Style: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Style(rawValue: 1)
        package static let faint = Style(rawValue: 2)
        package static let underlined = Style(rawValue: 4)
        package static let reversed = Style(rawValue: 8)

        var sequence: String {
            let parameters = [(Style.bold, "1"), (.faint, "2"), (.underlined, "4"), (.reversed, "7")]
            return "\u{1B}[0" + parameters.filter { contains($0.0) }.map { ";" + $0.1 }.joined() + "m"
        }
    }

    struct Cell: Equatable, Sendable {
        /// The character, or nil for the right half of a wide character.
        var character: Character? = " "
        var style: Style = []
    }

    package let columns: Int
    package let rows: Int
    private var cells: [Cell]
    /// The position of the cursor, or nil to hide it.
    package var cursor: Position?

    package struct Position: Equatable, Sendable {
        let row: Int
        let column: Int
    }

    /// The maximum number of columns and rows. The rest of a larger terminal stays empty.
    private static let most = 1000

    /// An empty screen.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), Self.most)
        self.rows = min(max(rows, 1), Self.most)
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
    }

    /// Writes text into a row. Omits text that does not fit.
    ///
    /// - Parameter end: the column before which the text ends, or nil for the end of the row.
    /// - Returns: the column after the text.
    @discardableResult
    package mutating func put(
        _ text: String, row: Int, column: Int, _ style: Style = [], before end: Int? = nil
    ) -> Int {
        var column = column
        let end = min(end ?? columns, columns)
        guard (0..<rows).contains(row), column >= 0 else { return column }
        for character in CleanText.line(text) {
            let width = DisplayWidth.columns(character)
            if width == 0 { continue }
            if column + width > end { break }
            clear(row, column)
            clear(row, column + width - 1)
            cells[row * columns + column] = Cell(character: character, style: style)
            if width == 2 { cells[row * columns + column + 1] = Cell(character: nil, style: style) }
            column += width
        }
        return column
    }

    /// Sets the style of a row.
    package mutating func style(row: Int, _ style: Style) {
        guard (0..<rows).contains(row) else { return }
        for index in row * columns..<(row + 1) * columns { cells[index].style = style }
    }

    /// If half of a wide character is overwritten, clears the other half.
    private mutating func clear(_ row: Int, _ column: Int) {
        let index = row * columns + column
        if cells[index].character == nil, column > 0 { cells[index - 1].character = " " }
        if column + 1 < columns, cells[index + 1].character == nil { cells[index + 1].character = " " }
    }

    private func cells(of row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

    /// The text of the rows, without trailing spaces.
    package var lines: [String] {
        (0..<rows).map { row in
            var line = String(cells(of: row).compactMap(\.character))
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Returns the text with the given style in each row, for tests.
    package func lines(in style: Style) -> [String] {
        (0..<rows).map { row in
            String(cells(of: row).compactMap { $0.style.isSuperset(of: style) ? $0.character : nil })
        }
    }

    /// Returns the characters and control sequences that turn the shown screen into this one.
    ///
    /// - Parameter shown: the current screen of the terminal, or nil if it is unknown and everything must be drawn.
    package func changes(from shown: TextScreen?) -> String {
        let isSame = shown.map { $0.columns == columns && $0.rows == rows } ?? false
        var text = isSame ? "" : "\u{1B}[0m\u{1B}[2J"
        for row in 0..<rows {
            let own = cells(of: row)
            let before = isSame ? shown.map { Array($0.cells(of: row)) } : nil
            guard
                var first = zip(own.indices, before ?? Array(repeating: Cell(), count: columns))
                    .first(where: { own[$0.0] != $0.1 })?.0
            else { continue }
            // The terminal may give some characters a different width, so redraw the row from the first difference to
            // its end.
            while first > own.startIndex, own[first].character == nil { first -= 1 }
            let last = own.lastIndex { $0 != Cell() } ?? own.startIndex - 1
            text += "\u{1B}[\(row + 1);\(first - own.startIndex + 1)H"
            var style: Style?
            if first <= last {
                for cell in own[first...last] {
                    guard let character = cell.character else { continue }
                    if cell.style != style { text += cell.style.sequence }
                    style = cell.style
                    text.append(character)
                }
            }
            if !(style ?? [.bold]).isEmpty { text += "\u{1B}[0m" }
            text += "\u{1B}[K"
        }
        guard !isSame || cursor != shown?.cursor || !text.isEmpty else { return text }
        if let cursor { return text + "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return text + "\u{1B}[?25l"
    }
}

/// Elements that appear on several screens.
extension TextScreen {
    /// Writes as many rows of a list as fit, always including the selected row.
    ///
    /// - Parameter headings: the indexes of rows that are headings.
    package mutating func putList(
        _ list: [String], headings: Set<Int> = [], selected: Int?, in area: Range<Int>
    ) {
        guard !area.isEmpty else { return }
        let middle = (selected ?? 0) - area.count / 2
        var first = min(max(0, middle), max(0, list.count - area.count))
        // Keep the heading above the selected row visible.
        if let selected, headings.contains(selected - 1), selected - 1 < first { first = selected - 1 }
        for (row, index) in zip(area, first..<max(first, list.count)) {
            let isHeading = headings.contains(index)
            put(
                DisplayWidth.truncate(CleanText.line(list[index]), to: columns - (isHeading ? 2 : 5)), row: row,
                column: isHeading ? 1 : 3, isHeading ? .bold : [])
            if index == selected {
                put(">", row: row, column: 1)
                style(row: row, .reversed)
            }
        }
    }

    /// Writes a list of keys and their effects. On a narrow screen, an effect may take up several rows.
    ///
    /// - Parameter first: the index of the key to show in the first row. If rows at the end of the area would stay
    ///   empty, the list starts earlier.
    package mutating func putKeys(_ keys: [(key: String, meaning: String)], from first: Int, in area: Range<Int>) {
        let width = keys.reduce(0) { max($0, DisplayWidth.columns($1.key)) } + 2
        var (lines, start) = ([String](), 0)
        for (index, key) in keys.enumerated() {
            if index == first { start = lines.count }
            for (number, part) in DisplayWidth.wrap(key.meaning, to: max(8, columns - 4 - width)).enumerated() {
                lines.append(DisplayWidth.pad(number == 0 ? key.key : "", to: width) + part)
            }
        }
        for (row, line) in zip(area, lines.dropFirst(max(0, min(start, lines.count - area.count)))) {
            put(line, row: row, column: 3)
        }
    }

    /// Writes a line of text input, with the cursor at its end. If the line is too long, only its end is shown.
    package mutating func putInput(_ prompt: String, _ text: String, row: Int) {
        let room = max(1, columns - DisplayWidth.columns(prompt) - 3)
        var shown = CleanText.line(text)
        while DisplayWidth.columns(shown) > room { shown.removeFirst() }
        let column = put(prompt + shown, row: row, column: 1)
        cursor = Position(row: row, column: min(column, columns - 1))
    }

    /// Writes a note that ends in the row `last`. A long note covers up to `most` rows.
    package mutating func putNote(_ note: String, below last: Int, most: Int) {
        let width = max(1, columns - 2)
        var lines = DisplayWidth.wrap(CleanText.line(note), to: width).filter { !$0.isEmpty }
        if lines.count > most {
            lines[most - 1] = lines[(most - 1)...].joined(separator: " ")
            lines.removeSubrange(most...)
        }
        for (index, line) in lines.enumerated() {
            let row = last - lines.count + 1 + index
            put(String(repeating: " ", count: columns), row: row, column: 0)
            put(DisplayWidth.truncate(line, to: width), row: row, column: 1)
        }
    }

    /// Joins as many parts as fit into the columns, starting with the most important ones.
    ///
    /// - Parameter skips: whether to skip a part that does not fit, so that a later, shorter part may be included.
    package static func fitting(
        _ parts: [String], columns: Int, separator: String = "  ", skips: Bool = false
    ) -> String {
        var line = ""
        for part in parts {
            let longer = line.isEmpty ? part : line + separator + part
            let fits = DisplayWidth.columns(longer) <= columns
            if fits { line = longer } else if !skips { break }
        }
        return line
    }
}
