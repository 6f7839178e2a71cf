import Testing
import TinyModels

@testable import ONNXInference

@Suite struct BlockedUpsamplingTests {
    private func model(taps: Int, stride: Int, padding: (Int, Int), channels: (Int, Int) = (64, 32)) -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let up = model.upsampling(
            input, from: channels.0, to: channels.1, taps: taps, stride: stride, padding: padding)
        model.output(model.add("Identity", [up], as: "output"))
        return model
    }

    @Test(
        "phases give the samples of the transposed convolution",
        arguments: [(20, 10, 5, 5), (12, 6, 3, 3), (4, 2, 1, 1), (7, 3, 2, 2), (3, 1, 1, 1)])
    func samples(taps: Int, stride: Int, before: Int, after: Int) throws {
        let block = try #require(BlockSize.probe(try InferenceRuntime.shared))
        let bytes = model(taps: taps, stride: stride, padding: (before, after)).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let count = try BlockedUpsampling.apply(to: &$0, block: block)
            #expect(count == 1 && $0.count("ConvTranspose") == 0)
        }
        for frames in [1, 2, 3, 17] {
            let inputs = TinyModel.frames(frames, channels: 64)
            let plain = try TinyModel.run(bytes, inputs)
            let changed = try TinyModel.run(rewritten, inputs)
            #expect(plain.shape == [1, 32, Int64(frames * stride)])
            #expect(changed.shape == plain.shape)
            #expect(relativeDifference(plain.numbers, changed.numbers) <= 1e-6)
        }
    }

    @Test(
        "what does not fit is left as it is",
        arguments: [
            (4, 2, 0, 0, 64, 32), (4, 2, 1, 1, 24, 32), (4, 2, 1, 1, 64, 11), (20, 5, 0, 0, 16, 1),
        ])
    func refused(taps: Int, stride: Int, before: Int, after: Int, inputs: Int, outputs: Int) throws {
        let bytes = model(taps: taps, stride: stride, padding: (before, after), channels: (inputs, outputs)).bytes
        #expect(throws: RewriteRefusal("there is no ConvTranspose that fits blocks of 16")) {
            try TinyModel.rewritten(bytes) { _ = try BlockedUpsampling.apply(to: &$0, block: 16) }
        }
    }

    @Test("one that does not fit does not keep another from being replaced")
    func mixed() throws {
        let block = try #require(BlockSize.probe(try InferenceRuntime.shared))
        var model = model(taps: 4, stride: 2, padding: (1, 1))
        model.output(model.upsampling("output", from: 32, to: 1, taps: 20, stride: 5, padding: (0, 0)))
        _ = try TinyModel.rewritten(model.bytes) {
            let count = try BlockedUpsampling.apply(to: &$0, block: block)
            #expect(count == 1 && $0.count("ConvTranspose") == 1)
        }
    }
}
