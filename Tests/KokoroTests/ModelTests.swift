import CSynthEngine
import Foundation
import Testing
import TestSupport

@testable import Kokoro
@testable import ONNXInference

@Suite(.espeakTurn) struct ModelTests {
    /// `hə.` between two pads.
    private static let tokens: [Float] = [0, 50, 83, 4, 0]

    private func voice(_ model: SmallModel, _ scratch: Scratch) throws -> KokoroVoice {
        KokoroVoice(
            model: try scratch.file("small.onnx", model.bytes),
            style: try scratch.file("style.bin", style(of: 0.01)))
    }

    private func style(of level: Float) -> Data {
        [Float](repeating: level, count: 510 * 256).withUnsafeBytes { Data($0) }
    }

    private func speak(_ model: SmallModel, rate: Float = 1) throws -> Recording {
        let scratch = try Scratch()
        return try voice(model, scratch).speak("hə.") {
            $0.kind = SYNTH_PHONEMES.rawValue
            $0.rate = rate
        }
    }

    private func expected(speed: Float) -> [Float] {
        Self.tokens.flatMap { [Float](repeating: $0 / 1000 * speed + 0.01, count: 200) }
    }

    private func expectSound(_ recording: Recording, speed: Float = 1) {
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.outcome)")
        #expect(recording.sampleRate == 24_000 && recording.samples.count == 1000)
        #expect(zip(recording.samples, expected(speed: speed)).allSatisfy { ($0 - $1).magnitude < 1e-6 })
    }

    @Test("every form in which the model is exported is spoken", arguments: ["tokens", "input_ids"], [1, 2, 3])
    func forms(tokens: String, rank: Int) throws {
        for speed in [SmallModel.Speed.float32, .int32, .int64] {
            for (audio, durations) in [("audio", SmallModel.Durations.none), ("waveform", .output), ("x", .output)] {
                let model = SmallModel(tokens: tokens, speed: speed, audio: audio, rank: rank, durations: durations)
                expectSound(try speak(model))
            }
        }
    }

    @Test("the rate is the model's speed; a model of whole speeds gets the nearest one that it has")
    func speed() throws {
        expectSound(try speak(SmallModel(), rate: 1.5), speed: 1.5)
        expectSound(try speak(SmallModel(), rate: 0.5), speed: 0.5)
        expectSound(try speak(SmallModel(speed: .int32), rate: 2), speed: 2)
        expectSound(try speak(SmallModel(speed: .int32), rate: 0.5), speed: 1)
    }

    @Test("words are timed by the model's durations, given or inside of it, and not at all without")
    func durations() throws {
        for durations in [SmallModel.Durations.output, .inner] {
            let recording = try speak(SmallModel(durations: durations))
            let words = recording.events.filter { $0.kind == SYNTH_WORD.rawValue }
            #expect(words.map(\.frame) == [0] && words.map(\.frameCount) == [600])
        }
        let recording = try speak(SmallModel())
        #expect(recording.events.map(\.kind) == [SYNTH_SENTENCE.rawValue])
    }

    @Test("samples that are no numbers are a damaged model, and not one of them is heard")
    func noNumbers() throws {
        let recording = try speak(SmallModel(isBroken: true))
        #expect(recording.status == SYNTH_BAD_FILE && recording.outcome.role == "model")
        #expect(recording.samples.isEmpty)
    }

    @Test("a raw file of several voices is read by the names in the model")
    func severalVoices() throws {
        let scratch = try Scratch()
        var voice = try voice(
            SmallModel(notes: [("speaker_names", "one,two"), ("style_dim", "510,1,256")]), scratch)
        voice.style = try scratch.file("voices.bin", style(of: 0.1) + style(of: 0.2))
        for (speaker, level) in [("one", Float(0.1)), ("two", 0.2)] {
            let recording = try voice.speak("hə.") {
                $0.kind = SYNTH_PHONEMES.rawValue
                $0.speaker = speaker
            }
            #expect(abs((recording.samples.first ?? 0) - level) < 1e-5)
        }
        let recording = try voice.speak("hə.") { $0.kind = SYNTH_PHONEMES.rawValue }
        #expect(recording.status == SYNTH_BAD_FILE && recording.outcome.role == "style")
        #expect(recording.outcome.message.contains("one, two"))
    }

    private func expect(_ failure: ErrorReport.Failure?, says words: String) {
        #expect(failure?.status == SYNTH_BAD_FILE && failure?.role == "model")
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "no failure")")
        #expect(failure?.message.contains("/") == false)
    }

    @Test("a model with other inputs is not Kokoro's, and says which")
    func otherModels() throws {
        let scratch = try Scratch()
        expect(try voice(SmallModel(tokens: "words"), scratch).failure(), says: "“tokens”")
        expect(try voice(SmallModel(style: "stile"), scratch).failure(), says: "“style”")
        expect(try voice(SmallModel(speedName: "pace"), scratch).failure(), says: "“speed”")
        expect(try voice(SmallModel(other: "mood"), scratch).failure(), says: "“mood”")
        let piper = KokoroVoice(model: Fixtures.voice("en_US-tern-x_low.onnx"))
        expect(try piper.failure(), says: "Piper")
    }

    @Test("a model that is cut, empty or a web page is a damaged model", arguments: ["cut", "empty", "html"])
    func damaged(kind: String) throws {
        let scratch = try Scratch()
        let whole = try Data(contentsOf: URL(filePath: Fixtures.model))
        let content =
            switch kind {
            case "cut": whole.prefix(whole.count * 2 / 3)
            case "empty": Data()
            default: Data("<!DOCTYPE html><html><body>Not Found</body></html>".utf8)
            }
        expect(try KokoroVoice(model: scratch.file("broken.onnx", content)).failure(), says: "model")
    }
}
