import Foundation
import TestSupport
import TinyModels

extension Voice {
    /// A voice whose model a test creates, with the structure of published voices.
    ///
    /// - Parameter failsCheck: Whether the configuration contains an ID that the model lacks, so that the check of a rewritten
    ///   model fails.
    static func tiny(failsCheck: Bool = false) throws -> Voice {
        let folder = try TemporaryFolder()
        let bytes = TinyVoice.model(.init(strides: [8, 16]), hasFlow: true).bytes
        let model = try folder.write(Data(bytes), to: "en_US-tiny-x_low.onnx")
        let tern = try Data(contentsOf: URL(filePath: try Voice().model + ".json"))
        var json = try JSONSerialization.jsonObject(with: tern) as? [String: Any] ?? [:]
        let ids = json["phoneme_id_map"] as? [String: [Int]] ?? [:]
        var known = ids.mapValues { $0.map { $0 % TinyVoice.ids } }
        if failsCheck { known["€"] = [-1000] }
        json["phoneme_id_map"] = known
        json["inference"] = ["noise_scale": 0, "length_scale": 1, "noise_w": 0]
        json["dataset"] = "tiny"
        let config = try folder.write(
            try JSONSerialization.data(withJSONObject: json), to: "en_US-tiny-x_low.onnx.json")
        return Voice(folder: folder, model: model, config: config)
    }
}
