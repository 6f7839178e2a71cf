import CommandSupport
import Testing
import TestSupport

@Suite("Piper voices, with a copy of the real layout", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct PiperVoiceTests {
    @Test("A Piper voice can be pulled by name and selected with -v")
    func pull() throws {
        let layout = try RealLayout()
        let pulled = try layout.home.run("models", "pull", "Kristin")
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(pulled.errors.hasSuffix("Kristin (American) is ready.\n"), "\(pulled.errors)")
        #expect(Set(layout.asked) == [layout.kristin, layout.kristin + ".json"])
        #expect(
            layout.kristin.hasSuffix(
                "/resolve/c10ece1aade47bb51c153c893d14e5bf8e5b7117/en/en_US/kristin/medium/en_US-kristin-medium.onnx"))
        let spoken = try layout.home.run(
            "speak", "-v", "Kristin", "Hello, world", "--verbose", "-o", layout.home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(spoken.errors.contains("Speaking with Kristin (American) from Piper."))
        let heard = try layout.home.wav("a.wav")
        #expect((0.3...5).contains(heard.seconds) && heard.level > -40)
        #expect(heard.sampleRate == 22_050)
    }

    @Test("`speak -v` offers to download a Piper voice and then plays it")
    func speak() throws {
        let layout = try RealLayout()
        let screen = try Screen(columns: 100)
        let process = try layout.begin("speak", "-v", "Kristin", "Hello, world", on: screen)
        try screen.wait(for: "Download Kristin (American) (5.4 MB) now? [Y/n] ")
        screen.terminal.type("\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        let heard = try layout.home.wav("played.wav")
        #expect((0.3...5).contains(heard.seconds) && heard.level > -40)
    }

    @Test("`voices choose` offers a voice in the user's language")
    func choose() throws {
        let layout = try RealLayout()
        let screen = try Screen(columns: 100)
        let process = try layout.begin(
            "voices", "choose", on: screen, adding: ["LANG": "de_DE.UTF-8", "SYNTHHOST_PACE": "1000"])
        try screen.wait(for: "Thorsten")
        screen.terminal.type("s")
        try screen.wait(for: "Thorsten ist jetzt die Standardstimme")
        screen.terminal.type("q")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(try layout.speaker() == "Thorsten from Piper.")
    }

    @Test(
        "If only the engine is specified, a medium-quality voice in the user's language is suggested",
        arguments: [("C.UTF-8", "Kristin (American)"), ("en_GB.UTF-8", "Cori (British)"), ("de_AT.UTF-8", "Thorsten")])
    func proposal(locale: String, voice: String) throws {
        let layout = try RealLayout()
        let screen = try Screen(columns: 100)
        let process = try layout.begin(
            "speak", "-e", "piper", "Hello", on: screen, adding: ["LANG": locale, "SYNTHHOST_PACE": "1000"])
        try screen.wait(for: "Download \(voice) (")
        try screen.wait(for: "[Y/n] ")
        screen.terminal.type("n\n")
        #expect(try screen.finish(process).code == 69)
        #expect(layout.asked.isEmpty)
    }
}
