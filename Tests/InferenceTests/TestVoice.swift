import Foundation
import SynthInference

/// The small test voices, and an utterance for them.
enum TestVoice {
    static let tern = path("en_US-tern-x_low")
    static let flock = path("en_US-flock-x_low")

    static func path(_ name: String) -> String { folder + name + ".onnx" }

    /// A row of the style file for the voice kokoro-tern; empty if it cannot be read.
    static let style: [Float] = {
        let bytes = (try? Data(contentsOf: URL(filePath: folder + "af_tern.bin"))) ?? Data()
        return bytes.withUnsafeBytes { bytes in
            (0..<min(256, bytes.count / 4)).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }()

    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Voices/").path + "/"

    /// The IDs of "Test 1." according to the voices' configuration.
    static let ids: [Int64] = [1, 0, 32, 0, 120, 0, 61, 0, 31, 0, 32, 0, 3, 0, 35, 0, 120, 0, 102, 0, 26, 0, 10, 0, 2]

    /// IDs for half a minute of audio.
    static let long: [Int64] = [1] + [Int64](repeating: 61, count: 600) + [2]

    static func inputs(_ ids: [Int64] = ids) -> [(name: String, tensor: InferenceTensor)] {
        [
            ("input", InferenceTensor(ids, shape: [1, Int64(ids.count)])),
            ("input_lengths", InferenceTensor([Int64(ids.count)], shape: [1])),
            // Without noise, the voices produce the same samples on every run.
            ("scales", InferenceTensor([Float(0), 1, 0], shape: [3])),
        ]
    }

    static func speak(_ session: InferenceSession, _ ids: [Int64] = ids) throws -> [Float] {
        let outputs = try session.run(inputs(ids), outputs: ["output"], as: try InferenceRun())
        return outputs[0].withFloats { Array($0) } ?? []
    }
}
