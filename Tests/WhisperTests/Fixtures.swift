import EngineKit
import Foundation
import TestSupport

@testable import SynthWhisper

/// The small model with random weights and the expected values that its scripts wrote.
enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Whisper")

    struct Expected: Decodable {
        struct Text: Decodable {
            var width: Int
            var isTimed: Bool
            var tokens: [Int]
            var mean: Double
        }

        /// Each row consists of a band, a frame and the value.
        var mel80: [[Double]]
        var mel128: [[Double]]
        var melLong: [[Double]]
        var texts: [Text]
        var language: String
        var quiet: Double
    }

    static func expected() throws -> Expected {
        try JSONDecoder().decode(Expected.self, from: Data(contentsOf: folder.appending(path: "expected.json")))
    }

    static func content(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    static func table() throws -> TokenTable { try TokenTable(json: try content("tokenizer.json")) }

    /// A configuration that suppresses no tokens unless the JSON lists tokens to suppress.
    static func configuration(_ table: TokenTable, _ json: String = "{}") throws -> GenerationConfiguration {
        try GenerationConfiguration(json: Array(json.utf8), table, vocabulary: nil)
    }

    static let files = WhisperFiles(
        encoder: folder.appending(path: "encoder_model.onnx").path,
        decoder: folder.appending(path: "decoder_model_merged.onnx").path,
        tokenizer: folder.appending(path: "tokenizer.json").path,
        configuration: folder.appending(path: "generation_config.json").path)

    /// The same audio as in `whisper_expected.py`.
    static func sound(_ seconds: Double) -> [Float] {
        (0..<Int(seconds * 16_000)).map { number in
            let time = Double(number) / 16_000
            let phase = 2 * Double.pi * (200 * time + 150 * time * time)
            return Float((0.3 + 0.2 * sin(5 * time)) * (sin(phase) + 0.1 * sin(3 * phase)))
        }
    }
}

/// Scores defined by a test: for the preceding tokens, the most likely next tokens with their scores. All other tokens
/// have a score of 0.
struct ScriptedScorer: TokenScorer {
    let width: Int
    let script: (_ said: [Int]) -> [Int: Float]
    /// The tokens that follow the prompt in each hypothesis.
    private var texts: [[Int]] = []
    private(set) var prompts: [[Int]] = []
    private(set) var steps = 0
    /// The first token that is not text.
    private static let end = 268

    init(width: Int, _ script: @escaping (_ said: [Int]) -> [Int: Float]) {
        self.width = width
        self.script = script
    }

    mutating func begin(_ prompt: [Int], scoresAt positions: [Int]) throws -> ScoreRows {
        prompts.append(prompt)
        // Text tokens at the end of the prompt are the beginning of the text.
        let said = Array(prompt.reversed().prefix { $0 < Self.end }.reversed())
        texts = [said]
        var rows = ScoreRows(numbers: [], width: width)
        for place in positions {
            rows.numbers += row(Array(said.prefix(max(0, place + 1 + said.count - prompt.count))))
        }
        return rows
    }

    mutating func step(_ tokens: [Int], parents: [Int]) throws -> ScoreRows {
        steps += 1
        texts = zip(tokens, parents).map { texts[$1] + [$0] }
        return ScoreRows(numbers: texts.flatMap(row), width: width)
    }

    private func row(_ said: [Int]) -> [Float] {
        var row = [Float](repeating: 0, count: width)
        for (token, score) in script(said) { row[token] = score }
        return row
    }
}
