package import CSynthONNXRuntime
import CSynthVectorKernels
package import SynthGraphs
package import SynthONNXRuntime

/// A custom operator for convolutions over time. Samples are stored in blocks of channels. The operator needs fewer
/// multiplications than ONNX Runtime's convolution and uses all of the session's threads. For each input sample, it
/// computes one output sample, or one output sample per phase.
///
/// The operator has three or four inputs:
///
/// * `x` of shape [1, channels, rows, time], ordered in memory by block, row, time step, channel in the block
/// * weights in the layout of `ToomCookWeights`
/// * a bias of shape [output channels · phases]
/// * optionally, a summand with the same shape as the output, [1, output channels, rows, time · phases]
///
/// Before and after the convolution, negative numbers are multiplied by a slope. With the attribute `taps`, the weights
/// are in the order of `Convolution.fours` and the multiplications use integers.
package final class BlockedConvolution: CustomKernel {
    package static let name: StaticString = "BlockedConvolution"
    private static let inputCounts = (required: 3, all: 4)

    /// Limits that no real voice reaches and that bound memory use.
    static let maximumInputChannels = 1 << 14
    static let maximumChannels = 1 << 20
    private static let maximumPhases = 1 << 12
    private static let tapsName = "taps"

    /// The number of channels per block on this processor; `nil` if the operator does not support the processor.
    static var block: Int? {
        let block = Int(vector_convolution_block())
        return block > 0 ? block : nil
    }

    /// Whether this processor supports 8-bit integer arithmetic with the same number of channels per block.
    package static var multipliesIntegers: Bool { block.map { vector_integer_block() == $0 } ?? false }

    struct Steps: Equatable {
        /// The number of output samples that are computed together, as in `ToomCookWeights`; 1 if `taps` is set.
        var samples: Int
        /// The number of taps if the multiplications use integers; otherwise `nil`.
        var taps: Int?
        var dilation = 1
        /// The number of zeros before the input.
        var padding = 0
        var phases = 1
        /// The factor for negative numbers; 1 has no effect.
        var inputSlope: Float = 1
        var outputSlope: Float = 1
    }

    package let api: OrtApi
    private let steps: Steps
    private let block: Int

    /// Returns the attributes of a node with this operator.
    static func attributes(_ steps: Steps) -> [GraphAttribute] {
        let taps = steps.taps.map { [GraphAttribute(tapsName, .integer(Int64($0)))] } ?? []
        return taps + [
            GraphAttribute("samples", .integer(Int64(steps.samples))),
            GraphAttribute("dilation", .integer(Int64(steps.dilation))),
            GraphAttribute("padding", .integer(Int64(steps.padding))),
            GraphAttribute("phases", .integer(Int64(steps.phases))),
            GraphAttribute("input_slope", .float(steps.inputSlope)),
            GraphAttribute("output_slope", .float(steps.outputSlope)),
        ]
    }

    package static var description: OrtCustomOp {
        var description = OrtCustomOp.ofFloats
        description.GetName = { _ in BlockedConvolution.operatorName }
        description.GetInputTypeCount = { _ in BlockedConvolution.inputCounts.all }
        description.GetInputCharacteristic = { _, number in
            number < BlockedConvolution.inputCounts.required ? INPUT_OUTPUT_REQUIRED : INPUT_OUTPUT_OPTIONAL
        }
        description.CreateKernelV2 = { BlockedConvolution.create($1, $2, $3) }
        description.KernelComputeV2 = { BlockedConvolution.compute($0, $1) }
        return description
    }

    package init(_ attributes: KernelAttributes) throws(InferenceError) {
        api = attributes.api
        steps = Steps(
            samples: try attributes.integer("samples"), taps: try? attributes.integer(Self.tapsName),
            dilation: try attributes.integer("dilation"),
            padding: try attributes.integer("padding"), phases: try attributes.integer("phases"),
            inputSlope: try attributes.float("input_slope"), outputSlope: try attributes.float("output_slope"))
        guard let block = Self.block, steps.taps == nil ? (3...5).contains(steps.samples) : Self.multipliesIntegers,
            (1...ToomCookWeights.longestReach).contains(steps.taps ?? 1),
            (1...ToomCookWeights.longestReach).contains(steps.dilation),
            (0...ToomCookWeights.longestReach).contains(steps.padding), (1...Self.maximumPhases).contains(steps.phases),
            (0...1).contains(steps.inputSlope), (0...1).contains(steps.outputSlope)
        else { throw InferenceError(.model, "a BlockedConvolution has unknown attributes") }
        self.block = block
    }

    package func compute(_ run: KernelRun) throws(InferenceError) {
        let (input, weights, bias) = (try run.input(0), try run.input(1), try run.input(2))
        let summand = try run.optionalInput(3)
        guard var call = call(input.shape, weights.shape, bias.shape),
            let output = outputShape(input.shape, call), summand.map({ $0.shape == output }) ?? true
        else { throw InferenceError(.run, "the input shapes of BlockedConvolution do not match") }
        call.output = try run.output(output)
        guard call.rows > 0, call.length > 0 else { return }
        call.input = input.numbers
        call.weights = weights.numbers
        call.bias = bias.numbers
        call.summand = summand?.numbers
        var isIncomplete: Int32 = 0
        try withUnsafeMutablePointer(to: &isIncomplete) { flag throws(InferenceError) in
            call.is_incomplete = flag
            let pieces = call.taps > 0 ? vector_integer_pieces(&call) : vector_convolution_pieces(&call)
            try run.onThreads(pieces, call) { BlockedConvolution.compute($0, piece: $1) }
        }
        guard isIncomplete == 0 else { throw InferenceError(.run, "not enough memory for a convolution") }
    }

    /// Returns the kernel's arguments; `nil` if the tensor sizes do not match.
    private func call(_ input: [Int64], _ weights: [Int64], _ bias: [Int64]) -> vector_convolution? {
        let input = input.compactMap { Int(exactly: $0) }
        let weights = weights.compactMap { Int(exactly: $0) }
        guard input.count == 4, input[0] == 1, weights.count == 3, bias == [Int64(weights[2])],
            [input[1], weights[1], weights[2]].allSatisfy({ $0 > 0 && $0 <= Self.maximumChannels }),
            input[1] <= Self.maximumInputChannels, input[1].isMultiple(of: block),
            weights[2].isMultiple(of: block * steps.phases)
        else { return nil }
        var call = vector_convolution()
        if let taps = steps.taps {
            guard weights[0] == 1, weights[1] == taps * input[1] else { return nil }
            call.taps = taps
        } else {
            guard weights[0] == VECTOR_CONVOLUTION_PRODUCTS, weights[1].isMultiple(of: input[1]) else { return nil }
            call.parts = weights[1] / input[1]
            guard call.parts == 1 || steps.samples == ToomCookWeights.samplesOfParts else { return nil }
        }
        guard max(call.taps, call.parts) * steps.dilation <= ToomCookWeights.longestReach else { return nil }
        (call.block, call.input_blocks, call.output_blocks) = (block, input[1] / block, weights[2] / block)
        (call.rows, call.length, call.samples) = (input[2], input[3], steps.samples)
        (call.dilation, call.padding, call.phases) = (steps.dilation, steps.padding, steps.phases)
        (call.input_slope, call.output_slope) = (steps.inputSlope, steps.outputSlope)
        return call
    }

    private func outputShape(_ input: [Int64], _ call: vector_convolution) -> [Int64]? {
        let (length, overflow) = input[3].multipliedReportingOverflow(by: Int64(steps.phases))
        return overflow ? nil : [1, Int64(call.output_blocks * block / steps.phases), input[2], length]
    }

    private static func compute(_ call: UnsafeMutableRawPointer?, piece: Int) {
        guard let call = call?.assumingMemoryBound(to: vector_convolution.self) else { return }
        if call.pointee.taps > 0 { vector_convolve_integers(call, piece) } else { vector_convolve(call, piece) }
    }
}
