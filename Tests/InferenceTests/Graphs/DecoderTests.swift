import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("Decoders that multiply without copies") struct DecoderTests {
    private let decoder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Whisper/decoder_model_merged.onnx").path

    /// Runs the branch for one more token, with three hypotheses of two tokens.
    private func scores(_ session: InferenceSession) throws -> [Float] {
        let past = (0..<48).map { (index: Int) -> Float in Float(index % 7) / 7 - 0.4 }
        let sound = (0..<80).map { (index: Int) -> Float in Float(index % 5) / 5 - 0.3 }
        var inputs: [(name: String, tensor: InferenceTensor)] = [
            ("input_ids", InferenceTensor([Int64(3), 4, 5], shape: [3, 1])),
            ("encoder_hidden_states", InferenceTensor([Float](repeating: 0.5, count: 80), shape: [1, 10, 8])),
            ("use_cache_branch", InferenceTensor([true], shape: [1])),
        ]
        for name in session.inputs.map(\.name) where name.hasPrefix("past") {
            let isSound = name.contains("encoder")
            inputs.append(
                (name, InferenceTensor(isSound ? sound : past, shape: isSound ? [1, 2, 10, 4] : [3, 2, 2, 4])))
        }
        return try #require(try session.run(inputs, outputs: ["logits"], as: InferenceRun())[0].floats())
    }

    @Test("A cached decoder multiplies without copying its weights and computes the same numbers") func narrow() throws
    {
        let folder = try TemporaryFolder()
        var found: [[Float]] = []
        for isFromCache in [false, true] {
            let session = try InferenceSession(
                model: decoder, threads: 2, cacheDirectory: folder.path, of: .decoder)
            #expect(session.isFromCache == isFromCache)
            found.append(try scores(session))
        }
        #expect(found[0].count == 3 * 1781 && zip(found[0], found[1]).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(Set(found[1].map { ($0 * 1000).rounded() }).count > 100)
        let entry = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let graph = try Data(contentsOf: URL(filePath: "\(folder.path)/\(entry)/graph.onnx"))
        #expect(graph.range(of: Data("NarrowProduct".utf8)) != nil)
    }

    /// Returns the decoder's file after the rewrite, or `nil` if it is rejected.
    private func rewritten(_ bytes: [UInt8]) -> Data? {
        bytes.withUnsafeBytes { memory in
            guard var graph = try? ModelGraph(memory) else { return nil }
            guard (try? NarrowProduct.replaceProducts(in: &graph)) != nil else { return nil }
            return (try? graph.bytes()).map { Data($0) }
        }
    }

    @Test("A damaged decoder is either rewritten or rejected") func damaged() throws {
        let whole = Array(try Data(contentsOf: URL(filePath: decoder)))
        let operation = Data("NarrowProduct".utf8)
        #expect(rewritten(whole)?.range(of: operation) != nil)
        var random = SeededRandom(1)
        var rejected = 0
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<3 { bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random) }
            if rewritten(bytes) == nil { rejected += 1 }
        }
        #expect(rejected > 10 && rejected < 1000)
    }
}
