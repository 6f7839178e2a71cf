import Foundation
import TestSupport
import Testing

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("Declarations in a model file") struct DeclaredTensorsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Whisper")

    private var decoder: String { Self.folder.appending(path: "decoder_model_merged.onnx").path }

    @Test("Inputs and outputs have names, element types and shapes") func shapes() throws {
        let tensors = try DeclaredTensors(model: decoder)
        #expect(tensors.inputs.first == .init(name: "input_ids", element: .int64, shape: [nil, nil]))
        #expect(tensors.inputs.last == .init(name: "use_cache_branch", element: .bool, shape: [1]))
        #expect(
            tensors.inputs[2]
                == .init(name: "past_key_values.0.decoder.key", element: .float32, shape: [nil, 2, nil, 4]))
        #expect(tensors.outputs.first?.name == "logits" && tensors.outputs.first?.shape.last == 1781)
    }

    @Test("A truncated file causes an error or yields fewer declarations") func cut() throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: decoder)))
        for length in stride(from: 0, to: bytes.count, by: 61) {
            let cut = Array(bytes.prefix(length))
            _ = cut.withUnsafeBytes { file in try? DeclaredTensors(file) }
        }
        #expect(throws: InferenceError.self) { try DeclaredTensors(model: decoder + ".none") }
    }

    @Test("A run's output can be another run's input") func outputs() throws {
        let session = try InferenceSession(model: decoder, threads: 1, isDecoder: true)
        let empty = InferenceTensor([Float](), shape: [1, 2, 0, 4])
        var inputs: [(name: String, tensor: InferenceTensor)] = [
            ("input_ids", InferenceTensor([Int64(1), 2], shape: [1, 2])),
            ("encoder_hidden_states", InferenceTensor([Float](repeating: 0.5, count: 80), shape: [1, 10, 8])),
            ("use_cache_branch", InferenceTensor([false], shape: [1])),
        ]
        let pasts = session.inputs.map(\.name).filter { $0.hasPrefix("past") }
        let presents = pasts.map { $0.replacing("past_key_values", with: "present") }
        let first = try session.run(
            inputs + pasts.map { ($0, empty) }, outputs: ["logits"] + presents, as: InferenceRun())
        // Processing one additional token yields the same result as processing the complete sequence.
        let second = [
            ("input_ids", InferenceTensor([Int64(3)], shape: [1, 1])), inputs[1],
            ("use_cache_branch", InferenceTensor([true], shape: [1])),
        ]
        let after = try session.run(
            second + zip(pasts, first.dropFirst()).map { ($0, InferenceTensor($1)) }, outputs: ["logits"],
            as: InferenceRun())
        inputs[0].tensor = InferenceTensor([Int64(1), 2, 3], shape: [1, 3])
        let whole = try session.run(inputs + pasts.map { ($0, empty) }, outputs: ["logits"], as: InferenceRun())
        let (one, three) = (try #require(after[0].floats()), try #require(whole[0].floats()))
        #expect(one.count == 1781 && three.count == 3 * 1781)
        #expect(zip(one, three.suffix(1781)).allSatisfy { abs($0 - $1) < 1e-4 })
    }

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

    @Test("A cached decoder multiplies without copying its weights, and computes the same numbers") func narrow() throws
    {
        let folder = try TemporaryFolder()
        var found: [[Float]] = []
        for isFromCache in [false, true] {
            let session = try InferenceSession(
                model: decoder, threads: 2, cacheDirectory: folder.path, isDecoder: true)
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
        var state: UInt64 = 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var rejected = 0
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<3 { bytes[random(bytes.count)] = UInt8(random(256)) }
            if rewritten(bytes) == nil { rejected += 1 }
        }
        #expect(rejected > 10 && rejected < 1000)
    }
}
