import CSynthEngine
import Foundation
import ONNXInference
import TestSupport

/// A voice in a folder of its own, changed as a test wants it.
struct Voice {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Voices")

    let model: String
    let config: String
    let scratch: Scratch

    /// - Parameters:
    ///   - name: "tern" has one speaker, "flock" four.
    ///   - isSteady: Without noise, so that it says the same each time.
    init(_ name: String = "tern", isSteady: Bool = true, _ change: (inout [String: Any]) -> Void = { _ in }) throws {
        scratch = try Scratch()
        model = Self.fixtures.appending(path: "en_US-\(name)-x_low.onnx").path
        let original = try Data(contentsOf: URL(filePath: model + ".json"))
        var json = try JSONSerialization.jsonObject(with: original) as? [String: Any] ?? [:]
        if isSteady { json["inference"] = ["noise_scale": 0, "length_scale": 1, "noise_w": 0] }
        change(&json)
        config = try scratch.file("voice.json", try JSONSerialization.data(withJSONObject: json))
    }

    /// With files of the test's own making.
    init(scratch: Scratch, model: String, config: String) {
        self.scratch = scratch
        self.model = model
        self.config = config
    }

    func load(cacheDirectory: String? = nil) throws -> LoadedModel {
        try LoadedEngine(product: "Piper").load(
            "test-voice", files: ["model": model, "config": config], cacheDirectory: cacheDirectory)
    }

    /// Speaks one request on a model of its own.
    func speak(
        _ text: String, _ change: (inout TestRequest) -> Void = { _ in },
        goOn: @escaping (Recording) -> Bool = { _ in true }
    ) throws -> Recording {
        let model = try load()
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        var request = TestRequest(text, voice: "test-voice")
        change(&request)
        return lane.speak(request, goOn: goOn)
    }

    /// What ONNX Runtime itself says for these ids without noise, of the model as it stands in its file.
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

    /// Why it cannot be loaded.
    func failure() throws -> ErrorReport.Failure? {
        do {
            try load().unload()
            return nil
        } catch let failure as ErrorReport.Failure {
            return failure
        }
    }
}
