import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("setup", .ownThreads)
struct SetupTests {
    /// A user whose sound card accepts all audio and plays nothing.
    private func fixture(
        probe: [UInt8]? = nil, _ answer: (@Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer?)? = nil
    ) throws -> RegistryFixture {
        try RegistryFixture(probe: probe, devices: .silent, answer: answer)
    }

    @Test(
        "Setup asks one question, shows the size, downloads and selects a voice, and plays a sample",
        arguments: [80, 40] as [UInt16])
    func setup(columns: UInt16) throws {
        let fixture = try fixture()
        let screen = try Screen(columns: columns)
        let process = try fixture.begin("setup", on: screen)
        try screen.wait(for: "1  Download Nature")
        try screen.wait(for: "Enter for 1: ")
        #expect(fixture.asked.isEmpty)
        screen.terminal.type("\n")
        let result = try screen.finish(process)
        #expect(result.code == 0, "\(screen.text)")
        if columns == 80 { #expect(screen.text.contains("100 bytes")) }
        #expect(screen.text.contains("Nature (British) is ready."))
        #expect(try fixture.configured("engine") == "tone")
        #expect(try fixture.configured("voices.tone") == "Nature")
        #expect(screen.drawn.allSatisfy { !$0.contains("nature_1") })
    }

    @Test("With --plain, questions are printed as complete lines")
    func plain() throws {
        let fixture = try fixture()
        let screen = try Screen()
        let process = try fixture.begin("setup", "--plain", on: screen)
        try screen.wait(for: "Enter for 1:\r\n")
        screen.terminal.type("\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(!screen.text.contains("\u{1B}"))
    }

    @Test(
        "If the best voice would be too slow, a faster voice is recommended, along with the reason",
        arguments: [true, false])
    func slowMachine(asks: Bool) throws {
        let fixture = try fixture()
        let slow = ["SYNTHHOST_PACE": "10"]
        let sentence =
            "Nature (British), which sounds best, would be about 3.2 times slower than playback on this machine, "
            + "so a faster voice is listed first.\n"
        if asks {
            let screen = try Screen(columns: 200)
            let process = try fixture.begin("setup", on: screen, adding: slow)
            try screen.wait(for: sentence.replacing("\n", with: "\r\n"))
            try screen.wait(for: "1  Download Brook, en-US, 100 bytes (recommended)")
            try screen.wait(
                for: "2  Download Nature (British), en-GB, female, grade A, 100 bytes, slow on this machine")
            try screen.wait(for: "1-4, Enter for 1: ")
            screen.terminal.type("2\n")
            #expect(try screen.finish(process).code == 0, "\(screen.text)")
            #expect(try fixture.configured("voices.tone") == "Nature")
        } else {
            let taken = try fixture.run("setup", "--yes", adding: slow)
            #expect(taken.code == 0)
            #expect(taken.errors.hasPrefix(sentence), "\(taken.errors)")
            #expect(try fixture.configured("voices.tone") == "Brook")
        }
    }

    @Test(
        "The machine's speed is measured with an engine that can speak the probe text, and other engines are ignored",
        arguments: [("220\n", "Brook"), ("no number\n", "Nature")])
    func probe(content: String, voice: String) throws {
        let fixture = try fixture(probe: Array(content.utf8))
        let taken = try fixture.run("setup", "--yes")
        #expect(taken.code == 0, "\(taken.errors)")
        #expect(taken.errors.contains("times slower than playback on this machine") == (voice == "Brook"))
        #expect(try fixture.configured("voices.tone") == voice)
        #expect(fixture.home.exists("cache/synthhost/_host/probe/probe.pitch"))
    }

    @Test("A voice in the user's language is recommended", arguments: [("en_US.UTF-8", "Brook"), ("fr_FR", "Nature")])
    func locale(name: String, voice: String) throws {
        let fixture = try fixture()
        let taken = try fixture.run("setup", "--yes", adding: ["LANG": name])
        #expect(taken.code == 0, "\(taken.errors)")
        #expect(try fixture.configured("voices.tone") == voice)
    }

    @Test("`speak` warns before downloading a voice that would be too slow")
    func slowVoice() throws {
        let fixture = try fixture()
        let screen = try Screen(columns: 200)
        let process = try fixture.begin("speak", "-v", "Nature", "hello", on: screen, adding: ["SYNTHHOST_PACE": "10"])
        try screen.wait(for: "Nature (British) would be about 3.2 times slower than playback on this machine.\r\n")
        try screen.wait(for: "[Y/n] ")
        screen.terminal.type("n\n")
        #expect(try screen.finish(process).code == 69)
        #expect(fixture.asked.isEmpty)
    }

    @Test("Setup can be skipped and offers a list of other voices")
    func others() throws {
        let fixture = try fixture()
        let skipping = try Screen()
        let skipped = try fixture.begin("setup", on: skipping)
        try skipping.wait(for: "Enter for 1: ")
        skipping.terminal.type("3\n")
        #expect(try skipping.finish(skipped).code == 0)
        #expect(fixture.asked.isEmpty)
        #expect(try fixture.configured("engine") == "")

        let choosing = try Screen()
        let chosen = try fixture.begin("setup", on: choosing)
        try choosing.wait(for: "Enter for 1: ")
        choosing.terminal.type("2\n")
        try choosing.wait(for: "Which other voice do you want?")
        let line = try choosing.lineNumber(of: "Brook, en-US")
        choosing.terminal.type("\(line)\n")
        #expect(try choosing.finish(chosen).code == 0, "\(choosing.text)")
        #expect(try fixture.configured("voices.tone") == "Brook")
    }

    @Test("If the download fails, nothing is selected, the reason is reported, and a different voice is offered")
    func failedDownload() throws {
        let fixture = try fixture { request, _ in request.path == "/nature.pitch" ? .init(status: 404) : nil }
        let screen = try Screen()
        let process = try fixture.begin("setup", on: screen)
        try screen.wait(for: "Enter for 1: ")
        screen.terminal.type("\n")
        try screen.wait(for: "the server returned 404")
        try screen.wait(for: "Try again")
        #expect(try fixture.configured("engine") == "")
        try screen.wait(for: "Enter for 3: ")
        screen.terminal.type("2\n")
        try screen.wait(for: "Brook, en-US")
        let line = try screen.lineNumber(of: "Brook, en-US")
        screen.terminal.type("\(line)\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(try fixture.configured("voices.tone") == "Brook")
    }

    @Test(
        "A failed download is retried on request, even by `speak`",
        arguments: [["setup"], ["speak", "-v", "Nature", "hi"]])
    func retry(command: [String]) throws {
        let fixture = try fixture { _, number in number == 0 ? .init(status: 404) : nil }
        let screen = try Screen()
        let process = try fixture.begin(command, on: screen)
        try screen.wait(for: command == ["setup"] ? "Enter for 1: " : "[Y/n] ")
        screen.terminal.type("\n")
        try screen.wait(for: "Enter for 3: ")
        screen.terminal.type("1\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(screen.text.contains("Nature (British) is ready."))
        #expect(fixture.asked.count == 2)
    }

    @Test("Without a terminal, setup tells the user what to type, and --yes accepts the recommended voice")
    func unattended() throws {
        let fixture = try fixture()
        let asked = try fixture.run("setup")
        #expect(asked.code == 64)
        #expect(asked.errors.contains("synthhost setup --yes"))
        let taken = try fixture.run("setup", "--yes")
        #expect(taken.code == 0, "\(taken.errors)")
        #expect(try fixture.configured("voices.tone") == "Nature")
    }

    @Test("speak asks for confirmation, downloads a voice, and then speaks", arguments: ["\n", "y\n", "n\n", "\u{3}"])
    func prompt(answer: String) throws {
        let fixture = try fixture()
        let screen = try Screen()
        let process = try fixture.begin("speak", "-v", "Nature", "hello", "-o", fixture.home.file("a.wav"), on: screen)
        try screen.wait(for: "Download Nature (British) (100 bytes) now? [Y/n] ")
        if answer == "\u{3}" { process.interrupt() } else { screen.terminal.type(answer) }
        let result = try screen.finish(process)
        #expect(result.code == (answer == "n\n" ? 69 : answer == "\u{3}" ? 130 : 0), "\(screen.text)")
        #expect(fixture.home.exists("a.wav") == (result.code == 0))
        #expect(fixture.asked.isEmpty == (result.code != 0))
    }

    @Test("A hint that explains how to get a natural voice is shown only once and only until one is selected")
    func hint() throws {
        let fixture = try fixture()
        func speak(_ words: String..., pace: String? = nil) throws -> String {
            let screen = try Screen()
            let process = try fixture.begin(
                ["speak", "hello", "-o", fixture.home.file("a.wav")] + words, on: screen,
                adding: ["SYNTHHOST_PACE": pace])
            #expect(try screen.finish(process).code == 0, "\(screen.text)")
            return screen.text
        }
        let hint = "For a natural voice such as Nature (British), type: synthhost setup"
        #expect(!(try speak("-q").contains(hint)))
        #expect(!(try speak("-e", "tone").contains(hint)))
        #expect(!(try fixture.home.run("speak", "hello", "-o", fixture.home.file("a.wav")).errors.contains(hint)))
        #expect(try speak().contains(hint))
        #expect(!(try speak().contains(hint)))
        try FileManager.default.removeItem(atPath: fixture.home.file("state/synthhost/setup-hint"))
        #expect(try speak(pace: "10").contains("For a natural voice such as Brook, type: synthhost setup"))
    }
}
