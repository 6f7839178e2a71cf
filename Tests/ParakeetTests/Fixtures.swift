import EngineKit
import Foundation

@testable import SynthParakeet

/// The small model with random weights that `Scripts/lib/listener/parakeet_expected.py` writes, along with onnx-asr's
/// results for it.
enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Parakeet")

    struct Expected: Decodable {
        /// The duration in seconds, the initial frequency in hertz, its increase per second, and the rate of the amplitude
        /// modulation.
        var sound: [Double]
        var tokens: [Int]
        var frames: [Int]
        /// The natural logarithms of the probabilities.
        var logarithms: [Double]
        var text: String

        var samples: [Float] { Fixture.sound(sound[0], sound[1], sound[2], sound[3]) }
    }

    static func expected() throws -> [Expected] {
        try JSONDecoder().decode([Expected].self, from: Data(contentsOf: folder.appending(path: "expected.json")))
    }

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    static func content(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    static func vocabulary() throws -> TokenVocabulary { try TokenVocabulary(content("vocab.txt")) }

    /// The files in onnx-asr's layout.
    static let files = ParakeetFiles(
        encoder: path("encoder-model.onnx"), decoder: path("decoder_joint-model.onnx"), tokens: path("vocab.txt"),
        configuration: path("config.json"))
    /// The files in sherpa-onnx's layout.
    static let parts = ParakeetFiles(
        encoder: path("encoder-model.onnx"), decoder: path("decoder.onnx"), joiner: path("joiner.onnx"),
        tokens: path("vocab.txt"))

    /// Generates the same audio as the script does for these numbers.
    static func sound(_ seconds: Double, _ hertz: Double, _ more: Double, _ swell: Double) -> [Float] {
        (0..<Int(seconds * 16_000)).map { number in
            let time = Double(number) / 16_000
            let phase = 2 * Double.pi * (hertz * time + more / 2 * time * time)
            return Float((0.3 + 0.2 * sin(swell * time)) * (sin(phase) + 0.1 * sin(3 * phase)))
        }
    }
}
