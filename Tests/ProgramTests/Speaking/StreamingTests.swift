import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Audio written to a pipe", .ownThreads)
struct StreamingTests {
    @Test("The header does not state the length, and nothing follows the audio")
    func wav() throws {
        let home = try UserHome()
        let piped = try home.run("speak", "-e", "tone", "-o", "-", "Hello, world.")
        #expect(piped.code == 0 && piped.errors == "")
        let wav = try ParsedWAV(.init(piped.output))
        #expect(wav.statedRIFFSize == .max && wav.statedDataSize == .max)
        #expect(try home.run("speak", "-e", "tone", "-o", home.file("x.wav"), "Hello, world.").code == 0)
        #expect(wav.samples == (try home.wav("x.wav").samples))
    }

    @Test("Raw audio is 16-bit, and its format is printed")
    func raw() throws {
        let home = try UserHome()
        let piped = try home.run("speak", "-e", "tone", "--raw", "Hello, world.")
        #expect(piped.errors == "Raw audio: s16le, 22050 Hz, channels: 1\n")
        #expect(try home.run("speak", "-e", "tone", "-o", home.file("x.wav"), "Hello, world.").code == 0)
        #expect(rawSamples(piped.output) == (try home.wav("x.wav").samples))
        let quiet = try home.run("speak", "-e", "tone", "--raw", "-q", "Hello, world.")
        #expect(quiet.errors == "" && quiet.output == piped.output)
        #expect(try home.run("speak", "-e", "tone", "--raw", "-o", home.file("x.raw"), "Hello, world.").code == 0)
        #expect(try [UInt8](home.data("x.raw")) == piped.output)
    }

    @Test("Audio is not written to a terminal", arguments: [["-o", "-"], ["--raw"]])
    func terminal(options: [String]) throws {
        let home = try UserHome()
        let terminal = try PseudoTerminal()
        let process = try home.start(["speak", "Hello"] + options, output: .terminal(terminal))
        let result = try process.finish()
        #expect(result.code == 64)
        #expect(result.errors.contains("cannot be written to a terminal") && result.errors.contains("-o"))
        #expect(terminal.screen() == "")
    }

    @Test(
        "Audio is written while the text is still arriving",
        arguments: ["One sentence. ", "One sentence. And the beginning of ano", "A line without a full stop\n"])
    func live(text: String) throws {
        let home = try UserHome()
        let process = try home.start(["speak", "-e", "tone", "--raw"], input: .pipe)
        try process.feed(Array(text.utf8))
        try process.waitForOutput(count: 10_000, within: .seconds(600))
        #expect(!process.hasEnded)
        let before = process.outputCount
        try process.feed(Array(" More to say!\n".utf8))
        try process.waitForOutput(count: before + 10_000, within: .seconds(600))
        process.closeInput()
        #expect(try process.finish().code == 0)
    }

    // Tick restarts its waveform with each utterance, and a clause of nineteen letters ends in the middle of a waveform
    // period.
    @Test("The first utterance ends at a clause boundary if the engine computes complete utterances")
    func early() throws {
        let home = try UserHome()
        try home.install("reed")
        let text = "As soon as the sun rose, all of the birds began to sing."
        let piped = try home.run("speak", "-v", "Tick", "--raw", "-q", text)
        #expect(piped.code == 0 && piped.errors == "")
        let early = rawSamples(piped.output)
        #expect(try home.run("speak", "-v", "Tick", "-o", home.file("x.wav"), text).code == 0)
        let whole = try home.wav("x.wav").samples
        try #require(early.count == whole.count && whole.count > 20)
        #expect(early[19] == early[0] && whole[19] != whole[0])
        #expect(early[..<19] == whole[..<19])
    }

    @Test("Audio and the JSON result are never mixed")
    func json() throws {
        let home = try UserHome()
        let process = try home.start(["speak", "-e", "tone", "--json", "-o", "-", "Hello."])
        let result = try process.finish()
        let samples = try ParsedWAV(.init(result.output)).samples
        let line = try #require(result.errors.split(separator: "\n").first { $0.contains("\"frames\"") })
        let object = try parse(String(line))
        #expect(object["frames"] as? Int == samples.count)
    }

    @Test("If the program starts with closed standard streams, audio is never written to an unrelated file")
    func closed() throws {
        let home = try UserHome()
        let process = try home.start(
            ["speak", "-e", "tone", "-o", home.file("x.wav"), "Hello."], input: .closed, output: .closed,
            errors: .closed)
        #expect(try process.finish().code == 0)
        #expect(try home.wav("x.wav").agrees(fileSize: home.data("x.wav").count))
        let silent = try home.start(["speak", "-o", home.file("y.wav")], input: .closed).finish()
        #expect(silent.code == 66 && silent.errors.contains("The text contains nothing to speak; "))
        #expect(!home.exists("y.wav"))
    }
}
