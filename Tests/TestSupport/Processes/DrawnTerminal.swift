import Glibc
import SynthSystem

/// A pseudo-terminal that interprets its output. It supports only the control sequences that this project's programs use.
package final class DrawnTerminal {
    package struct TimeOut: Error, CustomStringConvertible {
        package let description: String
    }

    package let terminal: PseudoTerminal
    private var drawing: Drawing
    private var bytes: [UInt8] = []

    package init(columns: Int = 80, rows: Int = 24) throws {
        terminal = try PseudoTerminal()
        drawing = Drawing(columns: columns, rows: rows)
        resize(columns: columns, rows: rows)
    }

    package func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.user, UInt(TIOCSWINSZ), &size)
        drawing.resize(columns: columns, rows: rows)
    }

    package func type(_ text: String) { terminal.type(text) }

    /// The current rows, without trailing spaces.
    package var lines: [String] {
        read()
        return drawing.lines
    }

    /// Whether the program is using the alternate screen.
    package var isAlternate: Bool {
        read()
        return drawing.isAlternate
    }

    /// Waits until the rows satisfy a condition.
    @discardableResult
    package func wait(
        for what: String, within limit: Duration = .seconds(300), until isDone: ([String]) -> Bool
    ) throws -> [String] {
        let deadline = ContinuousClock.now + limit
        while true {
            let lines = lines
            if isDone(lines) { return lines }
            guard ContinuousClock.now < deadline else {
                throw TimeOut(description: "Waited for \(what) and saw:\n\(lines.joined(separator: "\n"))")
            }
            _ = try Poll.wait([(terminal.user, events: POLLIN)], timeout: .milliseconds(20))
        }
    }

    /// Waits until the screen contains the text.
    @discardableResult
    package func wait(for text: String, within limit: Duration = .seconds(300)) throws -> [String] {
        try wait(for: text, within: limit) { $0.contains { $0.contains(text) } }
    }

    private func read() {
        bytes += terminal.bytes()
        // The last character may be incomplete.
        var whole = bytes.count
        if let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 {
            let length = bytes[start] < 0xE0 ? 2 : bytes[start] < 0xF0 ? 3 : 4
            if start + length > bytes.count { whole = start }
        }
        drawing.take(String(decoding: bytes[..<whole], as: UTF8.self))
        bytes.removeFirst(whole)
    }
}

/// The screen contents of a terminal after it has received text with control sequences.
package struct Drawing {
    private var columns: Int
    private var rows: Int
    private var cells: [[String]]
    private var styles: [[String]]
    private var style = ""
    private var (row, column) = (0, 0)
    private var pending = ""
    package private(set) var isAlternate = false
    package private(set) var isCursorShown = true

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        styles = Array(repeating: Array(repeating: "", count: columns), count: rows)
    }

    package mutating func resize(columns: Int, rows: Int) {
        let alternate = isAlternate
        self = Drawing(columns: columns, rows: rows)
        isAlternate = alternate
    }

    package var lines: [String] {
        cells.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Returns the parts of a row that have this SGR parameter.
    package func text(row: Int, with parameter: String) -> String {
        zip(cells[row], styles[row]).filter { $0.1.split(separator: ";").contains(parameter[...]) }.map(\.0).joined()
    }

    package mutating func take(_ text: String) {
        var rest = (pending + text)[...]
        pending = ""
        while let character = rest.first {
            if character == "\u{1B}" {
                guard let end = rest.dropFirst(2).firstIndex(where: { $0.isLetter }), rest.dropFirst().first == "["
                else {
                    // The sequence continues in the text that arrives next.
                    pending = String(rest)
                    return
                }
                let start = rest.index(rest.startIndex, offsetBy: 2)
                control(String(rest[start..<end]), rest[end])
                rest = rest[rest.index(after: end)...]
                continue
            }
            rest.removeFirst()
            if character.isNewline {
                (row, column) = (min(row + 1, rows - 1), 0)
            } else {
                let width = DisplayWidth.columns(character)
                guard row < rows, column + width <= columns, width > 0 else { continue }
                cells[row][column] = String(character)
                styles[row][column] = style
                if width == 2 { (cells[row][column + 1], styles[row][column + 1]) = ("", style) }
                column += width
            }
        }
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch final {
        case "H": (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
        case "J":
            let alternate = isAlternate
            self = Drawing(columns: columns, rows: rows)
            isAlternate = alternate
        case "K":
            guard row < rows else { return }
            for index in column..<max(column, columns) { (cells[row][index], styles[row][index]) = (" ", "") }
        case "m": style = parameters
        case "h", "l":
            if parameters == "?1049" {
                self = Drawing(columns: columns, rows: rows)
                isAlternate = final == "h"
            }
            if parameters == "?25" { isCursorShown = final == "h" }
        default: break
        }
    }
}
