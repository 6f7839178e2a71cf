import Glibc
package import TestSupport

/// A terminal's output over time.
package final class Screen {
    /// Thrown if the expected text does not appear in time.
    package struct TimeOut: Error, CustomStringConvertible {
        package let description: String
    }

    package let terminal: PseudoTerminal
    private var shown: [UInt8] = []
    package var text: String { String(decoding: shown, as: UTF8.self) }
    /// The number of bytes up to the end of the most recently found text.
    private var seen = 0

    package init(columns: UInt16 = 80) throws {
        terminal = try PseudoTerminal()
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.user, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until the text appears after the most recently found text.
    package func wait(for wanted: String, within limit: Duration = .seconds(300)) throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let fresh = String(decoding: shown.dropFirst(seen), as: UTF8.self)
            if let location = fresh.firstRange(of: wanted) {
                seen += fresh[..<location.upperBound].utf8.count
                return
            }
            guard ContinuousClock.now < deadline else {
                throw TimeOut(description: "Waited for “\(wanted)” and saw: \(text)")
            }
            readNew()
        }
    }

    /// Waits for the end of a program that prints its messages to this terminal.
    package func finish(_ process: some RunningProgram) throws -> ChildResult {
        let deadline = ContinuousClock.now + .seconds(300)
        while !process.hasEnded, ContinuousClock.now < deadline { readNew() }
        let result = try process.finish()
        shown += terminal.bytes()
        return result
    }

    /// Waits briefly for new output and reads it.
    private func readNew() {
        var request = pollfd(fd: terminal.user, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, 20)
        shown += terminal.bytes()
    }

    /// All lines drawn so far, without control sequences.
    package var drawn: [String] {
        text.replacing("\u{1B}[K", with: "").split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.map(String.init)
    }

    /// Returns the number before an item in a list.
    package func lineNumber(of text: String) throws -> Int {
        try wait(for: ": ")
        let line = drawn.last { $0.contains(text) }
        guard let number = line?.split(separator: " ").first.flatMap({ Int($0) }) else {
            throw TimeOut(description: "There is no line with \(text): \(self.text)")
        }
        return number
    }
}
