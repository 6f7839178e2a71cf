import Foundation
import Testing
import TestSupport

@Suite("Fallback voice on a playback device", .ownThreads)
struct FallbackTests {
    private let home: UserHome

    init() throws {
        home = try UserHome()
        try home.write(
            """
            pcm.default { type file slave.pcm { type null } file "\(home.file("played.wav"))" format "wav" }
            """, to: "asound.conf")
        try configure(#""fallback": ["Steady"]"#)
        try home.installFaulty("steady", voice: "Steady", ["SPEAK=legible", "SIGN=-1"])
    }

    private func configure(_ more: String) throws {
        try home.write(
            #"{"limits": {"awaitedSeconds": 0.3, "idleSeconds": 2, "loadSeconds": 20}, \#(more)}"#,
            to: "config/synthhost/config.json")
    }

    private func played(perLetter: Int = 320) throws -> LegibleSound {
        let wav = try home.wav("played.wav")
        let mono = stride(from: 0, to: wav.samples.count, by: wav.channels).map { Float(wav.samples[$0]) / 32768 }
        return LegibleSound(mono, perLetter: perLetter)
    }

    @Test(
        "After an engine failure, the fallback voice finishes the text, and the exit code is 70",
        arguments: [
            ("crash", "crashed (SIGSEGV)"), ("hang", "hung while speaking"), ("quit", "exited with code"),
            ("noise", "corrupted its worker process"), ("much", "corrupted its worker process"),
            ("short", "corrupted its worker process"), ("nan", "not a finite number"),
            ("error", "It is asked for an error."),
        ])
    func speak(_ word: String, _ cause: String) throws {
        try home.installFaulty("moody", voice: "Moody", ["SPEAK=moody"])
        let text = "one two \(word) three."
        let result = try home.runProcess("speak", "-q", "-v", "Moody", text)
        #expect(result.code == 70, "\(result.errors)")
        let sound = try played()
        #expect(sound.flaw(of: text) == nil, "\(sound)")
        #expect(sound.first.hasPrefix("one.two."))
        let first = result.errors.split(separator: "\n").first ?? ""
        #expect(first.contains("moody") && first.contains(cause), "\(result.errors)")
        #expect(first.hasSuffix("Steady from steady takes over for Moody."), "\(result.errors)")
        // The fallback voice is not used when writing to a file: the file is either completed or not created.
        let file = try home.runProcess("speak", "-q", "-v", "Moody", text, "-o", home.file("out.wav"))
        #expect(file.code == (word == "error" ? 1 : 70) && !file.errors.contains("Steady"), "\(file.errors)")
    }

    @Test(
        "If the engine fails while loading, the fallback voice speaks the entire text",
        arguments: [
            (["IN_LOAD=crash"], "crashed (SIGSEGV) while loading"), (["IN_LOAD=hang"], "hung while loading"),
            (["IN_OPEN=hang"], "hung while loading"),
            (["STATUS=SYNTH_MISSING_FILE", #"COMPLAINT="There are no weights.""#], "There are no weights."),
        ])
    func load(_ choices: [String], _ cause: String) throws {
        try home.installFaulty("moody", voice: "Moody", ["SPEAK=moody"] + choices)
        let result = try home.runProcess("speak", "-v", "Moody", "one two. three.")
        #expect(result.code == 70 && result.errors.contains(cause), "\(result.errors)")
        #expect(try played() == LegibleSound.only(second: "one two. three."))
        let play = try playFile("one two. three.")
        #expect(play.code == 70 && play.errors.contains(cause), "\(play.errors)")
        #expect(try played(perLetter: 1920) == LegibleSound.only(second: "one two. three."))
    }

    @Test("If the engine cannot be used at all, the fallback voice speaks")
    func unusable() throws {
        try home.write("no library", to: "data/synthhost/plugins/moody.so")
        let result = try home.runProcess("speak", "-e", "moody", "one.")
        #expect(result.code == 70 && result.errors.contains("Steady from steady speaks instead."), "\(result.errors)")
        #expect(try played() == LegibleSound.only(second: "one."))
        #expect(try home.runProcess("speak", "-e", "moody", "one.", "-o", home.file("out.wav")).code == 69)
        let stranger = try home.runProcess("speak", "-v", "Nobody", "one.")
        #expect(stranger.code == 69 && stranger.errors.contains("Nobody"), "\(stranger.errors)")
    }

    private func playFile(_ text: String, _ options: String...) throws -> ChildResult {
        try home.write(text, to: "text.txt")
        return try home.start(["play", home.file("text.txt"), "-v", "Moody"] + options).finish()
    }

    @Test("The JSON results of `speak` and `play` name the fallback voice")
    func json() throws {
        try home.installFaulty("moody", voice: "Moody", ["SPEAK=moody"])
        struct Result: Decodable {
            struct Replaced: Decodable {
                struct StandIn: Decodable { let engine, voice: String }
                let engine, voice, message: String
                let by: StandIn
            }
            let replaced: [Replaced]?
        }
        let text = "one. two crash three. four crash five."
        for result in [try home.runProcess("speak", "-v", "Moody", text, "--json"), try playFile(text, "--json")] {
            #expect(result.code == 70, "\(result.errors)")
            let replaced = try #require(try JSONDecoder().decode(Result.self, from: Data(result.output)).replaced)
            #expect(replaced.count == 1)
            #expect(replaced[0].engine == "moody" && replaced[0].voice == "moody" && replaced[0].by.voice == "steady")
            #expect(replaced[0].message.contains("SIGSEGV"))
            #expect(result.errors.contains(#"{"event":"error","code":70,"#), "\(result.errors)")
        }
        #expect(try played(perLetter: 1920).flaw(of: text) == nil)
        let fine = try home.runProcess("speak", "-v", "Moody", "fine.", "--json")
        #expect(fine.code == 0 && !fine.text.contains("replaced"))
    }

    @Test(
        "The output format stays the same regardless of the voices' sample rates and channel counts",
        arguments: [(8000, 1, 24_000, 2), (16_000, 2, 11_000, 1), (48_000, 1, 8000, 1)])
    func formats(rate: Int, channels: Int, otherRate: Int, otherChannels: Int) throws {
        try home.installFaulty(
            "moody", voice: "Moody", ["SPEAK=moody", "LETTER_RATE=\(rate)", "CHANNELS=\(channels)"])
        try home.installFaulty(
            "steady", voice: "Steady",
            ["SPEAK=legible", "SIGN=-1", "LETTER_RATE=\(otherRate)", "CHANNELS=\(otherChannels)"])
        let text = "one two crash three."
        #expect(try home.runProcess("speak", "-v", "Moody", text).code == 70)
        let wav = try home.wav("played.wav")
        #expect(wav.sampleRate == rate && wav.channels == channels)
        let flaw = try played(perLetter: rate / 25).flaw(of: text)
        #expect(flaw == nil, "\(flaw ?? "")")
    }

    @Test("If a voice's files are damaged, the fallback voice speaks")
    func damaged() throws {
        try home.write("440\n", to: "bell.pitch")
        #expect(try home.runProcess("models", "add", home.file("bell.pitch"), "-l", "en").code == 0)
        let files = FileManager.default.enumerator(atPath: home.file("data/synthhost/models"))
        let stored = (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix("bell.pitch") }
        for file in stored { try home.write("441\n", to: "data/synthhost/models/\(file)") }
        #expect(try home.runProcess("models", "verify", "--repair").code == 69)
        let result = try home.runProcess("speak", "-v", "bell", "one.")
        #expect(result.code == 70 && result.errors.contains("is damaged"), "\(result.errors)")
        #expect(result.errors.contains("Steady from steady takes over for Bell."), "\(result.errors)")
        #expect(try played() == LegibleSound.only(second: "one."))
        #expect(try home.runProcess("speak", "-v", "bell", "one.", "-o", home.file("out.wav")).code == 69)
    }

    @Test("Without a configured fallback voice, an engine failure is reported as an error")
    func nobody() throws {
        try home.installFaulty("moody", voice: "Moody", ["SPEAK=moody"])
        try configure(#""fallback": []"#)
        let result = try home.runProcess("speak", "-v", "Moody", "one crash two.")
        #expect(result.code == 70 && !result.errors.contains("takes over for"), "\(result.errors)")
        #expect(try played().second == "")
    }
}
