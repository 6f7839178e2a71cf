import Glibc
import SynthTerminal
import Testing
import TestSupport

@Suite struct TerminalStyleTests {
    private func style(isTerminal: Bool = true, _ environment: [String: String]) -> TerminalStyle {
        TerminalStyle(isTerminal: isTerminal, environment: { environment[$0] })
    }

    @Test("Color and animation are used on a terminal")
    func terminal() {
        #expect(style(["TERM": "xterm"]) == TerminalStyle(isTerminal: true, allowsColor: true, allowsAnimation: true))
    }

    @Test("NO_COLOR disables color unless it is empty but does not affect animation")
    func noColor() {
        #expect(!style(["NO_COLOR": "1"]).allowsColor)
        #expect(style(["NO_COLOR": "1"]).allowsAnimation)
        #expect(style(["NO_COLOR": ""]).allowsColor)
    }

    @Test("Neither color nor animation is used on a dumb terminal or when writing to a pipe")
    func dumb() {
        #expect(!style(["TERM": "dumb"]).allowsColor)
        #expect(!style(["TERM": "dumb"]).allowsAnimation)
        #expect(style(isTerminal: false, [:]) == .plain)
    }

    @Test("SYNTHHOST_PLAIN disables color and animation on a terminal", arguments: ["1", "yes", "", "0"])
    func plain(value: String) {
        let asks = ["1", "yes"].contains(value)
        #expect(style(["TERM": "xterm", "SYNTHHOST_PLAIN": value]).allowsAnimation == !asks)
        #expect(style(["TERM": "xterm", "SYNTHHOST_PLAIN": value]).allowsColor == !asks)
        #expect(style(["SYNTHHOST_PLAIN": value]).isTerminal)
        #expect(style(["TERM": "xterm"]).withoutDrawing == style(["SYNTHHOST_PLAIN": "1"]))
    }

    @Test("Emphasis is omitted if color is disabled")
    func emphasis() {
        #expect(TerminalStyle.plain.emphasize("x", as: .failure) == "x")
        #expect(style([:]).emphasize("x", as: .failure) == "\u{1B}[31mx\u{1B}[0m")
    }

    @Test("Without a terminal, the width is taken from COLUMNS, with a default of 80")
    func columns() {
        #expect(TerminalStyle.columns(of: -1, environment: { $0 == "COLUMNS" ? "132" : nil }) == 132)
        #expect(TerminalStyle.columns(of: -1, environment: { _ in "zero" }) == 80)
        #expect(TerminalStyle.columns(of: -1, environment: { _ in "-3" }) == 80)
    }

    @Test("A pseudo-terminal is a terminal, and its width is used")
    func pseudoTerminal() throws {
        let terminal = try PseudoTerminal()
        var size = winsize(ws_row: 24, ws_col: 97, ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(terminal.user, UInt(TIOCSWINSZ), &size) == 0)
        #expect(TerminalStyle(descriptor: terminal.program, environment: { _ in nil }).isTerminal)
        #expect(TerminalStyle.columns(of: terminal.program) == 97)
    }
}
