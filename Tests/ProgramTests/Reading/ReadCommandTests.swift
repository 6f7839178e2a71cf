import CommandSupport
import Foundation
import SynthAudio
import SynthSystem
import Testing
import TestSupport

@testable import synthhost_cli

@Suite("Reading on a terminal", .ownThreads)
struct ReadCommandTests {
    private static let book = """
        # The first chapter

        Anna opens the old door. Bruno sees a long corridor behind it. Nobody says a word.

        Clara lights a lamp.

        # The second chapter

        Dora closes the door again. Emil goes home.
        """

    /// The `read` command in this process, with a terminal and a device whose clock the test advances.
    private final class Session {
        let home: UserHome
        let terminal: DrawnTerminal
        let speaker = SteppedSpeaker()
        let command: RunningCommand

        init(
            _ home: UserHome, columns: Int = 80, rows: Int = 24, adding variables: [String: String?] = [:],
            _ words: String...
        ) throws {
            self.home = home
            terminal = try DrawnTerminal(columns: columns, rows: rows)
            command = try home.begin(
                ["read"] + words, on: terminal.terminal, showsOutput: true, adding: variables,
                devices: speaker.devices)
        }

        /// Plays until the screen contains the text.
        func play(until text: String, steps: Int = 2000) throws {
            try speaker.play(until: text, steps: steps, on: terminal)
        }

        func finish() throws -> ChildResult {
            while !command.hasEnded { _ = terminal.lines }
            return try command.finish()
        }
    }

    private func home() throws -> UserHome {
        let home = try UserHome()
        try home.write(Self.book, to: "book.md")
        return home
    }

    @Test("The screen shows the text, and keys control playback", arguments: [(80, 24), (40, 12)])
    func keys(columns: Int, rows: Int) throws {
        let home = try home()
        let session = try Session(home, columns: columns, rows: rows, "-e", "tone", home.file("book.md"))
        try session.play(until: "Speaking | ")
        #expect(session.terminal.isAlternate)
        let first = session.terminal.lines
        #expect(first.contains(" The first chapter"))
        #expect(first[rows - 1].contains("Space pause  ? keys  q quit"))
        session.terminal.type(" ")
        try session.terminal.wait(for: "Paused | ")
        #expect(session.speaker.opened == 1)
        session.terminal.type(" ")
        try session.play(until: "Speaking | ")
        for _ in 0..<2000 where session.speaker.opened < 2 { session.speaker.play(500, within: .milliseconds(20)) }
        #expect(session.speaker.opened == 2)
        session.terminal.type("]]")
        try session.terminal.wait(for: columns == 80 ? "tempo 1.2" : "Speaking")
        session.terminal.type("t")
        try session.terminal.wait(for: "Contents")
        session.terminal.type("\u{1B}[B\r")
        try session.terminal.wait(for: ": The second")
        try session.play(until: "Finished | 100%")
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
        #expect(!session.terminal.isAlternate)
    }

    @Test("With a German locale, the reader's interface is in German")
    func german() throws {
        let home = try home()
        let session = try Session(home, adding: ["LANG": "de_DE.UTF-8"], "-e", "tone", home.file("book.md"))
        try session.play(until: "Liest vor | ")
        session.terminal.type(" ")
        try session.terminal.wait(for: "Angehalten | ")
        try session.terminal.wait(for: "Leertaste weiter  ? Tasten  q beenden")
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
    }

    @Test("The position in a text is restored even if the file has been moved")
    func remembered() throws {
        let home = try home()
        let session = try Session(home, "-e", "tone", home.file("book.md"))
        try session.play(until: "Speaking | ")
        session.terminal.type("\u{1B}[F")
        try session.terminal.wait(for: ": The second chapter")
        session.terminal.type("bq")
        #expect(try session.finish().code == 0)
        try FileManager.default.moveItem(atPath: home.file("book.md"), toPath: home.file("moved.md"))
        let again = try Session(home, "-e", "tone", home.file("moved.md"))
        try again.terminal.wait(for: "Resumed where you left off.")
        try again.terminal.wait(for: ": The second chapter")
        again.terminal.type("B")
        try again.terminal.wait(for: "Bookmarks")
        again.terminal.type("\u{1B}")
        again.terminal.type("q")
        #expect(try again.finish().code == 0)
    }

    @Test(
        "A voice chosen for a text is used again unless an option selects a different one or the voice is not installed"
    )
    func rememberedVoice() throws {
        let home = try home()
        #expect(try home.run("config", "set", "engine", "tone").code == 0)
        func title(_ session: Session) throws -> String {
            try session.play(until: "Speaking | ")
            let title = session.terminal.lines[0].split(separator: " ").last.map(String.init) ?? ""
            session.terminal.type("q")
            #expect(try session.finish().code == 0)
            return title
        }
        let session = try Session(home, home.file("book.md"))
        try session.play(until: "Speaking | ")
        #expect(session.terminal.lines[0].hasSuffix("Sine"))
        session.terminal.type("v")
        try session.terminal.wait(for: "Voices")
        session.terminal.type("\u{1B}[B\r")
        try session.terminal.wait(for: "the other voice") { $0[0].hasSuffix("Low") }
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
        #expect(try title(Session(home, home.file("book.md"))) == "Low")
        #expect(try title(Session(home, "-v", "Buzz", home.file("book.md"))) == "Buzz")
        #expect(try title(Session(home, home.file("book.md"))) == "Low")
        let found = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        let memory = try #require(found.first { $0.contains("/reading/") && $0.hasSuffix(".json") })
        let text = try String(contentsOfFile: home.file(memory), encoding: .utf8)
        #expect(text.contains("\"tone\\/low\"") || text.contains("\"tone/low\""))
        try home.write(text.replacing("low", with: "gone"), to: memory)
        #expect(try title(Session(home, home.file("book.md"))) == "Sine")
    }

    @Test("Text can be searched, and all keys are listed")
    func search() throws {
        let home = try home()
        let session = try Session(home, "-e", "tone", home.file("book.md"))
        try session.terminal.wait(for: "Anna opens")
        session.terminal.type("/emil\r")
        try session.terminal.wait(for: ": The second chapter")
        session.terminal.type("?")
        try session.terminal.wait(for: "sleep timer")
        session.terminal.type("q")
        try session.terminal.wait(for: "Emil goes home.")
        session.terminal.type("/")
        try session.terminal.wait(for: "Search:")
        session.terminal.type("lampion\r")
        try session.terminal.wait(for: "\"lampion\" is not in the text.")
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
    }

    @Test("After the terminal has been resized, the next key redraws the screen")
    func resize() throws {
        let home = try home()
        let session = try Session(home, "-e", "tone", home.file("book.md"))
        try session.terminal.wait(for: "Anna opens")
        session.terminal.resize(columns: 40, rows: 12)
        session.terminal.type("b")
        try session.terminal.wait(for: "a smaller screen") { lines in
            lines.count == 12 && lines[11].hasPrefix(" Space") && lines[9].contains("Bookmark set")
        }
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
    }

    @Test("The remaining text can be saved as an audio file during playback")
    func save() throws {
        let home = try home()
        let session = try Session(home, "-e", "tone", home.file("book.md"))
        try session.play(until: "Speaking | ")
        session.terminal.type("o")
        try session.terminal.wait(for: "Save the remaining text as: book.opus")
        session.terminal.type("\u{15}\(home.file("rest.wav"))\r")
        try session.play(until: "The remaining text was saved in")
        #expect(try home.wav("rest.wav").frames > 0)
        session.terminal.type("o")
        session.terminal.type("\u{15}\(home.file("rest.wav"))\r")
        try session.terminal.wait(for: "exists. Type a different name.")
        // The rejected name can be corrected.
        session.terminal.type("o")
        try session.terminal.wait(for: "rest.wav")
        session.terminal.type("\u{1B}")
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
    }

    @Test("The tempo changes the duration but not the pitch", arguments: [0.5, 0.8, 1.5, 2, 4])
    func pitch(tempo: Double) throws {
        let home = try UserHome()
        try home.write(String(repeating: "aaaaaaaaaa ", count: 20) + "a.", to: "a.txt")
        func record(_ name: String) throws -> ParsedWAV {
            let result = try home.run(
                "read", "-v", "Sine", "-q", home.file("a.txt"), devices: .recorder(home.file(name)))
            #expect(result.code == 0, "\(result.errors)")
            return try home.wav(name)
        }
        let usual = try record("usual.wav")
        let session = try Session(home, "-v", "Sine", home.file("a.txt"))
        try session.terminal.wait(for: "tempo 1.0")
        let steps = Int((abs(tempo - 1) * 10).rounded())
        session.terminal.type(String(repeating: tempo < 1 ? "[" : "]", count: steps))
        try session.terminal.wait(for: "tempo \(tempo)")
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
        let changed = try record("changed.wav")
        #expect(abs(changed.seconds * tempo / usual.seconds - 1) < 0.03, "\(changed.seconds) \(usual.seconds)")
        let (before, after) = (Self.frequency(of: usual), Self.frequency(of: changed))
        #expect(abs(before / 229.2 - 1) < 0.01)
        #expect(abs(after / before - 1) < 0.02, "\(after) \(before)")
    }

    /// The strongest frequency between 110 and 440 Hz in the average spectrum of several windows.
    private static func frequency(of sound: ParsedWAV) -> Double {
        let size = 2048
        let samples = sound.samples.map { Double($0) / 32768 }
        let starts = stride(from: size, to: samples.count - 2 * size, by: max(1, (samples.count - 3 * size) / 24))
        func power(_ frequency: Double) -> Double {
            let turn = 2 * Double.pi * frequency / Double(sound.sampleRate)
            return starts.reduce(0) { sum, start in
                var (real, imaginary) = (0.0, 0.0)
                for index in 0..<size {
                    let weight = 1 - cos(2 * Double.pi * Double(index) / Double(size))
                    real += weight * samples[start + index] * cos(turn * Double(index))
                    imaginary += weight * samples[start + index] * sin(turn * Double(index))
                }
                return sum + real * real + imaginary * imaginary
            }
        }
        func strongest(_ frequencies: StrideThrough<Double>) -> Double {
            frequencies.map { ($0, power($0)) }.max { $0.1 < $1.1 }?.0 ?? 0
        }
        let rough = strongest(stride(from: 110, through: 440, by: 5))
        return strongest(stride(from: rough - 5, through: rough + 5, by: 0.5))
    }

    @Test(
        "A text that cannot be read is reported before a missing sound card is",
        arguments: ["none.epub", "", "empty.txt"])
    func noDevice(name: String) throws {
        let home = try home()
        try home.write("", to: "empty.txt")
        let result = try home.run("read", home.file(name), devices: .missing)
        #expect(result.code == 66, "\(result.errors)")
        #expect(!result.errors.contains("sound card"))
        let readable = try home.run("read", home.file("book.md"), devices: .missing)
        #expect(readable.code == 74, "\(readable.errors)")
        #expect(readable.errors.contains("`synthhost book FILE` makes audio files instead."), "\(readable.errors)")
        #expect(!readable.errors.contains("speak"))
    }

    @Test(
        "The error for a busy sound card includes a remedy, and playback can be retried after a card has been unplugged"
    )
    func failingDevice() throws {
        let home = try home()
        let busy = SoundDevices(
            sink: { _ in UnpluggedDevice(after: 0) },
            probe: { name throws(AudioError) in throw AudioError.deviceNotOpened(device: name, code: EBUSY) })
        let refused = try home.run("read", "-e", "tone", home.file("book.md"), devices: busy)
        #expect(refused.code == 74)
        #expect(refused.errors.contains("is in use by another program."), "\(refused.errors)")
        #expect(refused.errors.contains("`synthhost book FILE` makes audio files instead."), "\(refused.errors)")
        let broken = SoundDevices(sink: { _ in UnpluggedDevice(after: 3) }, probe: { _ throws(AudioError) in })
        let terminal = try DrawnTerminal(columns: 40, rows: 12)
        let command = try home.begin(
            ["read", "-e", "tone", home.file("book.md")], on: terminal.terminal, showsOutput: true, devices: broken)
        for _ in 0..<2 {
            let lines = try terminal.wait(for: "Failed")
            // The complete message fits on two rows.
            let text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            #expect(text.contains("The sound device \"default\" was unplugged. Press Space to try again."), "\(lines)")
            terminal.type("?")
            try terminal.wait(for: "pause or resume")
            terminal.type("q ")
        }
        try terminal.wait(for: "Failed")
        terminal.type("q")
        while !command.hasEnded { _ = terminal.lines }
        #expect(try command.finish().code == 0)
        let piped = try home.run("read", "-e", "tone", home.file("book.md"), devices: broken)
        #expect(piped.code == 74 && piped.errors.contains("was unplugged."), "\(piped.errors)")
    }

    /// A device that fails after a given number of writes.
    private final class UnpluggedDevice: AudioSink {
        private let left: Monitor<Int>
        let isHeard = true

        init(after count: Int) { left = Monitor(count) }

        func begin(_ format: AudioFormat) throws(AudioError) {}

        func write(_ samples: ArraySlice<Float>) throws(AudioError) {
            let isOver = left.update { left in
                left -= 1
                return left < 0
            }
            if isOver { throw .deviceFailed(device: "default", code: ENODEV) }
        }

        func finish() throws(AudioError) {}
        func stop() {}
    }

    @Test("A signal terminates the command and restores the terminal", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signal(signal: Int32) throws {
        let home = try home()
        let session = try Session(home, "-e", "tone", home.file("book.md"))
        try session.play(until: "Speaking | ")
        session.command.interrupt(by: signal)
        #expect(try session.finish().code == 128 + signal)
        #expect(!session.terminal.isAlternate)
    }

    @Test("The error for an unreadable file is printed after the terminal has been restored")
    func missing() throws {
        let home = try home()
        let session = try Session(home, "-e", "tone", home.file("none.epub"))
        let result = try session.finish()
        #expect(result.code == 66)
        #expect(!session.terminal.isAlternate)
        try session.terminal.wait(for: "none.epub")
    }

    // MARK: - Without a screen

    @Test("Output to a pipe has one sentence per line and ends when the text ends")
    func piped() throws {
        let home = try home()
        let result = try home.run("read", "-e", "tone", "-q", home.file("book.md"), devices: .silent)
        #expect(result.code == 0, "\(result.errors)")
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "The first chapter")
        #expect(lines.last == "Emil goes home.")
        #expect(lines.count == 8)
    }

    @Test("Standard input is read, and an error is reported if it is empty")
    func input() throws {
        let home = try home()
        let result = try home.run(
            "read", "-e", "tone", "-q", "-", input: Array("One sentence. Another one.".utf8), devices: .silent)
        #expect(result.code == 0, "\(result.errors)")
        #expect(String(decoding: result.output, as: UTF8.self) == "One sentence.\nAnother one.\n")
        let empty = try home.run("read", "-e", "tone", input: [], devices: .silent)
        #expect(empty.code == 66, "\(empty.errors)")
    }

    @Test("The same keys work with --plain")
    func plain() throws {
        let home = try home()
        let session = try Session(home, "--plain", "-e", "tone", home.file("book.md"))
        try session.play(until: "The first chapter")
        #expect(!session.terminal.isAlternate)
        session.terminal.type(" ")
        try session.terminal.wait(for: "Paused.")
        session.terminal.type("?")
        try session.terminal.wait(for: "q            quit; the position is saved")
        session.terminal.type("t")
        try session.terminal.wait(for: "Contents: press Up or Down to move, Enter to choose, or Esc to go back.")
        session.terminal.type("q")
        session.terminal.type("q")
        #expect(try session.finish().code == 0)
    }
}
