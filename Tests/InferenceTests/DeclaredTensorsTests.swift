import Foundation
import Testing

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

    @Test("The output of one run can be the input of another") func outputs() throws {
        let session = try InferenceSession(model: decoder, threads: 1, of: .decoder)
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
}
