import CSynthEngine
import Foundation
import Testing
import TestSupport

@testable import SynthInference
@testable import SynthKokoro

@Suite(.espeakTurn) struct ModelTests {
    /// The tokens of `hə.`, between two pads.
    private static let tokens: [Float] = [0, 50, 83, 4, 0]

    private func voice(_ model: SmallModel, _ folder: TemporaryFolder) throws -> KokoroVoice {
        KokoroVoice(
            model: try folder.write(model.bytes, to: "small.onnx"),
            style: try folder.write(style(of: 0.01), to: "style.bin"))
    }

    private func style(of level: Float) -> Data {
        [Float](repeating: level, count: 510 * 256).withUnsafeBytes { Data($0) }
    }

    private func speak(_ model: SmallModel) throws -> Recording {
        let folder = try TemporaryFolder()
        return try voice(model, folder).speak("hə.") { $0.kind = SYNTH_PHONEMES.rawValue }
    }

    /// The small model multiplies its output by the speed, which is 1.
    private var expected: [Float] { Self.tokens.flatMap { [Float](repeating: $0 / 1000 + 0.01, count: 200) } }

    private func expectSound(_ recording: Recording) {
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.outcome)")
        #expect(recording.sampleRate == 24_000 && recording.samples.count == 1000)
        #expect(zip(recording.samples, expected).allSatisfy { ($0 - $1).magnitude < 1e-6 })
    }

    @Test("Every exported variant of the model speaks", arguments: ["tokens", "input_ids"], [1, 2, 3])
    func forms(tokens: String, rank: Int) throws {
        for speed in [SmallModel.Speed.float32, .int32, .int64] {
            for (audio, durations) in [("audio", SmallModel.Durations.none), ("waveform", .output), ("x", .output)] {
                let model = SmallModel(tokens: tokens, speed: speed, audio: audio, rank: rank, durations: durations)
                expectSound(try speak(model))
            }
        }
    }

    @Test(
        "Word times are derived from the durations, internal or output; without durations, there are no times"
    )
    func durations() throws {
        for durations in [SmallModel.Durations.output, .inner] {
            let recording = try speak(SmallModel(durations: durations))
            let words = recording.events.filter { $0.kind == SYNTH_WORD.rawValue }
            #expect(words.map(\.frame) == [0] && words.map(\.frameCount) == [600])
        }
        let recording = try speak(SmallModel())
        #expect(recording.events.map(\.kind) == [SYNTH_SENTENCE.rawValue])
    }

    @Test("Every variant of the model can speak the text that is used to check a rewritten model")
    func check() throws {
        let folder = try TemporaryFolder()
        let small = [SmallModel.Speed.float32, .int32, .int64].map { SmallModel(tokens: "input_ids", speed: $0).bytes }
        let paths = try small.map { try folder.write($0, to: "\($0.count)-\($0.hashValue).onnx") } + [Fixtures.model]
        for path in paths {
            let session = try InferenceSession(model: path, threads: 1)
            let samples = try KokoroContract(session).check().expected(session).samples
            #expect(samples.contains { $0 != 0 } && samples.allSatisfy(\.isFinite))
        }
    }

    @Test("NaN samples are reported as a damaged model and are not passed on")
    func noNumbers() throws {
        let recording = try speak(SmallModel(isBroken: true))
        #expect(recording.status == SYNTH_BAD_FILE && recording.outcome.role == "model")
        #expect(recording.samples.isEmpty)
    }

    @Test("In a raw file with several voices, each voice is found by its name in the model")
    func severalVoices() throws {
        let folder = try TemporaryFolder()
        var voice = try voice(
            SmallModel(notes: [("speaker_names", "one,two"), ("style_dim", "510,1,256")]), folder)
        voice.style = try folder.write(style(of: 0.1) + style(of: 0.2), to: "voices.bin")
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

    @Test("A model with unexpected inputs is rejected, and the error names them")
    func otherModels() throws {
        let folder = try TemporaryFolder()
        expect(try voice(SmallModel(tokens: "words"), folder).loadError(), says: "\"tokens\"")
        expect(try voice(SmallModel(style: "stile"), folder).loadError(), says: "\"style\"")
        expect(try voice(SmallModel(speedName: "pace"), folder).loadError(), says: "\"speed\"")
        expect(try voice(SmallModel(other: "mood"), folder).loadError(), says: "\"mood\"")
        let piper = KokoroVoice(model: Fixtures.voice("en_US-tern-x_low.onnx"))
        expect(try piper.loadError(), says: "Piper")
    }

    @Test("A truncated, empty or HTML file is reported as a damaged model", arguments: ["cut", "empty", "html"])
    func damaged(kind: String) throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: Fixtures.model))
        let content =
            switch kind {
            case "cut": whole.prefix(whole.count * 2 / 3)
            case "empty": Data()
            default: Data("<!DOCTYPE html><html><body>Not Found</body></html>".utf8)
            }
        expect(try KokoroVoice(model: folder.write(content, to: "broken.onnx")).loadError(), says: "model")
    }
}
