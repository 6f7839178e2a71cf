import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite(
    "The first run at a terminal, with a copy of the real layout", .ownThreads,
    .enabled(if: BuildFolder.hasNeuralEngines))
struct FirstRunTests {
    private static let question = "1  Download Heart (American), en-US, female, grade A, "

    @Test("Setup offers, downloads, verifies, selects and plays a small voice, which the next `speak` uses")
    func setup() throws {
        let layout = try RealLayout()
        let screen = try Screen(columns: 100)
        // The machine's speed is neither specified nor measured, because it is irrelevant for a small voice.
        let process = try layout.begin("setup", on: screen, adding: [:])
        try screen.wait(for: "1  Download Kore Small (American), en-US, female, 143 kB (recommended)")
        try screen.wait(for: "1-3, Enter for 1: ")
        #expect(layout.asked.isEmpty)
        screen.terminal.type("\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(screen.text.contains("Kore Small (American) is ready."))
        #expect(
            screen.text.contains(
                "Kore Small (American) is now your default voice. To use it, type: synthhost speak \"Hello\""))
        #expect(layout.asked == [layout.kore])
        #expect(layout.kore.hasSuffix("/resolve/main/voices/af_kore.int8.onnx"))
        #expect(!layout.home.exists("cache/synthhost/_host/probe/probe.onnx"))
        #expect(try layout.configured("engine") == "hibari")
        #expect(try layout.configured("voices.hibari") == "Kore Small")
        // The sample is "Hello, I am Kore. From now on I speak for you."
        #expect((1.5...10).contains(try layout.home.wav("played.wav").seconds))
        #expect(try layout.speaker() == "Kore Small (American) from Hibari.")
        // The Kokoro voice with the same name is not installed.
        #expect(try layout.home.run("models", "verify", "Kore").code == 0)
        #expect(try layout.home.run("voices", "Kore").text.contains("speak -v Kore \"Hello\""))
        #expect(try layout.run(["setup", "--yes"]).code == 0)
        #expect(layout.asked.count == 1)
    }

    @Test("Setup downloads, verifies, selects and plays a Kokoro voice and its model")
    func kokoro() throws {
        let layout = try RealLayout(offersSmall: false)
        let screen = try Screen(columns: 100)
        let process = try layout.begin("setup", on: screen)
        try screen.wait(for: Self.question)
        try screen.wait(for: "5.9 MB (recommended)")
        try screen.wait(for: "1-3, Enter for 1: ")
        #expect(layout.asked.isEmpty)
        screen.terminal.type("\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(screen.text.contains("Heart (American) is ready."))
        #expect(
            screen.text.contains(
                "Heart (American) is now your default voice. To use it, type: synthhost speak \"Hello\""))
        #expect(Set(layout.asked) == [layout.model, layout.heart])
        #expect(layout.model.contains("/resolve/1939ad2a8e416c0acfeecc08a694d14ef25f2231/onnx/model.onnx"))
        #expect(try layout.configured("engine") == "kokoro")
        #expect(try layout.configured("voices.kokoro") == "Heart")
        #expect(try layout.home.run("models", "verify", "Heart").code == 0)
        // The sample is "Hello, I am Heart. From now on I speak for you."
        let heard = try layout.home.wav("played.wav")
        #expect((1.5...10).contains(heard.seconds) && heard.level > -40)
        #expect(try layout.speaker() == "Heart (American) from Kokoro.")
        #expect(Set(layout.asked).count == layout.asked.count)
    }

    @Test("After confirmation, `speak -e kokoro` downloads a Kokoro voice and speaks with it")
    func speak() throws {
        let layout = try RealLayout(offersSmall: false)
        let screen = try Screen(columns: 100)
        let process = try layout.begin("speak", "-e", "kokoro", "Hello, world", on: screen)
        try screen.wait(for: "Download Heart (American) (5.9 MB) now? [Y/n] ")
        #expect(layout.asked.isEmpty)
        screen.terminal.type("\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(
            screen.text.contains(
                "To make Heart (American) the default voice, type: synthhost voices choose Heart\r\n"))
        let heard = try layout.home.wav("played.wav")
        #expect((0.3...5).contains(heard.seconds) && heard.level > -40)
        // The voice was requested for a single command, so the default voice is unchanged.
        #expect(try layout.speaker().hasSuffix("eSpeak NG."))
        #expect(try layout.home.run("voices", "choose", "Heart").code == 0)
        #expect(try layout.speaker() == "Heart (American) from Kokoro.")
        #expect(layout.asked.count == 2)
    }

    @Test(
        "After Ctrl-C, the received data is kept, and the message includes the command that resumes the download",
        arguments: ["setup", "speak"])
    func interrupted(command: String) throws {
        let layout = try RealLayout(offersSmall: false) { request, file in
            guard request.path.hasSuffix("/onnx/model.onnx"), request.range == nil, let file else { return nil }
            var answer = LoopbackServer.Answer(file, to: request)
            answer.limit = 2_000_000
            answer.end = .hang
            return answer
        }
        let words = command == "setup" ? ["setup"] : ["speak", "-e", "kokoro", "Hello"]
        let screen = try Screen(columns: 120)
        let process = try layout.begin(words, on: screen)
        try screen.wait(for: command == "setup" ? "Enter for 1: " : "[Y/n] ")
        screen.terminal.type("\n")
        try screen.wait(for: "Downloading Heart (American)")
        try layout.home.wait(for: 2_450_000, in: "data/synthhost/models")
        process.interrupt()
        #expect(try screen.finish(process).code == 130, "\(screen.text)")
        #expect(screen.text.contains("The download of Heart (American) was stopped; 2.5 MB of 5.9 MB was kept.\r\n"))
        let next = command == "setup" ? "synthhost setup" : "synthhost models pull Heart"
        #expect(screen.text.contains("To continue, type: \(next)\r\n"), "\(screen.text)")
        #expect(try layout.configured("engine") == "")
        #expect(!layout.home.exists("played.wav"))

        let again = try layout.run(
            next.split(separator: " ").dropFirst().map(String.init) + (command == "setup" ? ["--yes"] : []),
            adding: RealLayout.fast)
        #expect(again.code == 0, "\(again.errors)")
        #expect(layout.server.requests.last { $0.path == layout.model }?.range?.first == 2_000_000)
        #expect(try layout.home.run("speak", "-v", "Heart", "Hello", "-o", layout.home.file("a.wav")).code == 0)
        if command == "setup" { #expect(try layout.speaker() == "Heart (American) from Kokoro.") }
    }

    @Test(
        "If the user declines, espeak-ng remains the engine, and a message explains how to run setup again",
        arguments: ["setup", "speak"])
    func refused(command: String) throws {
        let layout = try RealLayout(offersSmall: false)
        let screen = try Screen(columns: 100)
        if command == "setup" {
            let process = try layout.begin("setup", on: screen)
            try screen.wait(for: "Enter for 1: ")
            screen.terminal.type("3\n")
            #expect(try screen.finish(process).code == 0)
            #expect(screen.text.hasSuffix("Nothing was changed. To choose a voice later, type: synthhost setup\r\n"))
        } else {
            let process = try layout.begin("speak", "-e", "kokoro", "Hello", on: screen)
            try screen.wait(for: "[Y/n] ")
            screen.terminal.type("n\n")
            #expect(try screen.finish(process).code == 69)
            #expect(
                screen.text.hasSuffix(
                    """
                    synthhost: The voice Heart (American) was not downloaded, so nothing was spoken.\r
                    Choose a different voice with -v; `synthhost voices` lists the voices.\r

                    """), "\(screen.text)")
        }
        #expect(layout.asked.isEmpty)
        #expect(try layout.speaker().hasSuffix("eSpeak NG."))
        let later = try Screen(columns: 100)
        let spoken = try layout.begin("speak", "Hello", "-o", layout.home.file("a.wav"), on: later)
        #expect(try later.finish(spoken).code == 0)
        #expect(
            later.text.hasSuffix("For a natural voice such as Heart (American), type: synthhost setup\r\n"),
            "\(later.text)")
    }

    @Test("On a machine that is too slow for Heart, a faster voice is offered and speaks")
    func slowMachine() throws {
        let layout = try RealLayout(offersSmall: false)
        let slow = ["SYNTHHOST_PACE": "12"]
        let screen = try Screen(columns: 200)
        let process = try layout.begin("setup", on: screen, adding: slow)
        try screen.wait(
            for: "Heart (American), which sounds best, would be about 2.7 times slower than playback on this machine, "
                + "so a faster voice is listed first.\r\n")
        try screen.wait(for: "1  Download Kristin (American), en-US, medium, 5.4 MB (recommended)\r\n")
        try screen.wait(for: "2  Download Heart (American), en-US, female, grade A, 5.9 MB, slow on this machine\r\n")
        try screen.wait(for: "Enter for 1: ")
        screen.terminal.type("\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(try layout.speaker() == "Kristin (American) from Piper.")
        #expect(try layout.home.wav("played.wav").seconds > 1)

        let asking = try Screen(columns: 200)
        let asked = try layout.begin("speak", "-e", "kokoro", "Hello", on: asking, adding: slow)
        try asking.wait(
            for: "Heart (American) would be about 2.7 times slower than playback on this machine.\r\n"
                + "Download Heart (American) (5.9 MB) now? [Y/n] ")
        asking.terminal.type("n\n")
        #expect(try asking.finish(asked).code == 69)
    }

    @Test("Before the download, setup reports that the selected voice is too slow for the machine")
    func slowChoice() throws {
        let layout = try RealLayout()
        let screen = try Screen()
        let process = try layout.begin("setup", on: screen, adding: ["SYNTHHOST_PACE": "12"])
        try screen.wait(for: "Enter for 1: ")
        screen.terminal.type("2\n")
        try screen.wait(for: "Heart (American)")
        screen.terminal.type("/heart (\r")
        try screen.wait(for: "slow on this machine")
        screen.terminal.type("s")
        try screen.wait(for: "Heart (American) is now your default voice")
        screen.terminal.type("q")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(try layout.speaker() == "Heart (American) from Kokoro.")
    }

    @Test("The machine's speed is measured before the download unless an environment variable specifies it")
    func measured() throws {
        let layout = try RealLayout(offersSmall: false)
        let screen = try Screen(columns: 200)
        let process = try layout.begin("setup", on: screen, adding: [:])
        try screen.wait(for: "Which voice do you want?", within: .seconds(600))
        process.interrupt()
        #expect(try screen.finish(process).code == 130, "\(screen.text)")
        #expect(layout.asked.isEmpty)
        #expect(layout.home.exists("cache/synthhost/_host/probe/probe.onnx"))
    }
}
