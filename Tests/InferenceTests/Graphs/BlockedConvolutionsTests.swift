import Testing
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct BlockedConvolutionsTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        var taps: Int
        var dilation = 1
        var channels = (32, 48)
        /// The padding; nil for padding that keeps the length.
        var padding: (Int, Int)?

        var testDescription: String { "\(channels.0) to \(channels.1) channels, \(taps) taps, dilation \(dilation)" }
    }

    private func model(_ shape: Shape, _ change: (inout TinyModel) -> Void = { _ in }) -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let convolved = model.convolution(
            input, from: shape.channels.0, to: shape.channels.1, taps: shape.taps, dilation: shape.dilation)
        if let (before, after) = shape.padding {
            model.nodes[0].attributes.removeAll { $0.name == "pads" }
            model.nodes[0].attributes.append(GraphAttribute("pads", .integers([Int64(before), Int64(after)])))
        }
        model.output(model.add("Identity", [convolved], as: "output"))
        change(&model)
        return model
    }

    @Test(
        "The samples match those of the plain convolution",
        arguments: [
            Shape(taps: 3), Shape(taps: 3, dilation: 2), Shape(taps: 4), Shape(taps: 5), Shape(taps: 5, dilation: 6),
            Shape(taps: 5, dilation: 3), Shape(taps: 5, dilation: 5),
            Shape(taps: 7, dilation: 3), Shape(taps: 7, dilation: 7), Shape(taps: 8, dilation: 1),
            Shape(taps: 11, dilation: 5, channels: (32, 32)), Shape(taps: 7, padding: (0, 6)),
            Shape(taps: 5, dilation: 3, padding: (10, 2)), Shape(taps: 12, dilation: 9, padding: (99, 0)),
        ])
    func samples(shape: Shape) throws {
        let block = try #require(BlockedConvolution.block)
        // With an even number of taps, only asymmetric padding keeps the length.
        var shape = shape
        let reach = shape.dilation * (shape.taps - 1)
        shape.padding = shape.padding ?? (reach / 2, reach - reach / 2)
        let bytes = model(shape).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let found = try BlockedConvolutions.apply(to: &$0, block: block)
            #expect("\(found)" == "1 convolution in blocks of \(block) channels" && $0.count("Conv") == 0)
        }
        for frames in [1, 2, 3, 4, 5, 31, 64, 65, 66, 67] {
            let inputs = TinyModel.frames(frames, channels: shape.channels.0)
            let plain = try TinyModel.run(bytes, inputs)
            let changed = try TinyModel.run(rewritten, inputs)
            #expect(plain.shape == [1, Int64(shape.channels.1), Int64(frames)])
            #expect(changed.shape == plain.shape)
            #expect(relativeDifference(plain.numbers, changed.numbers) <= 3e-6, "\(frames) frames")
        }
    }

    @Test(
        "Integer arithmetic yields nearly the same samples, even with many channels", arguments: [(32, 48), (640, 32)])
    func integers(inputs: Int, outputs: Int) throws {
        let block = try #require(BlockedConvolution.block)
        let bytes = model(Shape(taps: 7, dilation: 3, channels: (inputs, outputs))).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let found = try BlockedConvolutions.apply(to: &$0, block: block, hasIntegers: true)
            #expect("\(found)" == "1 convolution in blocks of \(block) channels as int8" && $0.count("Conv") == 0)
        }
        guard BlockedConvolution.multipliesIntegers else { return }
        for frames in [1, 64, 700] {
            let given = TinyModel.frames(frames, channels: inputs)
            let plain = try TinyModel.run(bytes, given)
            let changed = try TinyModel.run(rewritten, given)
            #expect(changed.shape == plain.shape)
            let difference = relativeDifference(plain.numbers, changed.numbers)
            #expect(difference > 1e-6 && difference < 0.03, "\(frames) frames")
        }
    }

    @Test("A convolution whose integer sums could overflow is rejected")
    func largeSums() throws {
        let bytes = model(Shape(taps: 41, channels: (2048, 16))).bytes
        #expect(throws: InferenceError.refused("a convolution sums too many products for integer arithmetic")) {
            try TinyModel.rewritten(bytes) {
                _ = try BlockedConvolutions.apply(to: &$0, block: 16, hasIntegers: true)
            }
        }
    }

    // With this project's operator, only the order of the weights would be wrong, because the operator uses the correct
    // block size. The library's own convolutions do not check the block size and would access memory outside their
    // tensors.
    @Test("An incorrect block size changes the samples, which the check detects")
    func wrongBlock() throws {
        let block = try #require(BlockedConvolution.block)
        let bytes = model(Shape(taps: 7, channels: (32, 32))).bytes
        let wrong = try TinyModel.rewritten(bytes) {
            _ = try BlockedConvolutions.apply(to: &$0, block: block == 16 ? 8 : 16)
        }
        let inputs = TinyModel.frames(12, channels: 32)
        let plain = try TinyModel.run(bytes, inputs).numbers
        let changed = try TinyModel.run(wrong, inputs).numbers
        #expect(RewriteCheck.difference(plain, changed) > RewriteCheck.tolerance)
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var shape = Shape(taps: 5)
        var reason = "no Conv node fits blocks of 16 channels"
        var change: @Sendable (inout TinyModel) -> Void = { _ in }
    }

    private static let refused = [
        Refused(testDescription: "a single tap", shape: Shape(taps: 1)),
        Refused(testDescription: "a long dilation", shape: Shape(taps: 5, dilation: 300)),
        Refused(testDescription: "output of another length", shape: Shape(taps: 5, padding: (0, 0))),
        Refused(testDescription: "an incomplete block of input channels", shape: Shape(taps: 5, channels: (24, 32))),
        Refused(testDescription: "an incomplete block of output channels", shape: Shape(taps: 5, channels: (32, 1))),
        Refused(testDescription: "too many channels", shape: Shape(taps: 5, channels: (512, 16))),
        Refused(testDescription: "old operator set", reason: "the model uses the unsupported operator set version 12") {
            $0.operatorVersion = 12
        },
        Refused(testDescription: "no input") { $0.nodes[0].inputs = [] },
        Refused(testDescription: "no output") { $0.nodes[0].outputs = [] },
        Refused(testDescription: "an operator from another domain") { $0.nodes[0].domain = "com.example" },
        Refused(testDescription: "computed weights") { model in
            let weights = model.add("Neg", [model.nodes[0].inputs[1]])
            model.nodes[0].inputs[1] = weights
        },
        Refused(testDescription: "a Round node depends on the output") { model in
            _ = model.add("Round", [model.add("ReduceMax", [model.nodes[0].outputs[0]])])
        },
        Refused(testDescription: "a sum over time depends on the output") { model in
            _ = model.add("CumSum", [model.nodes[0].outputs[0], model.constant([2], [])])
        },
    ]

    @Test("An unsuitable convolution is left unchanged", arguments: refused)
    func refusals(_ refused: Refused) throws {
        try model(refused.shape, refused.change).bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            let before = try editor.graph.bytes()
            #expect(throws: InferenceError.refused(refused.reason)) {
                _ = try BlockedConvolutions.apply(to: &editor, block: 16)
            }
            let after = try editor.graph.bytes()
            #expect(after == before)
        }
    }

    @Test("A convolution is replaced even if its output length is rounded")
    func shape() throws {
        let bytes = model(Shape(taps: 5)) { model in
            _ = model.add("Floor", [model.add("Cast", [model.add("Shape", ["output"])], ["to": .integer(1)])])
        }.bytes
        _ = try TinyModel.rewritten(bytes) {
            _ = try BlockedConvolutions.apply(to: &$0, block: 16)
            #expect($0.count("Conv") == 0)
        }
    }

    private func upsampling(taps: Int, stride: Int, padding: (Int, Int), channels: (Int, Int) = (64, 32)) -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let up = model.upsampling(
            input, from: channels.0, to: channels.1, taps: taps, stride: stride, padding: padding)
        model.output(model.add("Identity", [up], as: "output"))
        return model
    }

    @Test(
        "Splitting the transposed convolution into phases produces the same samples",
        arguments: [(20, 10, 5, 5), (12, 6, 3, 3), (4, 2, 1, 1), (7, 3, 2, 2), (3, 1, 1, 1)])
    func upsampled(taps: Int, stride: Int, before: Int, after: Int) throws {
        let block = try #require(BlockedConvolution.block)
        let bytes = upsampling(taps: taps, stride: stride, padding: (before, after)).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let found = try BlockedConvolutions.apply(to: &$0, block: block)
            #expect("\(found)" == "1 upsampling in blocks of \(block) channels" && $0.count("ConvTranspose") == 0)
        }
        for frames in [1, 2, 3, 17] {
            let inputs = TinyModel.frames(frames, channels: 64)
            let plain = try TinyModel.run(bytes, inputs)
            let changed = try TinyModel.run(rewritten, inputs)
            #expect(plain.shape == [1, 32, Int64(frames * stride)])
            #expect(changed.shape == plain.shape)
            #expect(relativeDifference(plain.numbers, changed.numbers) <= 3e-6)
        }
    }

    @Test(
        "An unsuitable upsampling node is left unchanged",
        arguments: [
            (4, 2, 0, 0, 64, 32), (4, 2, 1, 1, 24, 32), (4, 2, 1, 1, 64, 11), (20, 5, 0, 0, 16, 1),
        ])
    func refusedUpsampling(taps: Int, stride: Int, before: Int, after: Int, inputs: Int, outputs: Int) throws {
        let bytes = upsampling(taps: taps, stride: stride, padding: (before, after), channels: (inputs, outputs)).bytes
        #expect(throws: InferenceError.refused("no Conv node fits blocks of 16 channels")) {
            try TinyModel.rewritten(bytes) { _ = try BlockedConvolutions.apply(to: &$0, block: 16) }
        }
    }

    @Test("An unsuitable convolution does not prevent the replacement of other convolutions")
    func mixed() throws {
        let block = try #require(BlockedConvolution.block)
        var model = upsampling(taps: 4, stride: 2, padding: (1, 1))
        model.output(model.upsampling("output", from: 32, to: 1, taps: 20, stride: 5, padding: (0, 0)))
        _ = try TinyModel.rewritten(model.bytes) {
            _ = try BlockedConvolutions.apply(to: &$0, block: block)
            #expect($0.count("ConvTranspose") == 1)
        }
    }
}
