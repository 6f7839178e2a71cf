import Foundation
import Testing
import TestNumbers
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

/// Graphs whose parts are well-formed but inconsistent.
@Suite struct HostileGraphTests {
    /// The number of mutations. To run more: `SYNTHHOST_MUTATIONS=100000 Scripts/sanitize address --filter HostileGraph`.
    private static let mutations = Int(ProcessInfo.processInfo.environment["SYNTHHOST_MUTATIONS"] ?? "") ?? 80

    private static let vocoder = TinyModel.Vocoder(
        channels: 32, strides: [16], blocks: [(3, [1, 2])], firstTaps: 3)

    private static let numbers: [Int64] = [0, 1, 2, -1, 16, 1 << 20, .max, .min, .min + 1]

    /// Changes one element of the structure.
    private func mutate(_ model: inout TinyModel, _ random: inout SeededRandom) {
        guard let number = model.nodes.indices.randomElement(using: &random) else { return }
        let names = model.nodes.flatMap { $0.inputs + $0.outputs }
        let name = names.randomElement(using: &random) ?? ""
        var node = model.nodes[number]
        switch Int.random(in: 0..<12, using: &random) {
        case 0: node.inputs.removeAll()
        case 1: node.outputs.removeAll()
        case 2: _ = node.inputs.popLast()
        case 3: node.inputs.append(name)
        case 4: node.outputs.append(name)
        case 5: node.inputs = node.inputs.map { Bool.random(using: &random) ? $0 : name }
        case 6: node.attributes.removeAll()
        case 7:
            node.attributes = node.attributes.map { attribute in
                var attribute = attribute
                let extreme = Self.numbers.randomElement(using: &random) ?? 0
                switch attribute.value {
                case .integer: attribute.value = .integer(extreme)
                case .integers(let old):
                    attribute.value = .integers(old.map { Bool.random(using: &random) ? $0 : extreme })
                case .float: attribute.value = .float([.nan, .infinity, 0, -1].randomElement(using: &random) ?? 0)
                case .text, .floats, .other: break
                }
                return attribute
            }
        case 8: node.operation = model.nodes.randomElement(using: &random)?.operation ?? ""
        case 9: node.inputs = node.inputs.map { _ in "" }
        case 10:
            guard let tensor = model.tensors.indices.randomElement(using: &random) else { return }
            let count = Int.random(in: 0..<4, using: &random)
            let name = model.tensors[tensor].name
            model.tensors[tensor] =
                Bool.random(using: &random)
                ? GraphTensor(name, [Float](repeating: .nan, count: count), shape: [1 << 30, 1 << 30, 3])
                : GraphTensor(
                    name, (0..<count).compactMap { _ in Self.numbers.randomElement(using: &random) }, shape: [count])
        default:
            model.nodes.swapAt(number, Int.random(in: 0..<model.nodes.count, using: &random))
            return
        }
        model.nodes[number] = node
    }

    @Test("Inconsistent parts of a graph are rejected or left unchanged", arguments: 0..<8)
    func refused(seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let isStyled = seed >= 4
        let whole =
            isStyled ? RewriteFuzzTests.styled(seed) : TinyVoice.model(Self.vocoder, hasFlow: true, speakers: 2)
        let rewrites = isStyled ? RewriteFuzzTests.ofStyledVocoders : RewriteFuzzTests.ofVocoders
        var counts = (refused: 0, rewritten: 0)
        for _ in 0..<Self.mutations {
            var model = whole
            for _ in 0...Int.random(in: 0..<3, using: &random) { mutate(&model, &random) }
            try model.bytes.withUnsafeBytes { memory in
                let none = UnsafeRawBufferPointer(start: nil, count: 0)
                guard let graph = try? ModelGraph(memory) else { return }
                for rewrite in rewrites {
                    do {
                        var editor = GraphEditor(graph, weights: none)
                        try rewrite(&editor)
                        _ = try editor.graph.bytes()
                        counts.rewritten += 1
                    } catch let error as InferenceError where error.reason == .refused {
                        counts.refused += 1
                    }
                }
            }
        }
        #expect(counts.refused > Self.mutations / 4 && counts.rewritten > Self.mutations / 4)
    }

    @Test("The cached variant of a mutated model produces the same audio as the model itself", arguments: 0..<3)
    func neverAnotherSound(seed: Int) throws {
        var random = SeededRandom(UInt64(seed + 100))
        let whole = TinyVoice.model(Self.vocoder, hasFlow: true)
        let folder = try TemporaryFolder()
        let cache = try TemporaryFolder()
        var spoken = 0
        for number in 0..<max(1, Self.mutations / 10) {
            var model = whole
            mutate(&model, &random)
            let path = try folder.write(Data(model.bytes), to: "\(number).onnx")
            let text: [Int64] = [1, 5, 9, 3, 7, 8, 20, 11]
            guard let plain = try? InferenceSession(model: path, threads: 1),
                let expected = try? TestVoice.speak(plain, text), expected.allSatisfy(\.isFinite)
            else { continue }
            for _ in 0..<2 {
                let session = try InferenceSession(
                    model: path, threads: 1, cacheDirectory: cache.path, rewrittenAs: .vits)
                session.rewrite(checkedBy: RewriteCheck(TinyVoice.inputs([2, 4, 6]), output: "output")) { _ in }
                let found = try TestVoice.speak(session, text)
                #expect(RewriteCheck.difference(expected, found) <= RewriteCheck.tolerance, "model \(number)")
            }
            spoken += 1
        }
        #expect(spoken > 0)
    }
}
