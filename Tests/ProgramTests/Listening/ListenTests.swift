import CommandSupport
import Foundation
import Testing
import TestNumbers
import TestSupport

/// The microphone is ALSA's `file` device, which supplies a file's contents as fast as they are read, so times are measured
/// in frames.
@Suite("listen", .ownThreads)
struct ListenTests {
    private let home: UserHome
    private static let rate = 16_000

    init() throws {
        home = try UserHome()
        try home.install("Plugins/Scripted/scripted", as: "scripted")
    }

    /// A tone whose loudness varies like ten syllables per second; a constant tone would not be treated as speech.
    private static func voice(at frame: Int) -> Int16 {
        let loudness = 0.55 + 0.45 * cos(2 * .pi * Double(frame) / Double(rate / 10))
        return Int16(sin(Double(frame) * 0.3) * 16_000 * loudness)
    }

    /// Makes the microphone supply segments of a voice, followed by silence.
    private func hear(_ stretches: [(silence: Double, voice: Double)], then silence: Double = 120) throws {
        var samples: [Int16] = []
        for stretch in stretches {
            samples += [Int16](repeating: 0, count: Int(stretch.silence * Double(Self.rate)))
            samples += (0..<Int(stretch.voice * Double(Self.rate))).map(Self.voice)
        }
        samples += [Int16](repeating: 0, count: Int(silence * Double(Self.rate)))
        try home.write(PCMBytes.bytes(samples), to: "heard")
        try home.write(
            """
            pcm.ear { type file slave.pcm { type null } file "/dev/null" infile "\(home.file("heard"))" format raw }
            pcm.mic { type plug slave { pcm ear format S16_LE channels 1 rate \(Self.rate) } }

            """, to: "asound.conf")
    }

    private static let arguments = ["listen", "-d", "mic", "--recognizer", "scripted"]

    private func listen(_ arguments: String...) throws -> ChildResult {
        try home.start(Self.arguments + arguments).finish()
    }

    @Test("The text is printed once the speech has ended, and each step is reported")
    func speech() throws {
        try hear([(1, 2)])
        let result = try listen()
        #expect(result.code == 0 && result.text == "Hello, world.\n", "\(result.errors)")
        #expect(result.errors == "Loading Script\nListening\nTranscribing\n")
        let quiet = try listen("-q")
        #expect(quiet.text == "Hello, world.\n" && quiet.errors == "")
    }

    @Test("Speech after a short pause is included, but speech after a silence of the configured length is not")
    func silence() throws {
        try hear([(1, 2), (1.5, 2), (3, 2)])
        #expect(try listen().text == "Hello, world. forty-two point five\n")
        try hear([(1, 2), (1.5, 2), (3, 2)])
        #expect(try listen("--silence", "1").text == "Hello, world.\n")
    }

    @Test("--continuous prints each text after the pause that ends it until a limit or a signal stops the command")
    func continuous() throws {
        try hear([(1, 2), (1.5, 2), (3, 2)])
        let result = try listen("--continuous", "--timeout", "20")
        // The recognizer's script restarts with each utterance.
        #expect(result.code == 0 && result.text == "Hello, world.\nHello, world.\nHello, world.\n", "\(result.errors)")
        #expect(result.errors == "Loading Script\nListening\nTranscribing\n")
        try hear([(1, 2), (1.5, 2), (9, 2)])
        let silent = try listen("--continuous", "--silence", "5", "--json")
        let lines = silent.lines
        #expect(lines.count { $0.contains(#"{"state":"speech"}"#) } == 2, "\(silent.text)")
        #expect(lines.last?.contains(#""text":"Hello, world. Hello, world.""#) == true, "\(silent.text)")
        #expect(lines.last?.contains(#""ended":"silence""#) == true)
        try hear([(1, 2)], then: 300)
        let process = try home.start(Self.arguments + ["--continuous"])
        try process.waitForOutput(count: 14)
        process.signal(SIGINT)
        let stopped = try process.finish()
        #expect(stopped.code == 0 && stopped.text == "Hello, world.\n", "\(stopped.errors)")
        try hear([])
        #expect(try listen("--continuous", "--timeout", "5").code == 66)
        for other in [["--number"], ["--names", "A,B"], ["--record", "a.wav"]] {
            #expect(try home.run(["listen", "--continuous"] + other).code == 64)
        }
    }

    @Test("A timeout ends listening at the exact frame, even within a word")
    func timeout() throws {
        try hear([(1, 100)])
        let result = try listen("--timeout", "3", "--record", home.file("said.wav"), "--json")
        #expect(result.code == 0, "\(result.errors)")
        let lines = try result.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.compactMap { $0["state"] as? String } == ["loading", "listening", "speech", "understanding"])
        #expect(lines.last?["ended"] as? String == "timeout" && lines.last?["text"] as? String == "Hello, world.")
        #expect(lines.count { $0["level"] != nil } == 30 && lines.contains { $0["partial"] != nil })
        // The recording starts 0.3 s before the speech and ends with the timeout.
        let seconds = Double(try home.wav("said.wav").samples.count) / Double(Self.rate)
        #expect(abs(seconds - 2.3) < 0.02, "\(seconds)")
    }

    @Test("An installed detector determines where speech starts and ends; if it fails, loudness is used instead")
    func detector() throws {
        try hear([])
        try home.install("Tests/Fixtures/Engines/sentry", as: "sentry")
        #expect(try home.run("recognizers").text.contains("clock  Clock, built in"))
        #expect(try home.run("recognizers", "--json").text.contains("\"id\":\"clock\""))
        let named = try home.run("listen", "-d", "mic", "--recognizer", "sentry")
        #expect(named.code == 64 && named.errors.contains("sentry only detects speech"), "\(named.errors)")
        let result = try listen("--record", home.file("said.wav"), "--json")
        #expect(result.text.contains("\"ended\":\"silence\""), "\(result.text)\(result.errors)")
        // One second of speech, with 0.3 s on either side.
        #expect(try home.wav("said.wav").samples.count == Int(1.6 * Double(Self.rate)))
        try home.install("Tests/Fixtures/Engines/sentry", ["FAILS"], as: "sentry")
        let failed = try listen("--record", home.file("less.wav"), "--json")
        #expect(failed.text.contains("\"ended\":\"silence\""), "\(failed.text)\(failed.errors)")
        #expect(failed.text.contains("\"detectorFailed\":\""), "\(failed.text)")
        let seconds = Double(try home.wav("less.wav").samples.count) / Double(Self.rate)
        #expect(abs(seconds - 1.1) < 0.02, "\(seconds)")
        // The reason is printed even without --json or --verbose.
        let told = try listen().errors
        #expect(
            told.contains("so speech is detected by its volume") && told.contains("synthhost recognizers"),
            "\(told)")
    }

    @Test("A recording is kept only on request and without the surrounding silence, and only its owner can read it")
    func recording() throws {
        try hear([(2, 1.5)])
        let result = try listen("--record", home.file("said.wav"))
        #expect(result.code == 0, "\(result.errors)")
        let seconds = Double(try home.wav("said.wav").samples.count) / Double(Self.rate)
        #expect(abs(seconds - 2.1) < 0.15, "\(seconds)")
        var status = stat()
        #expect(stat(home.file("said.wav"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        try hear([])
        let before = try FileManager.default.subpathsOfDirectory(atPath: home.path).count
        let nothing = try listen("--timeout", "2", "--record", home.file("none.wav"))
        #expect(nothing.code == 66 && nothing.errors.contains("No speech was detected."), "\(nothing.errors)")
        #expect(!home.exists("none.wav"))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path).count == before)
    }

    @Test("Numbers are printed as digits, and names are spelled as given")
    func expectations() throws {
        try hear([(1, 1)])
        try home.install("Plugins/Scripted/scripted", ["FIRST=\"forty-two point five\""], as: "scripted")
        #expect(try listen("--number").text == "42.5\n")
        try hear([(1, 1)])
        let none = try listen("--names", "Anna,Ben")
        #expect(none.code == 66 && none.errors.contains("is not one of the names"), "\(none.errors)")
        try home.install("Plugins/Scripted/scripted", ["FIRST=\"jean luc.\""], as: "scripted")
        try hear([(1, 1)])
        #expect(try listen("--names", "Anna,Jean-Luc, Ben").text == "Jean-Luc\n")
        try hear([(1, 1)])
        let noNumber = try listen("--number")
        #expect(noNumber.code == 66 && noNumber.errors.contains("\"jean luc.\" is not a number."), "\(noNumber.errors)")
    }

    @Test("A missing microphone and a crashed recognizer are reported")
    func failures() throws {
        let result = try home.run("listen", "--recognizer", "scripted", "-d", "nowhere")
        #expect(
            result.code == 74 && result.errors.contains("The sound device \"nowhere\" does not exist."),
            "\(result.errors)")
        try hear([(1, 1)])
        try home.install("deaf", ["CRASH", "TRANSCRIBES"], as: "deaf")
        let crash = try home.runProcess("listen", "-d", "mic", "--recognizer", "deaf")
        #expect(crash.code == 70, "\(crash.errors)")
        #expect(try home.run("listen", "--number", "--names", "A,B").code == 64)
        #expect(try home.run("listen", "--timeout", "0").code == 64)
    }

    @Test("If a recording cannot be written, the error is reported before listening starts")
    func unwritable() throws {
        try hear([(1, 2)])
        let result = try listen("--record", home.file("nowhere/said.wav"))
        #expect(result.code == 73 && !result.errors.contains("Listening"), "\(result.errors)")
    }

    @Test("Ctrl-C stops listening immediately")
    func interruption() throws {
        // The device supplies audio as fast as it is read, so only a recognizer that hangs keeps the command listening.
        try home.install("deaf", ["HANG", "TRANSCRIBES"], as: "deaf")
        try hear([], then: 1)
        let process = try home.start(["listen", "-d", "mic", "--recognizer", "deaf", "--timeout", "3600"])
        try process.waitForErrors("Listening")
        process.signal(SIGINT)
        let result = try process.finish()
        #expect(result.code == 130 && result.text == "", "\(result.errors)")
    }

    @Test("Listening ends once the recognizer needs no more audio")
    func early() throws {
        try home.install("deaf", ["EARLY", "TRANSCRIBES"], as: "deaf")
        try hear([(1, 2)])
        let process = try home.start(["listen", "-d", "mic", "--recognizer", "deaf", "--timeout", "3600"])
        let result = try process.finish()
        #expect(
            result.code == 66 && result.errors.contains("The speech was not recognized."), "\(result.errors)")
    }
}
