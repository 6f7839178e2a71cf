import TestNumbers
import Testing

@testable import ONNXInference

@Suite struct BlockedDecoderTests {
    private static let vocoders: [TinyModel.Vocoder] = [
        .init(), .init(isPaired: true), .init(channels: 128, strides: [8, 8, 4]), .init(strides: [16]),
        .init(channels: 128, strides: [4, 2, 8], blocks: [(3, [1, 3, 5])], isPaired: true), .init(blocks: []),
    ]

    @Test("samples are those of the plain vocoder, whatever the number of rows", arguments: vocoders.indices)
    func samples(index: Int) throws {
        let vocoder = Self.vocoders[index]
        let block = try #require(BlockSize.probe(try InferenceRuntime.shared))
        let bytes = TinyModel.vocoder(vocoder).bytes
        for rows in [1, 2, 3] {
            let rewritten = try TinyModel.rewritten(bytes) {
                let cut = try BlockedDecoder.apply(to: &$0, block: block, rows: rows)
                #expect(
                    cut
                        == (vocoder.strides.count > 1 && vocoder.strides.dropFirst().reduce(1, *) % block == 0
                            ? rows : 1))
                #expect(
                    !$0.graph.nodes.contains {
                        ["ConvTranspose", "LeakyRelu"].contains($0.operation) && $0.domain == "none"
                    })
            }
            for frames in [1, 2, 5, 40, 83] {
                let inputs = TinyModel.frames(frames, channels: vocoder.channels)
                let plain = try TinyModel.run(bytes, inputs)
                let changed = try TinyModel.run(rewritten, inputs, threads: rows)
                #expect(changed.shape == plain.shape)
                let difference = relativeDifference(plain.numbers, changed.numbers)
                #expect(difference <= 1e-5, "\(rows) rows, \(frames) frames")
            }
        }
    }
}
