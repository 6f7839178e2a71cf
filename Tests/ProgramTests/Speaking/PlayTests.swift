import CommandSupport
import Foundation
import SynthAudio
import Testing
import TestSupport

@Suite("play", .ownThreads)
struct PlayTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    /// Audio in which all samples differ, at 48,000 Hz.
    private func chime(_ name: String = "chime.wav", frames: Int = 4800) throws -> [Float] {
        let samples = (0..<frames).map { 0.1 + Float($0) / 32_768 }
        let sink = try SoundFileOptions(try SoundFileFormat.of(path: name)).sink(path: home.file(name))
        try sink.begin(AudioFormat(sampleRate: 48_000, channels: 1))
        try sink.write(samples[...])
        try sink.finish()
        return samples
    }

    private func left(_ name: String) throws -> [Int16] {
        let wav = try home.wav(name)
        #expect(wav.sampleRate == 48_000 && wav.channels == 2)
        return stride(from: 0, to: wav.samples.count, by: 2).map { wav.samples[$0] }
    }

    @Test("Audio files and texts are written one after another without gaps")
    func sequence() throws {
        let clip = try chime().map { FloatPCM.int16($0) }
        try home.write("Hello, world.", to: "t.txt")
        let spoken = try home.run("speak", "-e", "tone", "-f", home.file("t.txt"), "-o", home.file("spoken.wav"))
        #expect(spoken.code == 0)
        let result = try home.run(
            "play", "-e", "tone", home.file("chime.wav"), home.file("t.txt"), home.file("chime.wav"), "-o",
            home.file("out.wav"))
        #expect(result.code == 0, "\(result.errors)")
        let heard = try left("out.wav")
        let speech = try home.wav("spoken.wav")
        let frames = Int((Double(speech.frames) * 48_000 / Double(speech.sampleRate)).rounded())
        #expect(abs(heard.count - 2 * clip.count - frames) <= 2)
        #expect(Array(heard.prefix(clip.count)) == clip)
        #expect(Array(heard.suffix(clip.count)) == clip)
        #expect(result.errors.contains("Wrote \(home.file("out.wav")): "))
    }

    @Test("A device receives the same audio as a file")
    func device() throws {
        let clip = try chime("chime.flac")
        let result = try home.run(
            ["play", home.file("chime.flac")], devices: .recorder(home.file("played.wav")))
        #expect(result.code == 0 && result.errors == "")
        #expect(try left("played.wav") == clip.map { FloatPCM.int16($0) })
    }

    @Test("Text is read from standard input, and audio is written to a pipe in any format")
    func pipes() throws {
        _ = try chime()
        let result = try home.run(
            "play", "-e", "tone", "-", home.file("chime.wav"), "-o", "-", "--format", "flac", input: Array("Hi".utf8))
        #expect(result.code == 0)
        #expect(result.output.starts(with: Array("fLaC".utf8)))
    }

    @Test("--gain changes the level of audio files")
    func gain() throws {
        let clip = try chime()
        #expect(
            try home.run("play", home.file("chime.wav"), "--gain", "50%", "-o", home.file("out.wav")).code == 0)
        let heard = try left("out.wav")
        #expect(heard.count == clip.count)
        #expect(zip(heard, clip).allSatisfy { abs(Int($0) - Int(FloatPCM.int16($1 / 2))) <= 1 })
    }

    @Test("The JSON result describes the audio")
    func json() throws {
        _ = try chime()
        let result = try home.run("play", home.file("chime.wav"), "--json", "-o", home.file("out.wav"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        #expect(object["frames"] as? Int == 4800 && object["sampleRate"] as? Int == 48_000)
        #expect(object["files"] as? [String] == [home.file("chime.wav")] && object["engine"] == nil)
    }

    @Test("File errors are reported before anything is played")
    func wrongFiles() throws {
        _ = try chime()
        try home.write("no sound", to: "text.wav")
        try home.write([0xFF, 0x41], to: "latin.txt")
        let wrong: [(String, String)] = [
            ("none.wav", "/none.wav: No such file or directory."),
            ("text.wav", "/text.wav: it is not an audio or video file in a supported format"),
            ("none.txt", "cannot be read: No such file or directory."), ("latin.txt", "The text is not UTF-8"),
        ]
        for (name, words) in wrong {
            let result = try home.run(
                "play", "-e", "tone", home.file("chime.wav"), home.file(name), "-o", home.file("out.wav"))
            #expect(result.code == 66, "\(name)")
            #expect(result.errors.contains(words), "\(result.errors)")
            #expect(!home.exists("out.wav"))
        }
    }

    @Test("Invalid combinations are rejected")
    func usage() throws {
        _ = try chime()
        let chime = home.file("chime.wav")
        let before = try home.data("chime.wav")
        let wrong: [([String], Int32, String)] = [
            (["-", "-"], 64, "Standard input can be read only once."),
            ([chime, "-o", chime], 73, "is an audio file that this command plays."),
            ([chime, "-o", home.file("a.m4a")], 64, "synthhost play"),
            ([chime, "--clips", home.file("none")], 66, "Cannot read the clips folder \"\(home.file("none"))\""),
            ([], 64, "FILE"),
        ]
        for (words, code, message) in wrong {
            let result = try home.run(["play", "-e", "tone"] + words, input: [])
            #expect(result.code == code, "\(words)")
            #expect(result.errors.contains(message), "\(result.errors)")
        }
        #expect(try home.data("chime.wav") == before)
    }
}
