import Testing
import TestNumbers
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct BlockedDecoderTests {
    private static let vocoders: [TinyModel.Vocoder] = [
        .init(), .init(isPaired: true), .init(channels: 128, strides: [8, 8, 4]), .init(strides: [16]),
        .init(channels: 128, strides: [4, 2, 8], blocks: [(3, [1, 3, 5])], isPaired: true), .init(blocks: []),
    ]

    @Test("The samples match those of the plain vocoder with any number of threads", arguments: vocoders.indices)
    func samples(index: Int) throws {
        let vocoder = Self.vocoders[index]
        let block = try #require(BlockedConvolution.block)
        let bytes = TinyModel.vocoder(vocoder).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            try BlockedDecoder.apply(to: &$0, block: block)
            // One LeakyRelu precedes the vocoder, and another precedes the last convolution, which the library
            // computes.
            #expect($0.count("ConvTranspose") == 0 && $0.count("LeakyRelu") <= 2)
        }
        for frames in [1, 2, 5, 40, 83] {
            let inputs = TinyModel.frames(frames, channels: vocoder.channels)
            let plain = try TinyModel.run(bytes, inputs)
            for threads in [1, 2, 3] {
                let changed = try TinyModel.run(rewritten, inputs, threads: threads)
                #expect(changed.shape == plain.shape)
                let difference = relativeDifference(plain.numbers, changed.numbers)
                #expect(difference <= 1e-5, "\(threads) threads, \(frames) frames")
            }
        }
    }

    @Test(
        "The samples match even if several nodes read the same activation",
        arguments: [0, 0.1, 1, 1.5, -0.2] as [Float])
    func activations(slope: Float) throws {
        let block = try #require(BlockedConvolution.block)
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let up = model.activation(
            model.upsampling(input, from: 64, to: 32, taps: 32, stride: 16, padding: (8, 8)), slope)
        let sum = model.add("Add", [model.convolution(up, from: 32, to: 32, taps: 3), up])
        let scaled = model.add("Div", [model.activation(sum, 0.2), model.constant([2], [])])
        let twice = model.activation(model.activation(scaled, 0.5), slope)
        let doubled = model.add("Add", [twice, twice])
        let convolved = model.convolution(doubled, from: 32, to: 32, taps: 5, dilation: 2)
        let last = model.activation(model.add("Add", [convolved, scaled]), 0.01)
        model.output(model.add("Tanh", [model.convolution(last, from: 32, to: 1, taps: 7)], as: "output"))
        let rewritten = try TinyModel.rewritten(model.bytes) { try BlockedDecoder.apply(to: &$0, block: block) }
        let inputs = TinyModel.frames(9, channels: 64)
        let plain = try TinyModel.run(model.bytes, inputs)
        let changed = try TinyModel.run(rewritten, inputs)
        #expect(relativeDifference(plain.numbers, changed.numbers) <= 1e-5)
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var reason: String
        var vocoder = TinyModel.Vocoder()
        var version: Int64 = 17
        var change: @Sendable (inout TinyModel) -> Void = { _ in }

        var testDescription: String { reason }
    }

    private static let refused = [
        Refused(reason: "the channel count 40 is not a multiple of the block size 16", vocoder: .init(channels: 80)),
        Refused(
            reason: "the vocoder's last convolution does not fit blocks of 16 channels",
            vocoder: .init(strides: [4, 2])),
        Refused(reason: "the model uses the unsupported operator set version 12", version: 12),
        Refused(reason: "the model has no ConvTranspose node", vocoder: .init(strides: [])),
        Refused(reason: "the vocoder contains an unsupported node, Sin") { model in
            guard let last = model.nodes.lastIndex(where: { $0.operation == "LeakyRelu" }) else { return }
            model.nodes[last].operation = "Sin"
            model.nodes[last].attributes = []
        },
        Refused(reason: "an intermediate tensor of the vocoder is also an output of the model") { model in
            guard let node = model.nodes.last(where: { $0.operation == "Div" }) else { return }
            model.output(node.outputs[0])
        },
        Refused(reason: "the vocoder's Add node reads an unexpected tensor") { model in
            guard let sum = model.nodes.lastIndex(where: { $0.operation == "Add" }) else { return }
            model.nodes[sum].inputs[1] = "input"
        },
    ]

    @Test("An unknown vocoder is left unchanged, and the reason names the unknown part", arguments: refused)
    func refusals(_ refused: Refused) throws {
        var model = TinyModel.vocoder(refused.vocoder)
        model.operatorVersion = refused.version
        refused.change(&model)
        try model.bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            let before = try editor.graph.bytes()
            #expect(throws: InferenceError.refused(refused.reason)) {
                try BlockedDecoder.apply(to: &editor, block: 16)
            }
            let after = try editor.graph.bytes()
            #expect(after == before)
        }
    }
}
