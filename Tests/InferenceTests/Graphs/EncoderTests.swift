import Foundation
import Testing
import TestNumbers
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("Encoders with fused attention") struct EncoderTests {
    /// A way in which exports write attention, or a detail that the fused operator cannot compute.
    enum Form: CaseIterable {
        case plain, scaled, transposed
        case masked, otherAxis, unequalHeads, readTwice, zeroScale, unknownHeads
    }

    /// Two heads of four numbers over the frames of the input, which has the shape [1, frames, 8].
    private func model(_ form: Form) -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        func heads(_ axes: [Int64], _ count: Int64 = 2) -> String {
            let projected = model.add("MatMul", [input, model.noise([8, 8])])
            let size = model.constant([0, 0, form == .unknownHeads ? -1 : count, form == .unknownHeads ? 4 : -1])
            let divided = model.add("Reshape", [projected, size])
            return model.add("Transpose", [divided], ["perm": .integers(axes)])
        }
        let isFused = form == .transposed || form == .scaled || form == .zeroScale
        let queries = heads([0, 2, 1, 3])
        let keys = heads(form == .transposed ? [0, 2, 1, 3] : [0, 2, 3, 1])
        let values = form == .unequalHeads ? heads([0, 2, 1, 3], 1) : heads([0, 2, 1, 3])
        var scores =
            isFused
            ? model.add(
                "FusedMatMul", [queries, keys], domain: "com.microsoft",
                [
                    "alpha": .float(form == .zeroScale ? 0 : 0.3),
                    "transB": .integer(form == .transposed ? 1 : 0),
                ]) : model.add("MatMul", [queries, keys])
        if form == .masked { scores = model.add("Add", [scores, model.noise([1])]) }
        let weights = model.add("Softmax", [scores], ["axis": .integer(form == .otherAxis ? 2 : -1)])
        let weighted = model.add("MatMul", [weights, values])
        let joined = model.add("Transpose", [weighted], ["perm": .integers([0, 2, 1, 3])])
        model.output(model.add("Reshape", [joined, model.constant([0, 0, -1])], as: "output"))
        if form == .readTwice { model.output(model.add("Neg", [weights], as: "weights")) }
        return model
    }

    private static let frames = [
        (
            name: "input",
            tensor: InferenceTensor(
                (0..<80).map { (index: Int) -> Float in Float(index * 7 % 11) / 11 }, shape: [1, 10, 8])
        )
    ]

    private func rewritten(_ bytes: [UInt8]) throws -> [UInt8] {
        try bytes.withUnsafeBytes { memory in
            var graph = try ModelGraph(memory)
            try RecognizerPart.encoder.rewrite(&graph)
            return try graph.bytes()
        }
    }

    private func operations(_ bytes: [UInt8]) throws -> [String] {
        try bytes.withUnsafeBytes { try ModelGraph($0).nodes.map(\.operation) }
    }

    @Test(
        "Attention is fused in each of its usual forms and yields the same numbers",
        arguments: Form.allCases.prefix(3))
    func fused(_ form: Form) throws {
        let published = model(form).bytes
        let changed = try rewritten(published)
        let names = try operations(changed)
        #expect(names.contains("MultiHeadAttention") && !names.contains("Softmax"))
        let (first, second) = (try TinyModel.run(published, Self.frames), try TinyModel.run(changed, Self.frames))
        #expect(first.shape == [1, 10, 8] && second.shape == first.shape)
        #expect(zip(first.numbers, second.numbers).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(Set(first.numbers.map { ($0 * 1000).rounded() }).count > 20)
    }

    @Test("Attention in any other form is left unchanged", arguments: Form.allCases.dropFirst(3))
    func left(_ form: Form) throws {
        let published = model(form).bytes
        #expect(try operations(try rewritten(published)) == operations(published))
    }

    @Test("A cached encoder uses fused attention and computes the same features") func cached() throws {
        let encoder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/Whisper/encoder_model.onnx").path
        let folder = try TemporaryFolder()
        var found: [[Float]] = []
        for isFromCache in [false, true] {
            let session = try InferenceSession(model: encoder, threads: 2, cacheDirectory: folder.path, of: .encoder)
            #expect(session.isFromCache == isFromCache)
            let (name, shape) = (session.inputs[0].name, [Int64(1), 80, 3000])
            let sound = (0..<240_000).map { (index: Int) -> Float in Float(index % 13) / 13 - 0.5 }
            let output = try session.run(
                [(name, InferenceTensor(sound, shape: shape))], outputs: [session.outputs[0].name], as: InferenceRun())
            found.append(try #require(output[0].floats()))
        }
        #expect(found[0].count == 12_000 && zip(found[0], found[1]).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(Set(found[1].map { ($0 * 1000).rounded() }).count > 20)
        let entry = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let graph = Array(try Data(contentsOf: URL(filePath: "\(folder.path)/\(entry)/graph.onnx")))
        #expect(try operations(graph).filter { $0 == "MultiHeadAttention" }.count == 2)
    }

    @Test("A damaged encoder is either rewritten or rejected") func damaged() throws {
        let whole = model(.scaled).bytes
        var random = SeededRandom(1)
        var rejected = 0
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<3 { bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random) }
            if (try? rewritten(bytes)) == nil { rejected += 1 }
        }
        #expect(rejected > 10 && rejected < 1000)
    }
}
