import Foundation
import TestSupport

/// A voice for the engine Piper whose model a test builds.
struct TinyPiperVoice {
    let folder: TemporaryFolder
    /// The configuration is beside it.
    let model: String

    /// - Parameter noise: If it is not 0, the model sounds otherwise each time, so its rewritten form fails its check.
    init(noise: Float = 0) throws {
        folder = try TemporaryFolder()
        model = try folder.write(TinyVoice.model(noise: noise).bytes, to: "en_US-tiny-x_low.onnx")
        let tern = try Data(contentsOf: URL(filePath: TestVoice.tern + ".json"))
        var json = try JSONSerialization.jsonObject(with: tern) as? [String: Any] ?? [:]
        let ids = json["phoneme_id_map"] as? [String: [Int]] ?? [:]
        json["phoneme_id_map"] = ids.mapValues { $0.map { $0 % TinyVoice.ids } }
        json["dataset"] = "tiny"
        try folder.write(try JSONSerialization.data(withJSONObject: json), to: "en_US-tiny-x_low.onnx.json")
    }

    /// Loads it and speaks one text. Returns what the engine logged, each line after its severity.
    func speak(cache: TemporaryFolder, threads: UInt32 = 1) throws -> [String] {
        let start = HostLog.lineCount
        let model = try LoadedEngine(product: "Piper").load(
            "tiny", files: ["model": model, "config": model + ".json"], threads: threads, cacheDirectory: cache.path)
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        let recording = lane.speak(TestRequest("Hello there.", voice: "tiny"))
        guard !recording.samples.isEmpty else { throw SilentVoice(description: "\(recording.outcome)") }
        return HostLog.lines(after: start)
    }

    struct SilentVoice: Error, CustomStringConvertible {
        var description: String
    }
}
