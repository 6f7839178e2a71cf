import CSynthVectorKernels
import Testing
import TestNumbers
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("The BlockedConvolution operator") struct BlockedConvolutionTests {
    private static let convolutions: [TestedConvolution] = [
        .init(taps: 3), .init(taps: 3, dilation: 2, slopes: (0.1, 0.2)), .init(taps: 5, dilation: 6, hasSummand: true),
        .init(taps: 7, dilation: 12), .init(taps: 7, dilation: 3, rows: 3, slopes: (0.5, 1), hasSummand: true),
        .init(taps: 11, dilation: 5, blocks: (1, 1)), .init(taps: 4, blocks: (1, 2), padding: 0),
        .init(taps: 1, blocks: (3, 4)), .init(taps: 2), .init(taps: 8, padding: 7), .init(taps: 6, dilation: 2),
        .init(taps: 3, blocks: (2, 1), phases: 8, slopes: (0, 0)), .init(taps: 3, rows: 2, length: 31, phases: 3),
        .init(taps: 3, length: 1), .init(taps: 7, dilation: 12, length: 2), .init(taps: 5, blocks: (8, 8), length: 401),
        .init(taps: 7, blocks: (4, 5), rows: 2, length: 3), .init(taps: 13, length: 999),
    ]

    private static func steps(_ tested: TestedConvolution) -> BlockedConvolution.Steps {
        .init(
            samples: ToomCookWeights(taps: tested.taps).samples, dilation: tested.dilation, padding: tested.before,
            phases: tested.phases, inputSlope: tested.slopes.input, outputSlope: tested.slopes.output)
    }

    /// The weights in the operator's layout.
    private static func weights(
        _ tested: TestedConvolution, _ numbers: TestedConvolution.Numbers, block: Int
    ) -> (numbers: [Float], shape: [Int]) {
        let weights = ToomCookWeights(taps: tested.taps).numbers(
            of: FloatNumbers(numbers.weights), outputs: numbers.bias.count, inputs: tested.blocks.inputs * block,
            block: block)
        return (weights.numbers.array, weights.shape)
    }

    private static func largestDifference(_ found: [Float], _ expected: [Double]) -> Double {
        let peak = expected.map(\.magnitude).max() ?? 1
        return (zip(found, expected).map { (Double($0) - $1).magnitude }.max() ?? .infinity) / peak
    }

    /// The block sizes that this processor's vectors support.
    private static let blocks = [8, 16].filter { $0 <= BlockedConvolution.block ?? 0 }

    @Test(
        "The result matches that of a plain convolution for each supported block size", arguments: convolutions, blocks)
    func samples(tested: TestedConvolution, block: Int) throws {
        let numbers = tested.numbers(block: block)
        let (weights, shape) = Self.weights(tested, numbers, block: block)
        let steps = Self.steps(tested)
        var found = [Float](repeating: .nan, count: numbers.bias.count * tested.rows * tested.length)
        found.withUnsafeMutableBufferPointer { found in
            numbers.input.withUnsafeBufferPointer { input in
                weights.withUnsafeBufferPointer { weights in
                    numbers.bias.withUnsafeBufferPointer { bias in
                        (numbers.summand ?? []).withUnsafeBufferPointer { summand in
                            var isIncomplete: Int32 = 0
                            var call = vector_convolution()
                            call.block = block
                            (call.input_blocks, call.output_blocks) = (tested.blocks.inputs, numbers.bias.count / block)
                            (call.rows, call.length) = (tested.rows, tested.length)
                            (call.samples, call.parts) = (steps.samples, shape[1] / tested.blocks.inputs / block)
                            (call.dilation, call.padding, call.phases) = (steps.dilation, steps.padding, steps.phases)
                            (call.input_slope, call.output_slope) = (steps.inputSlope, steps.outputSlope)
                            (call.input, call.weights) = (input.baseAddress, weights.baseAddress)
                            (call.bias, call.output) = (bias.baseAddress, found.baseAddress)
                            call.summand = numbers.summand == nil ? nil : summand.baseAddress
                            // Pieces may be computed in any order.
                            for piece in (0..<vector_convolution_pieces(&call)).reversed() {
                                withUnsafeMutablePointer(to: &isIncomplete) {
                                    call.is_incomplete = $0
                                    vector_convolve(&call, piece)
                                }
                            }
                            #expect(isIncomplete == 0)
                        }
                    }
                }
            }
        }
        #expect(Self.largestDifference(found, tested.expected(numbers, block: block)) < 3e-6)
    }

    /// A model with a single node, which reads tensors of these ranks.
    private static func model(ranks: [Int], _ attributes: [GraphAttribute]) throws -> [UInt8] {
        var model = TinyModel()
        let inputs = Array(["input", "weights", "bias", "summand"].prefix(ranks.count))
        for (name, rank) in zip(inputs, ranks) { _ = model.input(name, .float32, rank: rank) }
        model.output(model.add("Identity", ["input"], as: "output"))
        return try TinyModel.rewritten(model.bytes) { editor in
            _ = editor.add(
                BlockedConvolution.name.description, domain: GraphNode.ownDomain, inputs, as: "output", attributes)
            try editor.replace([0])
        }
    }

    private static func tensor(_ name: String, _ numbers: [Float], _ shape: [Int]) -> (String, InferenceTensor) {
        (name, InferenceTensor(numbers, shape: shape.map(Int64.init)))
    }

    @Test(
        "If the processor supports 8-bit integer arithmetic, the operator works with any number of threads",
        arguments: convolutions.indices,
        [1, 3])
    func integers(index: Int, threads: Int) throws {
        let tested = Self.convolutions[index]
        let block = try #require(BlockedConvolution.block)
        let numbers = tested.numbers(block: block)
        let (inputs, outputs) = (tested.blocks.inputs * block, numbers.bias.count)
        let convolution = Convolution(
            numbers.weights, numbers.bias, inputChannels: inputs, taps: tested.taps,
            padding: (before: tested.before, after: 0))
        let (weights, shape) = convolution.fours(block)
        var steps = Self.steps(tested)
        (steps.samples, steps.taps) = (1, tested.taps)
        var tensors = [
            Self.tensor("input", numbers.input, [1, inputs, tested.rows, tested.length]),
            Self.tensor("weights", weights.array, shape), Self.tensor("bias", numbers.bias, [outputs]),
        ]
        if let summand = numbers.summand {
            let shape = [1, tested.blocks.outputs * block, tested.rows, tested.length * tested.phases]
            tensors.append(Self.tensor("summand", summand, shape))
        }
        let model = try Self.model(
            ranks: [4, 3, 1] + (tested.hasSummand ? [4] : []), BlockedConvolution.attributes(steps))
        let run = Result { try TinyModel.run(model, tensors, threads: threads) }
        guard BlockedConvolution.multipliesIntegers else {
            #expect(throws: InferenceError.self) { try run.get() }
            return
        }
        // Quantization to 8 bits changes the result slightly.
        let difference = Self.largestDifference(try run.get().numbers, tested.expected(numbers, block: block))
        #expect(difference < 0.03 && difference > 1e-6)
    }

    @Test(
        "The operator works with any number of threads, with and without a summand",
        arguments: convolutions.indices, [1, 2, 3])
    func threads(index: Int, threads: Int) throws {
        let tested = Self.convolutions[index]
        let block = try #require(BlockedConvolution.block)
        let numbers = tested.numbers(block: block)
        let (weights, shape) = Self.weights(tested, numbers, block: block)
        let outputShape = [1, tested.blocks.outputs * block, tested.rows, tested.length * tested.phases]
        var inputs = [
            Self.tensor("input", numbers.input, [1, tested.blocks.inputs * block, tested.rows, tested.length]),
            Self.tensor("weights", weights, shape), Self.tensor("bias", numbers.bias, [numbers.bias.count]),
        ]
        if let summand = numbers.summand { inputs.append(Self.tensor("summand", summand, outputShape)) }
        let model = try Self.model(
            ranks: [4, 3, 1] + (tested.hasSummand ? [4] : []), BlockedConvolution.attributes(Self.steps(tested)))
        let found = try TinyModel.run(model, inputs, threads: threads)
        #expect(found.shape == outputShape.map(Int64.init))
        #expect(Self.largestDifference(found.numbers, tested.expected(numbers, block: block)) < 3e-6)
    }

    struct Unfit: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The channel dimension is counted in blocks.
        var input = [1, 1, 1, 9]
        var weights = [7, 1, 1]
        var bias = [1]
        var summand: [Int]?
        var phases = 1
        var taps: Int?
    }

    private static let unfit = [
        Unfit(testDescription: "a batch of two", input: [2, 1, 1, 9]),
        Unfit(testDescription: "a different number of channels", input: [1, 2, 1, 9]),
        Unfit(testDescription: "one product too many", weights: [8, 1, 1]),
        Unfit(testDescription: "a longer bias", bias: [2]), Unfit(testDescription: "no channels", weights: [7, 0, 1]),
        Unfit(testDescription: "a shorter summand", summand: [1, 1, 1, 8]),
        Unfit(testDescription: "phases with incomplete blocks of channels", phases: 2),
        Unfit(testDescription: "two groups of taps with an unexpected offset", weights: [7, 2, 1]),
        Unfit(
            testDescription: "more channels than any voice has", input: [1, 1 << 14, 1, 1], weights: [7, 1 << 14, 1]),
    ]

    @Test("Tensors with inconsistent sizes are rejected", arguments: unfit)
    func refusals(_ unfit: Unfit) throws {
        let block = try #require(BlockedConvolution.block)
        let shapes = [
            ("input", unfit.input, [1]), ("weights", unfit.weights, [1, 2]), ("bias", unfit.bias, [0]),
            ("summand", unfit.summand ?? [], [1]),
        ].map { name, shape, channels in
            (name, shape.enumerated().map { channels.contains($0.offset) ? $0.element * block : $0.element })
        }.prefix(unfit.summand == nil ? 3 : 4)
        let tensors = shapes.map { name, shape in
            Self.tensor(name, [Float](repeating: 1, count: shape.reduce(1, *)), shape)
        }
        let model = try Self.model(
            ranks: shapes.map { $0.1.count },
            BlockedConvolution.attributes(
                .init(samples: 5, taps: unfit.taps, padding: 1, phases: unfit.phases)))
        #expect {
            _ = try TinyModel.run(model, tensors)
        } throws: { error in
            "\(error)".contains("do not match")
        }
    }

    @Test("Empty input yields no samples", arguments: [(0, 3), (3, 0)])
    func empty(rows: Int, length: Int) throws {
        let block = try #require(BlockedConvolution.block)
        let inputs = [
            Self.tensor("input", [], [1, block, rows, length]),
            Self.tensor("weights", [Float](repeating: 1, count: 7 * block * block), [7, block, block]),
            Self.tensor("bias", [Float](repeating: 1, count: block), [block]),
        ]
        let model = try Self.model(ranks: [4, 3, 1], BlockedConvolution.attributes(.init(samples: 5, phases: 1)))
        let found = try TinyModel.run(model, inputs)
        #expect(found.shape == [1, Int64(block), Int64(rows), Int64(length)] && found.numbers.isEmpty)
    }

    @Test(
        "Unknown or invalid attributes are rejected when the model is loaded",
        arguments: [
            BlockedConvolution.Steps(samples: 2), .init(samples: 6), .init(samples: 5, dilation: 0),
            .init(samples: 5, dilation: 1 << 20), .init(samples: 5, padding: -1), .init(samples: 5, phases: 0),
            .init(samples: 5, inputSlope: 2), .init(samples: 5, outputSlope: .nan), .init(samples: 1, taps: 0),
            .init(samples: 1, taps: 1 << 20),
        ])
    func attributes(steps: BlockedConvolution.Steps) {
        #expect {
            _ = try TinyModel.run(try Self.model(ranks: [4, 3, 1], BlockedConvolution.attributes(steps)), [])
        } throws: { error in
            "\(error)".contains("unknown attributes")
        }
    }
}

extension TestedConvolution: CustomTestStringConvertible {}
