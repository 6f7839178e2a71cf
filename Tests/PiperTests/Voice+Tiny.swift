import Foundation
import TestSupport
import TinyModels

extension Voice {
    /// A voice whose model a test builds, with the structure of published ones.
    ///
    /// - Parameter noise: If it is not 0, the model sounds otherwise each time, so its rewritten form fails its check.
    static func tiny(noise: Float = 0) throws -> Voice {
        let folder = try TemporaryFolder()
        let bytes = TinyVoice.model(.init(strides: [8, 16]), hasFlow: true, noise: noise).bytes
        let model = try folder.write(Data(bytes), to: "en_US-tiny-x_low.onnx")
        let tern = try Data(contentsOf: URL(filePath: try Voice().model + ".json"))
        var json = try JSONSerialization.jsonObject(with: tern) as? [String: Any] ?? [:]
        let ids = json["phoneme_id_map"] as? [String: [Int]] ?? [:]
        json["phoneme_id_map"] = ids.mapValues { $0.map { $0 % TinyVoice.ids } }
        json["inference"] = ["noise_scale": 0, "length_scale": 1, "noise_w": 0]
        json["dataset"] = "tiny"
        let config = try folder.write(
            try JSONSerialization.data(withJSONObject: json), to: "en_US-tiny-x_low.onnx.json")
        return Voice(folder: folder, model: model, config: config)
    }
}
