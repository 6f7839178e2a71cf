import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Stopping the program", .ownThreads)
struct InterruptionTests {
    private static let text = String(repeating: "A long text that takes its time to be said. ", count: 400)

    private func worker(of process: ChildProcess) throws -> pid_t {
        try #require(ProcessTable.children(of: process.identifier).first)
    }

    @Test(
        "After a signal, no worker is running, the file is valid, and the exit code is 128 plus the signal number",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func file(signal: Int32) throws {
        let home = try UserHome()
        try home.install("reed")
        let process = try home.start(["speak", "-v", "Slow", "-o", home.file("x.wav"), Self.text])
        try waitForSound(of: process, in: home)
        let worker = try worker(of: process)
        process.signal(signal)
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == 128 + signal)
        let kept = "x (stopped).wav"
        #expect(result.errors.contains("Stopped. \(home.file(kept)) contains the speech so far: "))
        #expect(ProcessTable.waitForEnd(of: worker))
        let wav = try home.wav(kept)
        #expect(wav.frames > 0)
        #expect(wav.agrees(fileSize: try home.data(kept).count))
        #expect(!home.exists("x.wav"))
    }

    /// Waits for the first audio. The engine takes most of a second per sentence, and the file has no name until it is
    /// complete.
    private func waitForSound(of process: ChildProcess, in home: UserHome) throws {
        try process.wait("the sound") { _ in
            ProcessTable.unnamedBytes(of: process.identifier, below: home.path) > 80
        }
    }

    @Test(
        "After a signal, an existing file is unchanged, and the spoken part is saved next to it",
        arguments: ["wav", "mp3"])
    func goodFile(ending: String) throws {
        let home = try UserHome()
        try home.install("reed")
        try home.write("precious", to: "good.\(ending)")
        try home.write("precious", to: "good.srt")
        let process = try home.start(
            ["speak", "-v", "Slow", "-o", home.file("good.\(ending)"), "--timings", home.file("good.srt"), Self.text])
        try waitForSound(of: process, in: home)
        process.signal(SIGINT)
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == 130)
        let kept = home.file("good (stopped).\(ending)")
        #expect(result.errors.contains("Stopped. \(kept) contains the speech so far: "), "\(result.errors)")
        #expect(result.errors.contains("\(home.file("good.\(ending)")) is unchanged.\n"))
        #expect(result.errors.contains("\(home.file("good (stopped).srt")) contains the timings so far."))
        #expect(try DecodedSound(path: kept).seconds > 0)
        #expect(try home.data("good (stopped).srt").count > 10)
        for name in ["good.\(ending)", "good.srt"] { #expect(try home.data(name) == Data("precious".utf8)) }
    }

    @Test("After the program is killed, an existing file is unchanged, and no other files are left behind")
    func killedOverGoodFile() throws {
        let home = try UserHome()
        try home.install("reed")
        try home.write("precious", to: "out/good.wav")
        let process = try home.start(["speak", "-v", "Slow", "-o", home.file("out/good.wav"), Self.text])
        try waitForSound(of: process, in: home)
        process.signal(SIGKILL)
        #expect(try process.finish(within: .seconds(300)).signal == SIGKILL)
        #expect(try home.data("out/good.wav") == Data("precious".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("out")) == ["good.wav"])
    }

    @Test("After Ctrl-C at a terminal, the spoken part is kept and the terminal is restored")
    func controlC() throws {
        let home = try UserHome()
        try home.install("reed")
        let terminal = try PseudoTerminal()
        let process = try home.start(
            ["speak", "-v", "Slow", "-o", home.file("x.wav"), Self.text], input: .terminal(terminal),
            output: .terminal(terminal), errors: .terminal(terminal))
        var screen = ""
        try process.wait(
            "the live line",
            until: { _ in
                screen += terminal.screen()
                return screen.contains("Writing")
            })
        let worker = try worker(of: process)
        terminal.type("\u{3}")
        let result = try process.finish(within: .seconds(300))
        screen += terminal.screen()
        #expect(result.code == 130)
        #expect(ProcessTable.waitForEnd(of: worker))
        let line = try #require(screen.range(of: "\r\u{1B}[K", options: .backwards))
        #expect(screen[line.upperBound...].hasPrefix("Stopped. \(home.file("x (stopped).wav")) contains"))
        #expect(try home.wav("x (stopped).wav").frames > 0)
    }

    @Test("A signal before the first audio does not affect any files")
    func early() throws {
        let home = try UserHome()
        try home.write("precious", to: "old.wav")
        let process = try home.start(["speak", "-e", "tone", "-o", home.file("old.wav"), "--verbose"], input: .pipe)
        try process.waitForErrors("Speaking with")
        process.signal(SIGINT)
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == 130)
        #expect(result.errors.contains("Stopped before speech started."))
        #expect(String(decoding: try home.data("old.wav"), as: UTF8.self) == "precious")
    }

    @Test("A signal is handled even while the program is waiting for a reader that never opens the pipe")
    func unreadPipe() throws {
        let home = try UserHome()
        try #require(mkfifo(home.file("pipe"), 0o600) == 0)
        let process = try home.start(["speak", "-e", "tone", "-o", home.file("pipe"), "--verbose", "Hello"])
        try process.waitForErrors("Speaking with")
        process.signal(SIGINT)
        #expect(try process.finish(within: .seconds(300)).code == 130)
    }

    @Test("A signal is handled even while the program that reads the audio is stalled")
    func fullPipe() throws {
        let home = try UserHome()
        let process = try home.start(["speak", "-e", "tone", "--raw", "--verbose", Self.text])
        try process.waitForErrors("Raw audio")
        let worker = try worker(of: process)
        process.signal(SIGINT)
        #expect(try process.finish(within: .seconds(300)).code == 130)
        #expect(ProcessTable.waitForEnd(of: worker))
    }

    @Test("No error is printed if the program that reads the audio closes the pipe", arguments: [false, true])
    func brokenPipe(isIgnored: Bool) throws {
        let home = try UserHome()
        let process = try home.start(["speak", "-e", "tone", "-o", "-", Self.text], ignoresBrokenPipes: isIgnored)
        try process.waitForOutput(count: 1000)
        let worker = try worker(of: process)
        process.closeOutput()
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == 0 || result.signal == SIGPIPE)
        #expect(result.errors == "")
        #expect(ProcessTable.waitForEnd(of: worker))
    }

    @Test("No error is printed if the program that reads a list closes the pipe", arguments: [false, true])
    func cutList(isIgnored: Bool) throws {
        let home = try UserHome()
        let process = try home.start(["voices"], ignoresBrokenPipes: isIgnored)
        process.closeOutput()
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == 0 || result.signal == SIGPIPE)
        #expect(result.errors == "")
    }

    @Test("If the host is killed, its worker also exits")
    func killed() throws {
        let home = try UserHome()
        let process = try home.start(["speak", "-e", "tone", "--raw", Self.text])
        try process.waitForOutput(count: 1000)
        let worker = try worker(of: process)
        process.signal(SIGKILL)
        #expect(ProcessTable.waitForEnd(of: worker))
        #expect(try process.finish().signal == SIGKILL)
    }
}
