import CommandSupport
import Foundation
import SynthSystem
import Testing
import TestSupport

@Suite("The reader as a separate process", .ownThreads)
struct ReaderProcessTests {
    private static let text = (1...400).map { "This is the sentence with the number \($0)." }.joined(separator: " ")

    /// Starts a reader with a slow engine, which takes most of a second per sentence, and waits until it speaks.
    private func start(_ home: UserHome, on terminal: DrawnTerminal, _ words: String...) throws -> ChildProcess {
        try home.install("reed")
        try home.write("pcm.!default { type null }\n", to: "asound.conf")
        try home.write(Self.text, to: "text.txt")
        let stream = ChildProcess.Stream.terminal(terminal.terminal)
        let process = try home.start(
            ["read", "-v", "Slow"] + words + [home.file("text.txt")],
            adding: ["XDG_RUNTIME_DIR": home.file("run"), "SWIFT_BACKTRACE": "enable=no"], input: stream,
            output: stream, errors: stream)
        try terminal.wait(for: "the voice") { lines in
            lines.contains { $0.hasPrefix(" Speaking") || $0.hasPrefix(" Buffering") }
        }
        return process
    }

    private func modes(_ terminal: DrawnTerminal) -> tcflag_t {
        var settings = termios()
        tcgetattr(terminal.terminal.user, &settings)
        return settings.c_lflag
    }

    @Test(
        "The terminal is restored after each signal that terminates the reader",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT, SIGTRAP])
    func signals(signal: Int32) throws {
        let home = try UserHome()
        let terminal = try DrawnTerminal()
        let before = modes(terminal)
        let process = try start(home, on: terminal)
        #expect(modes(terminal) & tcflag_t(ICANON | ECHO) == 0)
        #expect(terminal.isAlternate)
        process.signal(signal)
        let result = try process.finish()
        if [SIGINT, SIGTERM, SIGHUP].contains(signal) {
            #expect(result.code == 128 + signal)
        } else {
            #expect(result.signal == signal)
        }
        #expect(modes(terminal) == before)
        #expect(!terminal.isAlternate)
    }

    @Test("Resizing the terminal redraws the screen immediately")
    func resize() throws {
        let home = try UserHome()
        let terminal = try DrawnTerminal()
        let process = try start(home, on: terminal)
        terminal.resize(columns: 40, rows: 12)
        try terminal.wait(for: "a smaller screen") { $0.count == 12 && $0[11].hasPrefix(" Space") }
        terminal.type("q")
        #expect(try process.finish().code == 0)
    }

    @Test("Closing the terminal closes the reader, and the position is saved")
    func closed() throws {
        let home = try UserHome()
        var terminal: DrawnTerminal? = try DrawnTerminal()
        let process = try start(home, on: try #require(terminal))
        terminal = nil
        let result = try process.finish()
        #expect(result.code == 129 || result.code == 0, "\(result)")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: home.file("state/synthhost/reading")).isEmpty)
    }

    @Test("`synthhost stop` terminates the reader but no other process")
    func stop() throws {
        let home = try UserHome()
        let terminal = try DrawnTerminal()
        let variables: [String: String?] = ["XDG_RUNTIME_DIR": home.file("run")]
        let none = try home.run("stop", adding: variables)
        #expect(none.code == 1 && none.errors.contains("Nothing is playing."))
        let process = try start(home, on: terminal)
        // A marker file that is not locked is stale, even if a process with this ID exists.
        try home.write("read", to: "run/synthhost/playing/\(getpid())")
        try home.write("read", to: "run/synthhost/playing/999999999")
        let stopped = try home.run("stop", adding: variables)
        #expect(stopped.code == 0 && stopped.errors == "Stopped synthhost read.\n")
        #expect(try process.finish().code == 143)
        #expect(!home.exists("run/synthhost/playing/\(process.identifier)"))
        #expect(!home.exists("run/synthhost/playing/999999999"))
        #expect(try home.run("stop", adding: variables).code == 1)
    }

    @Test("`synthhost stop` also terminates `synthhost speak` unless that command is writing to a file")
    func stopSpeak() throws {
        let home = try UserHome()
        try home.install("reed")
        try home.write("pcm.!default { type null }\n", to: "asound.conf")
        let variables: [String: String?] = ["XDG_RUNTIME_DIR": home.file("run")]
        let writing = try home.start(["speak", "-v", "Slow", "-o", home.file("x.wav"), Self.text], adding: variables)
        let speaking = try home.start(["speak", "-v", "Slow", Self.text], adding: variables)
        let mark = "run/synthhost/playing/\(speaking.identifier)"
        try speaking.wait("its mark") { _ in home.exists(mark) }
        var stopped = try home.run("stop", "-q", adding: variables)
        // The marker file may exist but not be locked yet.
        while stopped.code == 1 { stopped = try home.run("stop", "-q", adding: variables) }
        #expect(stopped.code == 0 && stopped.errors.isEmpty)
        #expect(try speaking.finish().code == 143)
        #expect(!writing.hasEnded)
        writing.signal(SIGTERM)
        _ = try writing.finish()
    }

    @Test("The marker file of a killed player is removed by the next player")
    func staleMark() throws {
        let home = try UserHome()
        try home.install("reed")
        try home.write("pcm.!default { type null }\n", to: "asound.conf")
        let variables: [String: String?] = ["XDG_RUNTIME_DIR": home.file("run")]
        let speaking = try home.start(["speak", "-v", "Slow", Self.text], adding: variables)
        let mark = "run/synthhost/playing/\(speaking.identifier)"
        try speaking.wait("its mark") { _ in home.exists(mark) }
        speaking.signal(SIGKILL)
        #expect(try speaking.finish().signal == SIGKILL)
        #expect(home.exists(mark))
        let next = try home.start(["speak", "-v", "Slow", "One."], adding: variables).finish()
        #expect(next.code == 0, "\(next.errors)")
        #expect(!home.exists(mark))
    }
}
