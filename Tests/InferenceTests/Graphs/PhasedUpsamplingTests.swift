import Testing
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct PhasedUpsamplingTests {
    private func model(
        taps: Int, stride: Int, padding: (Int, Int), outputPadding: Int = 0, channels: (Int, Int) = (6, 5)
    ) -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let up = model.upsampling(
            input, from: channels.0, to: channels.1, taps: taps, stride: stride, padding: padding,
            outputPadding: outputPadding)
        model.output(model.add("Identity", [up], as: "output"))
        return model
    }

    @Test(
        "Splitting the transposed convolution into phases produces the same samples",
        arguments: [
            (16, 8, 4, 4, 0), (8, 4, 2, 2, 0), (4, 2, 1, 1, 0), (2, 2, 0, 0, 0), (20, 10, 5, 5, 0), (12, 6, 3, 3, 0),
            (7, 3, 2, 2, 0), (11, 5, 3, 3, 0), (10, 5, 3, 3, 1), (9, 4, 3, 2, 0), (5, 3, 0, 2, 0), (3, 1, 1, 1, 0),
        ])
    func samples(taps: Int, stride: Int, before: Int, after: Int, outputPadding: Int) throws {
        let bytes = model(taps: taps, stride: stride, padding: (before, after), outputPadding: outputPadding).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let count = try PhasedUpsampling.apply(to: &$0)
            #expect(count == 1)
            #expect($0.graph.nodes.allSatisfy { $0.operation != "ConvTranspose" })
        }
        for frames in [1, 2, 3, 17] {
            let inputs = TinyModel.frames(frames, channels: 6)
            let plain = try TinyModel.run(bytes, inputs)
            let changed = try TinyModel.run(rewritten, inputs)
            #expect(plain.shape == [1, 5, Int64(frames * stride)])
            #expect(changed.shape == plain.shape)
            #expect(relativeDifference(plain.numbers, changed.numbers) <= 1e-6)
        }
    }

    @Test("Fractional upsampling is left unchanged, and the reason includes its parameters")
    func refused() throws {
        let bytes = model(taps: 512, stride: 147, padding: (0, 0), channels: (6, 1)).bytes
        let refusal = #expect(throws: InferenceError.self) {
            try TinyModel.rewritten(bytes) { _ = try PhasedUpsampling.apply(to: &$0) }
        }
        #expect(
            refusal?.description
                == "a ConvTranspose node has an unsupported combination of parameters, such as kernel size 512, stride 147 and padding 0"
        )
    }

    @Test("If one upsampling node is not supported, all of them are left unchanged")
    func mixed() throws {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let first = model.upsampling(input, from: 4, to: 4, taps: 4, stride: 2, padding: (1, 1))
        let second = model.upsampling(first, from: 4, to: 4, taps: 4, stride: 2, padding: (0, 0))
        model.output(model.add("Identity", [second], as: "output"))
        let bytes = model.bytes
        try bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            let before = try editor.graph.bytes()
            expectRefusal { _ = try PhasedUpsampling.apply(to: &editor) }
            let after = try editor.graph.bytes()
            #expect(after == before)
        }
    }

    @Test("A model without upsampling is rejected")
    func nothing() throws {
        var model = TinyModel()
        model.output(model.add("Identity", [model.input("input", .float32, rank: 3)], as: "output"))
        let bytes = model.bytes
        #expect(throws: InferenceError.refused("the model has no ConvTranspose node")) {
            try TinyModel.rewritten(bytes) { _ = try PhasedUpsampling.apply(to: &$0) }
        }
    }
}
