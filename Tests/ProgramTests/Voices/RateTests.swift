import CommandSupport
import Foundation
import Testing
import TestSupport

/// Checks that each engine speaks the text, including pauses, in the time that the rate requires.
@Suite("Voice rates", .ownThreads)
struct RateTests {
    /// Sentences and clauses, so that pauses of all kinds are included.
    private static let text =
        "The library opened at nine, and a few people were already waiting outside. Most of them wanted newspapers; one "
        + "wanted an old map of the harbour. The librarian knew where it was. She fetched it, and left.\n\nNobody spoke."

    private static let tolerance = 0.03

    private func home(_ engine: String) throws -> (home: UserHome, voice: [String]) {
        let isNeural = engine == "piper" || engine == "kokoro"
        let home = try UserHome(programs: isNeural ? BuildFolder.path : BuildFolder.withoutNeuralEngines)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/Voices")
        func put(_ name: String, as other: String) throws {
            try home.write(Array(try Data(contentsOf: folder.appending(path: name))), to: "voice/\(other)")
        }
        switch engine {
        case "piper":
            try put("en_US-tern-x_low.onnx", as: "en_US-tern-x_low.onnx")
            try put("en_US-tern-x_low.onnx.json", as: "en_US-tern-x_low.onnx.json")
            try #require(try home.run("models", "add", home.file("voice/en_US-tern-x_low.onnx")).code == 0)
            return (home, ["-v", "Tern", "--variation", "0"])
        case "kokoro":
            try put("kokoro-tern.onnx", as: "voice.onnx")
            try put("af_tern.bin", as: "voice.style")
            let added = try home.run(
                "models", "add", home.file("voice"), "--engine", "kokoro", "--language", "en-US", "--id", "af_own",
                "--name",
                "Own")
            try #require(added.code == 0, "\(added.errors)")
            return (home, ["-v", "Own"])
        case "tone": return (home, ["-v", "Sine"])
        default: return (home, ["-e", engine, "-l", "en-US"])
        }
    }

    private func seconds(_ home: UserHome, _ arguments: [String]) throws -> Double {
        let spoken = try home.run(["speak", "-o", home.file("a.wav")] + arguments)
        try #require(spoken.code == 0, "\(spoken.errors)")
        let wav = try home.wav("a.wav")
        return Double(wav.samples.count) / Double(wav.sampleRate * wav.channels)
    }

    @Test("Built-in voices match the rate to within 3%", arguments: ["espeak-ng", "tone"])
    func builtIn(engine: String) throws { try reaches(engine) }

    @Test(
        "Neural voices match the rate to within 3%",
        .enabled(if: BuildFolder.hasNeuralEngines, "This test needs ONNX Runtime."),
        arguments: ["piper", "kokoro"])
    func neural(engine: String) throws { try reaches(engine) }

    private func reaches(_ engine: String) throws {
        let (home, voice) = try home(engine)
        let usual = try seconds(home, voice + [Self.text])
        #expect(usual > 5)
        for rate in [0.5, 0.75, 1.25, 1.5, 2, 3, 4] {
            let reached = usual / (try seconds(home, voice + ["-r", "\(rate)", Self.text]))
            #expect(abs(reached / rate - 1) < Self.tolerance, "\(engine) at \(rate): \(reached)")
        }
        let script = "<speak><prosody rate=\"200%\">\(Self.text.replacing("\n\n", with: " "))</prosody></speak>"
        let plain = try seconds(home, voice + ["--ssml", script.replacing("200%", with: "100%")])
        let reached = plain / (try seconds(home, voice + ["--ssml", script]))
        #expect(abs(reached / 2 - 1) < Self.tolerance, "\(engine) with SSML: \(reached)")
    }
}
