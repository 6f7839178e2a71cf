import CommandSupport
import Foundation
import SynthSystem
import Testing
import TestSupport

@Suite("The voice chooser on a terminal", .ownThreads)
struct ChooserTests {
    /// `voices choose` or another command in this process, with a terminal and a device whose clock the test advances.
    private final class Session {
        let fixture: RegistryFixture
        let terminal: DrawnTerminal
        let speaker = SteppedSpeaker()
        let command: RunningCommand

        init(
            _ fixture: RegistryFixture, columns: Int = 80, rows: Int = 24, _ words: [String] = ["voices", "choose"],
            adding variables: [String: String?] = [:]
        ) throws {
            self.fixture = fixture
            terminal = try DrawnTerminal(columns: columns, rows: rows)
            command = try fixture.home.begin(
                words, on: terminal.terminal, showsOutput: true, adding: variables, devices: speaker.devices)
        }

        func wait(for text: String) throws { try terminal.wait(for: text) }

        /// Plays until the screen contains the text.
        func play(until text: String, steps: Int = 2000) throws {
            for _ in 0..<steps {
                if terminal.lines.contains(where: { $0.contains(text) }) { return }
                speaker.play(2000, within: .milliseconds(20))
            }
            try terminal.wait(for: text, within: .zero)
        }

        /// Plays until the screen contains the text, slowly enough that a sample does not end first.
        func hear(_ text: String) throws {
            for _ in 0..<2000 {
                speaker.play(100, within: .milliseconds(20))
                if (try? terminal.wait(for: text, within: .milliseconds(50))) != nil { return }
            }
            try wait(for: text)
        }

        func finish() throws -> ChildResult {
            while !command.hasEnded { _ = terminal.lines }
            return try command.finish()
        }

        func quit() throws {
            terminal.type("q")
            #expect(try finish().code == 0)
            #expect(!terminal.isAlternate)
        }
    }

    /// A server that sends a fifth of Nature's file and then stalls.
    private func slowFixture() throws -> RegistryFixture {
        let file = RegistryFixture.pitch(330, size: 1_000_000)
        return try RegistryFixture(nature: file) { request, _ in
            guard request.path == "/nature.pitch" else { return nil }
            var answer = LoopbackServer.Answer(file, to: request)
            answer.limit = 200_000
            answer.end = .hang
            return answer
        }
    }

    @Test("The list fits the terminal and describes each voice", arguments: [(80, 24), (40, 12)])
    func list(columns: Int, rows: Int) throws {
        let session = try Session(try RegistryFixture(), columns: columns, rows: rows)
        try session.wait(for: "Ready")
        let lines = session.terminal.lines
        #expect(session.terminal.isAlternate)
        #expect(lines[1] == " Recommended")
        let nature = lines.first { $0.contains("Nature (British)") }
        #expect(nature?.contains(columns == 80 ? "100 bytes to download" : "100 bytes") == true)
        #expect((nature?.contains("female   grade A") == true) == (columns == 80))
        #expect(
            lines[rows - 5]
                == (columns == 80
                    ? " en-GB | female | grade A | tone" : " 100 bytes to download | en-GB | female"))
        #expect(lines[rows - 4] == " rate <1.00>  pitch 1.00  volume 100%")
        #expect(lines[rows - 1].hasPrefix(" Enter download  s save  ? keys  q quit"))
        #expect(session.fixture.asked.isEmpty)
        try session.quit()
    }

    @Test("Enter downloads a voice and plays a sample, and the other keys still work meanwhile")
    func sample() throws {
        let session = try Session(try RegistryFixture())
        try session.wait(for: "Ready")
        session.terminal.type("\r")
        try session.hear("Playing Nature (British)")
        #expect(session.fixture.asked == ["/nature.pitch"])
        session.terminal.type("\u{1B}[B")
        try session.wait(for: " en-US | tone")
        try session.wait(for: "Playing Nature (British)")
        try session.play(until: " Ready")
        #expect(session.speaker.played > 0)
        session.terminal.type("\u{1B}[A")
        try session.wait(for: "installed, 100 bytes")
        session.terminal.type(" ")
        try session.hear("Playing Nature (British)")
        session.terminal.type(" ")
        try session.wait(for: " Ready")
        #expect(try session.fixture.configured("engine") == "")
        try session.quit()
    }

    @Test(
        "A download shows progress and can be cancelled, and the selection can still be moved",
        arguments: ["\u{1B}", "c"])
    func download(key: String) throws {
        let session = try Session(try slowFixture())
        try session.wait(for: "Ready")
        session.terminal.type("\r")
        try session.wait(for: "20% of 1.0 MB")
        session.terminal.type("\u{1B}[B")
        try session.wait(for: " en-US | tone")
        session.terminal.type("/sine\r\r")
        try session.hear("Playing Sine")
        try session.terminal.wait(for: "both states") { lines in
            lines.contains { $0.contains("Playing Sine") && $0.contains("20% of 1.0 MB") }
        }
        session.terminal.type(key)
        try session.wait(for: "The download was stopped. Press Enter to resume.")
        try session.play(until: " Ready")
        session.terminal.type("\u{1B}")
        try session.wait(for: " left of 1.0 MB")
        try session.quit()
    }

    @Test("Quitting during a download requires confirmation once and keeps the received data")
    func quitDownload() throws {
        let session = try Session(try slowFixture())
        try session.wait(for: "Ready")
        session.terminal.type("\r")
        try session.wait(for: "20% of 1.0 MB")
        session.terminal.type("q")
        try session.wait(for: "is being downloaded. Press q again to cancel and quit.")
        try session.quit()
        #expect(!session.fixture.stored(".part").isEmpty)
    }

    @Test("A failed download is reported, and Enter retries it")
    func failure() throws {
        let fixture = try RegistryFixture { _, number in number == 0 ? .init(status: 404) : nil }
        let session = try Session(fixture)
        try session.wait(for: "Ready")
        session.terminal.type("\r")
        try session.wait(for: "404")
        session.terminal.type("\r")
        try session.hear("Playing Nature (British)")
        try session.quit()
    }

    @Test("A tuning change plays a sample, is saved with the voice, and is used by `speak`")
    func tuning() throws {
        let fixture = try RegistryFixture()
        let home = fixture.home
        #expect(try home.run("speak", "-v", "Sine", "hello", "-o", home.file("before.wav")).code == 0)
        let session = try Session(fixture)
        try session.wait(for: "Ready")
        session.terminal.type("/sine\r")
        try session.wait(for: "Voices: sine (1)")
        let opened = session.speaker.opened
        session.terminal.type("\u{1B}[C")
        try session.hear("Playing Sine")
        #expect(session.speaker.opened == opened + 1)
        // Each step stops the previous sample and starts a new one.
        session.terminal.type(String(repeating: "\u{1B}[C", count: 19))
        try session.wait(for: "rate <2.00>")
        try session.wait(for: "changes not saved")
        session.terminal.type("q")
        try session.wait(for: "Your changes to Sine are not saved.")
        session.terminal.type("s")
        try session.wait(for: "Sine is now your default voice.")
        #expect(!session.terminal.lines.contains { $0.contains("not saved") })
        try session.quit()
        try session.wait(for: "Sine is now the default voice.")
        #expect(try fixture.configured("engine") == "tone")
        #expect(try fixture.configured("profiles.Sine.rate") == "2")
        #expect(try home.run("speak", "hello", "-o", home.file("after.wav")).code == 0)
        let (before, after) = (try home.wav("before.wav").frames, try home.wav("after.wav").frames)
        #expect(abs(Double(after) * 2 / Double(before) - 1) < 0.1, "\(before) \(after)")
    }

    @Test("Favorites and hidden voices are saved, and a hidden voice can be restored in the list of all voices")
    func marks() throws {
        let session = try Session(try RegistryFixture())
        try session.wait(for: "Ready")
        session.terminal.type("\u{1B}[Bf")
        try session.wait(for: "Brook is now a favorite.")
        #expect(session.terminal.lines[1] == " Favorites")
        #expect(try session.fixture.configured("favorites").contains("brook_1"))
        session.terminal.type("h")
        try session.wait(for: "Brook is hidden.")
        #expect(session.terminal.lines[1] == " Recommended")
        #expect(try session.fixture.configured("hidden").contains("brook_1"))
        session.terminal.type("a")
        try session.wait(for: "Left")
        session.terminal.type("/brook\rh")
        try session.wait(for: "Brook is visible in lists again.")
        #expect(try !session.fixture.configured("hidden").contains("brook_1"))
        try session.quit()
    }

    @Test("Without a sound card, the reason is shown, and a voice can still be selected")
    func noDevice() throws {
        let fixture = try RegistryFixture()
        let terminal = try DrawnTerminal()
        let command = try fixture.home.begin(
            ["voices", "choose"], on: terminal.terminal, showsOutput: true, devices: .missing)
        try terminal.wait(for: "Ready")
        terminal.type("/sine\r\r")
        try terminal.wait(for: "ALSA found no sound device on this machine.")
        terminal.type("s")
        try terminal.wait(for: "Sine is now your default voice.")
        terminal.type("q")
        while !command.hasEnded { _ = terminal.lines }
        #expect(try command.finish().code == 0)
    }

    @Test("After the terminal has been resized, the next key redraws the screen")
    func resize() throws {
        let session = try Session(try RegistryFixture())
        try session.wait(for: "Ready")
        session.terminal.resize(columns: 40, rows: 12)
        session.terminal.type("\u{1B}[B")
        try session.terminal.wait(for: "a smaller screen") { lines in
            lines.count == 12 && lines[11].hasPrefix(" Enter download") && lines[7].contains("| en-US")
        }
        try session.quit()
    }

    @Test(
        "A signal or Ctrl-C terminates the command and restores the terminal", arguments: [SIGINT, SIGTERM, SIGHUP, 0])
    func signal(signal: Int32) throws {
        let session = try Session(try slowFixture())
        try session.wait(for: "Ready")
        session.terminal.type("\r")
        try session.wait(for: "20% of 1.0 MB")
        if signal == 0 { session.terminal.type("\u{3}") } else { session.command.interrupt(by: signal) }
        #expect(try session.finish().code == 128 + (signal == 0 ? SIGINT : signal))
        #expect(!session.terminal.isAlternate)
    }

    @Test("`setup` asks its question first, and other voices can be selected in the chooser")
    func setup() throws {
        let session = try Session(try RegistryFixture(), ["setup"])
        try session.wait(for: "Enter for 1:")
        #expect(!session.terminal.isAlternate)
        session.terminal.type("2\n")
        try session.wait(for: "Ready")
        #expect(session.terminal.isAlternate)
        session.terminal.type("\u{1B}[Bs")
        try session.wait(for: "Brook is now your default voice.")
        try session.quit()
        try session.wait(for: "To use it, type: synthhost speak \"Hello\"")
        #expect(try session.fixture.configured("voices.tone") == "Brook")
        let unchanged = try Session(try RegistryFixture(), ["setup"])
        try unchanged.wait(for: "Enter for 1:")
        unchanged.terminal.type("2\n")
        try unchanged.wait(for: "Ready")
        try unchanged.quit()
        try unchanged.wait(for: "Nothing was changed.")
    }

    // MARK: - Numbered questions

    @Test("With --plain, all questions are numbered lists without control sequences")
    func plain() throws {
        let fixture = try RegistryFixture(devices: .silent)
        let screen = try Screen(columns: 200)
        let process = try fixture.begin("voices", "choose", "--plain", on: screen)
        func answer(_ text: String, to question: String) throws {
            try screen.wait(for: question)
            screen.terminal.type(text + "\n")
        }
        let list = "a for all voices, /WORD to find voices, Enter to quit:"
        try screen.wait(for: "Recommended:\r\n")
        try screen.wait(for: "Nature (British), en-GB, female, grade A, 100 bytes to download\r\n")
        try answer("a", to: list)
        try screen.wait(for: "Left, en-US")
        try answer("/brook", to: "a for the short list, /WORD to find voices, Enter to quit:")
        try answer("99", to: "1-1 for a voice")
        try answer("Brook", to: "Please enter a number from 1 to 1.")
        try answer("2", to: "1-8, Enter for 1:")
        try answer("y", to: "Download Brook (100 bytes) now? [Y/n]")
        try screen.wait(for: "Brook is ready.")
        try answer("3", to: "Change the rate, now 1.00")
        try answer("fast", to: "The rate, such as 1.2 or +20%:")
        try screen.wait(for: "The rate must be a factor from 0.25 to 4")
        try answer("3", to: "1-8, Enter for 1:")
        try answer("+50%", to: "The rate, such as 1.2 or +20%:")
        try answer("6", to: "Change the rate, now 1.50")
        try answer("", to: "Remove it from the favorites")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(screen.text.contains("Brook is now the default voice."))
        #expect(!screen.text.contains("\u{1B}"))
        #expect(try fixture.configured("voices.tone") == "Brook")
        #expect(try fixture.configured("profiles.Brook.rate") == "1.5")
        #expect(try fixture.configured("favorites").contains("brook_1"))
    }

    @Test(
        "Enter ends the questions without changing anything, and Ctrl-D cancels the command",
        arguments: ["\n", "\u{4}"])
    func leave(typed: String) throws {
        let fixture = try RegistryFixture(devices: .silent)
        let screen = try Screen(columns: 200)
        let process = try fixture.begin("voices", "choose", "--plain", on: screen)
        try screen.wait(for: "Enter to quit:")
        screen.terminal.type(typed)
        #expect(try screen.finish(process).code == (typed == "\n" ? 0 : 130))
        #expect(try fixture.configured("engine") == "")
    }

    // MARK: - As a process

    private func start(on terminal: DrawnTerminal) throws -> ChildProcess {
        let stream = ChildProcess.Stream.terminal(terminal.terminal)
        let home = try UserHome()
        let process = try home.start(
            ["voices", "choose"], adding: ["SWIFT_BACKTRACE": "enable=no"], input: stream, output: stream,
            errors: stream)
        try terminal.wait(for: " Ready")
        return process
    }

    @Test(
        "The terminal is restored after each signal that terminates the chooser", arguments: [SIGTERM, SIGHUP, SIGSEGV])
    func endingSignal(signal: Int32) throws {
        let terminal = try DrawnTerminal()
        func modes() -> tcflag_t {
            var settings = termios()
            tcgetattr(terminal.terminal.user, &settings)
            return settings.c_lflag
        }
        let before = modes()
        let process = try start(on: terminal)
        #expect(modes() & tcflag_t(ICANON | ECHO) == 0)
        process.signal(signal)
        let result = try process.finish()
        if signal == SIGSEGV { #expect(result.signal == signal) } else { #expect(result.code == 128 + signal) }
        #expect(modes() == before)
        #expect(!terminal.isAlternate)
    }

    @Test("Closing the terminal closes the chooser, and resizing the terminal redraws it immediately")
    func closed() throws {
        var terminal: DrawnTerminal? = try DrawnTerminal()
        let process = try start(on: try #require(terminal))
        terminal?.resize(columns: 40, rows: 12)
        try terminal?.wait(for: "a smaller screen") { $0.count == 12 && $0[11].contains("? keys") }
        terminal = nil
        let result = try process.finish()
        #expect(result.code == 129 || result.code == 0, "\(result)")
    }
}
