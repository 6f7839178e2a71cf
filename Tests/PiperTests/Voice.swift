import CSynthEngine
import Foundation
import SynthInference
import TestSupport

/// A voice in a separate folder, with modifications for a test.
struct Voice: VoiceUnderTest {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Voices")

    let model: String
    let config: String
    let folder: TemporaryFolder

    /// - Parameters:
    ///   - name: "tern" has one speaker, and "flock" has four.
    ///   - isSteady: Whether the voice has no noise, so that a text always yields the same audio.
    init(_ name: String = "tern", isSteady: Bool = true, _ change: (inout [String: Any]) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        model = Self.fixtures.appending(path: "en_US-\(name)-x_low.onnx").path
        let original = try Data(contentsOf: URL(filePath: model + ".json"))
        var json = try JSONSerialization.jsonObject(with: original) as? [String: Any] ?? [:]
        if isSteady { json["inference"] = ["noise_scale": 0, "length_scale": 1, "noise_w": 0] }
        change(&json)
        config = try folder.write(try JSONSerialization.data(withJSONObject: json), to: "voice.json")
    }

    /// Creates a voice from the given files.
    init(folder: TemporaryFolder, model: String, config: String) {
        self.folder = folder
        self.model = model
        self.config = config
    }

    func load(cacheDirectory: String? = nil) throws -> LoadedModel {
        try LoadedEngine(product: "Piper").load(
            "test-voice", files: ["model": model, "config": config], cacheDirectory: cacheDirectory)
    }

    func request(_ text: String) -> TestRequest { TestRequest(text, voice: "test-voice") }

    /// The samples that ONNX Runtime itself computes from these IDs without noise, from the unmodified model file.
    func bare(_ ids: [Int64], speaker: Int64? = nil, length: Float = 1) throws -> [Float] {
        let session = try InferenceSession(model: model, threads: 1)
        var inputs = [
            ("input", InferenceTensor(ids, shape: [1, Int64(ids.count)])),
            ("input_lengths", InferenceTensor([Int64(ids.count)], shape: [1])),
            ("scales", InferenceTensor([Float(0), length, 0], shape: [3])),
        ]
        if let speaker { inputs.append(("sid", InferenceTensor([speaker], shape: [1]))) }
        let outputs = try session.run(inputs, outputs: ["output"], as: InferenceRun())
        return outputs[0].withFloats { Array($0) } ?? []
    }
}
