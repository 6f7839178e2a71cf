import CommandSupport
import Foundation
import Testing
import TestSupport

/// Ctrl-D is the response to every question at a terminal.
@Suite("Unanswered questions", .ownThreads)
struct CancelledQuestionTests {
    /// A user who can be asked every question, because voices and a recognition model are not downloaded, and the store
    /// contains an unknown file.
    private func fixture() throws -> RegistryFixture {
        let fixture = try RegistryFixture(devices: .silent) { request, _ in
            request.path == "/script.txt" ? .init(Array("Hello.\n".utf8), to: request) : nil
        }
        let home = fixture.home
        try home.install("Plugins/Scripted/scripted", as: "scripted")
        let known = String(decoding: try home.data("data/synthhost/models.json"), as: UTF8.self)
        let model = """
            "recognizerModels": [{"id": "own-script", "recognizer": "scripted", "name": "Own script", "starter": 1,
              "languages": ["en"], "files": [{"role": "script", "url": "\(fixture.server.base)script.txt",
              "size": 7, "sha256": "\(try Checksum.sha256(Array("Hello.\n".utf8)))"}]}],
            """
        try home.write("{\(model)\(known.dropFirst())", to: "data/synthhost/models.json")
        try home.write("Some text.", to: "notes.md")
        try #require(try home.run("speak", "-e", "tone", "hello", "-o", home.file("talk.wav")).code == 0)
        return fixture
    }

    @Test(
        "Ctrl-D cancels the command, and nothing changes",
        arguments: [
            ["setup"], ["speak", "-v", "Nature", "hello", "-o", "~/x.wav"], ["speak", "~/notes.md", "-o", "~/x.wav"],
            ["play", "-v", "Nature", "~/notes.md", "-o", "~/x.wav"],
            ["transcribe", "~/talk.wav", "-m", "own-script", "-o", "~/x.txt"], ["voices", "choose", "Nature"],
        ], ["\u{4}", "y\u{4}\u{4}"])
    func cancelled(words: [String], typed: String) throws {
        let fixture = try fixture()
        let screen = try Screen(columns: 200)
        let process = try fixture.begin(
            words.map { $0.hasPrefix("~/") ? fixture.home.file(String($0.dropFirst(2))) : $0 }, on: screen)
        try screen.wait(for: words == ["setup"] ? "Enter for 1: " : "[Y/n] ")
        screen.terminal.type(typed)
        let result = try screen.finish(process)
        #expect(result.code == 130, "\(screen.text)")
        #expect(screen.text.contains("Cancelled."), "\(screen.text)")
        #expect(fixture.asked.isEmpty && !fixture.home.exists("x.wav") && !fixture.home.exists("x.txt"))
        #expect(try fixture.configured("engine") == "")
    }

    @Test("Ctrl-D cancels `setup --listen`")
    func listening() throws {
        let fixture = try fixture()
        // Example recognizers are not offered, so the model is for a recognizer that is not an example.
        try fixture.home.install("deaf", ["TRANSCRIBES", "ROLE=\"script\""], as: "deaf")
        let path = "data/synthhost/models.json"
        let known = String(decoding: try fixture.home.data(path), as: UTF8.self)
        try fixture.home.write(
            known.replacing("\"recognizer\": \"scripted\"", with: "\"recognizer\": \"deaf\""), to: path)
        let screen = try Screen(columns: 200)
        let process = try fixture.begin("setup", "--listen", on: screen)
        try screen.wait(for: "Download Own script")
        try screen.wait(for: "Enter for 1: ")
        screen.terminal.type("\u{4}")
        #expect(try screen.finish(process).code == 130, "\(screen.text)")
        #expect(screen.text.contains("Cancelled."))
        #expect(fixture.asked.isEmpty)
    }

    @Test("Ctrl-D after a failed download reports that the voice was not downloaded")
    func afterFailure() throws {
        let fixture = try RegistryFixture(devices: .silent) { _, _ in .init(status: 404) }
        let screen = try Screen()
        let process = try fixture.begin("setup", on: screen)
        try screen.wait(for: "Enter for 1: ")
        screen.terminal.type("\n")
        try screen.wait(for: "Enter for 3: ")
        screen.terminal.type("\u{4}")
        #expect(try screen.finish(process).code == 130, "\(screen.text)")
        #expect(screen.text.contains("Cancelled; Nature (British) was not downloaded."), "\(screen.text)")
    }

    @Test("Without a terminal, no question is asked and nothing is downloaded, regardless of standard input")
    func noTerminal() throws {
        let fixture = try fixture()
        for input in [[], Array("\n\n".utf8)] as [[UInt8]] {
            let setup = try fixture.home.run("setup", input: input)
            #expect(
                setup.code == 64 && setup.errors.contains("no terminal is available."), "\(setup.errors)"
            )
            let transcribed = try fixture.home.run(
                "transcribe", fixture.home.file("talk.wav"), "-m", "own-script", input: input)
            #expect(transcribed.code == 69, "\(transcribed.errors)")
        }
        #expect(fixture.asked.isEmpty)
    }
}
