import Glibc
import SynthTerminal
import Testing
import TestSupport

@Suite struct PromptTests {
    private let terminal: PseudoTerminal
    private let prompt: Prompt

    init() throws {
        terminal = try PseudoTerminal()
        prompt = Prompt(input: terminal.program, output: TextOutput(descriptor: terminal.program))
        // The kernel may delay the echo of typed characters, even into the middle of a question.
        var modes = termios()
        try #require(tcgetattr(terminal.program, &modes) == 0)
        modes.c_lflag &= ~tcflag_t(ECHO)
        try #require(tcsetattr(terminal.program, TCSANOW, &modes) == 0)
    }

    @Test("Yes and no are accepted, and Enter selects the default")
    func confirms() throws {
        terminal.type("YES\nn\n\n\n")
        #expect(try prompt.confirm("Download 63.2 MB?", default: false))
        #expect(try !prompt.confirm("Download 63.2 MB?", default: true))
        #expect(try prompt.confirm("Go on?", default: true))
        #expect(try !prompt.confirm("Go on?", default: false))
        #expect(terminal.screen().contains("Download 63.2 MB? [y/N] "))
    }

    @Test("A question accepts answers in English and in the language of the phrase book")
    func translated() throws {
        let book = PhraseBook([
            "yes": "ja", "no": "nein", "[Y/n]": "[J/n]", "1-%1, Enter for %2": "1-%1, Eingabe für %2",
        ])
        let prompt = Prompt(
            input: terminal.program, output: TextOutput(descriptor: terminal.program), interruption: nil, book)
        for (answer, expected) in [("j", true), ("JA", true), ("y", true), ("nein", false), ("n", false), ("", true)] {
            terminal.type(answer + "\n")
            #expect(try prompt.confirm("Herunterladen?", default: true) == expected)
        }
        terminal.type("2\n")
        #expect(try prompt.choose("Welche?", from: ["a", "b"], default: 0) == 1)
        let screen = terminal.screen()
        #expect(screen.contains("Herunterladen? [J/n] ") && screen.contains("1-2, Eingabe für 1: "))
    }

    @Test("In plain mode, a question is a complete line")
    func plain() throws {
        let plain = Prompt(input: terminal.program, output: TextOutput(descriptor: terminal.program).plain)
        terminal.type("y\n1\n")
        #expect(try plain.confirm("Go on?", default: false))
        #expect(try plain.choose("Which?", from: ["a", "b"]) == 0)
        let screen = terminal.screen()
        #expect(screen.contains("Go on? [y/N]\r\n") && screen.contains("1-2, Enter for none:\r\n"))
        #expect(!screen.contains("\u{1B}"))
    }

    @Test("A question is repeated until it is answered")
    func asksAgain() throws {
        terminal.type("perhaps\ny\n")
        #expect(try prompt.confirm("Go on?", default: false))
        #expect(terminal.screen().contains("Please answer y or n."))
    }

    @Test(
        "The end of the input does not count as an answer, even in the middle of a line or after an invalid answer",
        arguments: ["\u{4}", "y\u{4}\u{4}", "1\u{4}\u{4}", "perhaps\n\u{4}"])
    func endOfInput(typed: String) throws {
        for preset in [true, false] {
            terminal.type(typed)
            #expect(throws: TerminalError.cancelled) { try prompt.confirm("Go on?", default: preset) }
        }
        for preset in [nil, 1] {
            terminal.type(typed)
            #expect(throws: TerminalError.cancelled) {
                try prompt.choose("Which?", from: ["a", "b"], default: preset)
            }
        }
    }

    @Test("The end of a pipe does not count as an answer", arguments: ["", "y", "perhaps"])
    func endOfPipe(written: String) throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], written, written.utf8.count) == written.utf8.count)
        close(ends[1])
        let piped = Prompt(input: ends[0], output: TextOutput(style: .plain, send: { _ in }))
        #expect(throws: TerminalError.cancelled) { try piped.confirm("Go on?", default: true) }
    }

    @Test("An invalid answer never selects the default")
    func neverAnswered() throws {
        terminal.type(String(repeating: "perhaps\n", count: 5))
        #expect(throws: TerminalError.cancelled) { try prompt.confirm("Go on?", default: true) }
        terminal.type(String(repeating: "perhaps\n", count: 5))
        #expect(throws: TerminalError.cancelled) { try prompt.choose("Which?", from: ["a", "b"], default: 0) }
    }

    @Test("Options can be selected by number or name or skipped")
    func chooses() throws {
        terminal.type("2\nheart\n\n\n9\n1\n")
        let voices = ["Amy", "Heart"]
        #expect(try prompt.choose("Which voice?", from: voices) == 1)
        #expect(try prompt.choose("Which voice?", from: voices) == 1)
        #expect(try prompt.choose("Which voice?", from: voices) == nil)
        #expect(try prompt.choose("Which voice?", from: voices, default: 1) == 1)
        #expect(try prompt.choose("Which voice?", from: voices) == 0)
        #expect(terminal.screen().contains("Please enter a number from 1 to 2."))
    }

    @Test("After a question has been interrupted, the terminal is still in line mode")
    func interrupts() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let interruptible = Prompt(
            input: terminal.program, output: TextOutput(descriptor: terminal.program), interruption: ends[0])
        var before = termios()
        var after = termios()
        tcgetattr(terminal.program, &before)
        #expect(write(ends[1], "x", 1) == 1)
        #expect(throws: TerminalError.interrupted) { try interruptible.confirm("Go on?", default: true) }
        tcgetattr(terminal.program, &after)
        #expect(before.c_lflag == after.c_lflag)
        #expect(after.c_lflag & tcflag_t(ICANON) != 0)
    }

    @Test("Input after the answer is left for the next reader")
    func leavesTheRest() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(write(ends[1], "y\nrest", 6) == 6)
        let piped = Prompt(input: ends[0], output: TextOutput(style: .plain, send: { _ in }))
        #expect(try piped.confirm("Go on?", default: false))
        var rest = [UInt8](repeating: 0, count: 8)
        #expect(read(ends[0], &rest, 8) == 4)
    }
}
