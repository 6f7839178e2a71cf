import SynthGraphs

/// The weights and parameters of a convolution, or of a transposed convolution, over time.
struct Convolution {
    /// Limits that no real vocoder reaches. They prevent integer overflow when sizes are computed.
    private static let maximumChannels = 1 << 14
    private static let longestStep = 1 << 12
    private static let maximumWeights = 1 << 26

    /// The weights, ordered by output channel, input channel, tap; for a transposed convolution, by input channel, output
    /// channel, tap.
    private(set) var weights: FloatNumbers
    /// The bias, one number per output channel.
    private(set) var bias: [Float]
    let inputChannels: Int
    let outputChannels: Int
    let taps: Int
    let stride: Int
    let dilation: Int
    let padding: (before: Int, after: Int)
    /// The number of samples that a transposed convolution adds at the end.
    let outputPadding: Int

    /// Reads a `Conv`, `FusedConv` or `ConvTranspose` node, without its activation. Throws if the node has groups, other
    /// dimensions, non-constant weights, or an unsupported attribute.
    init(_ node: GraphNode, in editor: GraphEditor) throws {
        let isTransposed = node.operation == "ConvTranspose"
        let what = "a \(node.operation) node"
        guard node.inputs.count == 2 || node.inputs.count == 3, node.outputs.count == 1 else {
            throw InferenceError.refused(
                "\(what) has an unsupported number of inputs (\(node.inputs.count)) or outputs")
        }
        let (weights, shape) = try editor.floatNumbers(node.inputs[1])
        guard shape.count == 3, shape.allSatisfy({ $0 > 0 && $0 <= Self.maximumChannels }),
            weights.count <= Self.maximumWeights
        else { throw InferenceError.refused("\(what) has weights of the unsupported shape \(shape)") }
        let known = [
            "activation", "activation_params", "auto_pad", "dilations", "group", "kernel_shape", "output_padding",
            "pads",
            "strides",
        ]
        if let other = node.attributes.first(where: { !known.contains($0.name) }) {
            throw InferenceError.refused("\(what) has the unsupported attribute \"\(other.name)\"")
        }
        func numbers(_ name: String, _ standard: [Int64], _ range: ClosedRange<Int64>) throws -> [Int] {
            guard let value = node[name] else { return standard.map(Int.init) }
            guard case .integers(let found) = value, found.count == standard.count,
                found.allSatisfy({ range.contains($0) })
            else { throw InferenceError.refused("\(what) has unsupported values for \"\(name)\"") }
            return found.map(Int.init)
        }
        let steps = Int64(1)...Int64(Self.longestStep)
        stride = try numbers("strides", [1], steps)[0]
        dilation = try numbers("dilations", [1], steps)[0]
        outputPadding = try numbers("output_padding", [0], 0...steps.upperBound)[0]
        let pads = try numbers("pads", [0, 0], 0...(steps.upperBound * 16))
        padding = (pads[0], pads[1])
        taps = shape[2]
        guard try numbers("kernel_shape", [Int64(taps)], steps) == [taps] else {
            throw InferenceError.refused("\(what) has a kernel size that does not match its weights")
        }
        guard [nil, .integer(1)].contains(node["group"]), [nil, .text("NOTSET")].contains(node["auto_pad"]) else {
            throw InferenceError.refused("\(what) is grouped or uses automatic padding")
        }
        inputChannels = isTransposed ? shape[0] : shape[1]
        outputChannels = isTransposed ? shape[1] : shape[0]
        self.weights = weights
        if node.inputs.count == 3, !node.inputs[2].isEmpty {
            bias = try editor.floats(node.inputs[2]).numbers
            guard bias.count == outputChannels else {
                throw InferenceError.refused("\(what) has \(bias.count) biases, which do not match its weights")
            }
        } else {
            bias = [Float](repeating: 0, count: outputChannels)
        }
    }

    init(
        _ weights: [Float], _ bias: [Float], inputChannels: Int, taps: Int, stride: Int = 1,
        padding: (before: Int, after: Int)
    ) {
        self.weights = FloatNumbers(weights)
        self.bias = bias
        self.inputChannels = inputChannels
        outputChannels = bias.count
        self.taps = taps
        self.stride = stride
        dilation = 1
        self.padding = padding
        outputPadding = 0
    }

    /// Returns an equivalent convolution for an input that has not been multiplied by `factor`.
    func scaled(_ factor: Float) -> Convolution {
        guard factor != 1 else { return self }
        var result = self
        result.weights = FloatNumbers(weights.withFloats { $0.map { $0 * factor } })
        return result
    }

    /// Converts a transposed convolution to a plain convolution without stride. Each output channel becomes `stride`
    /// channels, one per phase: sample `stride * n + p` of channel `c` is sample `n` of phase `p` of `c`.
    ///
    /// - Parameter block: The number of channels whose phases are adjacent. It must divide the number of output channels. The
    ///   output channels are ordered by block, phase and channel in the block; with a block of 1, by channel and phase.
    func phases(block: Int = 1) throws -> Convolution {
        let reach = try phaseReach()
        func first(_ phase: Int) -> Int { (phase + padding.before) % stride }
        func place(_ phase: Int, _ tap: Int) -> Int { (phase + padding.before - tap) / stride }
        let newTaps = 2 * reach + 1
        let (count, overflow) = (outputChannels * stride).multipliedReportingOverflow(by: inputChannels * newTaps)
        guard !overflow, count <= 2 * Self.maximumWeights else {
            throw InferenceError.refused("a ConvTranspose node has too many weights")
        }
        var result = [Float](repeating: 0, count: count)
        var newBias = [Float](repeating: 0, count: outputChannels * stride)
        weights.withFloats { weights in
            for channel in 0..<outputChannels {
                for phase in 0..<stride {
                    let row = (channel / block * stride + phase) * block + channel % block
                    newBias[row] = bias[channel]
                    for tap in Swift.stride(from: first(phase), to: taps, by: stride) {
                        let offset = place(phase, tap) + reach
                        for input in 0..<inputChannels {
                            result[(row * inputChannels + input) * newTaps + offset] =
                                weights[(input * outputChannels + channel) * taps + tap]
                        }
                    }
                }
            }
        }
        return Convolution(
            result, newBias, inputChannels: inputChannels, taps: newTaps, padding: (before: reach, after: reach))
    }

    /// Returns the number of input samples on either side that affect an output sample of a transposed convolution.
    func phaseReach() throws -> Int {
        // An input sample yields `stride` output samples only if the parameters meet these conditions.
        guard taps - padding.before - padding.after + outputPadding == stride, dilation == 1, taps <= 3 * stride,
            padding.before < taps
        else {
            throw InferenceError.refused(
                "a ConvTranspose node has an unsupported combination of parameters, such as kernel size \(taps), stride \(stride) and padding \(padding.before)"
            )
        }
        // Tap `k` of phase `p` reads the input sample at offset `(p + padding - k) / stride`.
        var reach = 0
        for phase in 0..<stride {
            for tap in Swift.stride(from: (phase + padding.before) % stride, to: taps, by: stride) {
                reach = max(reach, abs((phase + padding.before - tap) / stride))
            }
        }
        return reach
    }

    /// Converts a convolution with one output channel to a convolution with `count` output channels, which computes `count`
    /// consecutive samples per step.
    func steps(of count: Int) throws -> Convolution {
        let newTaps = taps + count - 1
        guard count * inputChannels * newTaps <= Self.maximumWeights else {
            throw InferenceError.refused("the vocoder's last convolution has too many weights")
        }
        var result = [Float](repeating: 0, count: count * inputChannels * newTaps)
        weights.withFloats { weights in
            for step in 0..<count {
                for input in 0..<inputChannels {
                    for tap in 0..<taps {
                        result[(step * inputChannels + input) * newTaps + step + tap] = weights[input * taps + tap]
                    }
                }
            }
        }
        return Convolution(
            result, [Float](repeating: bias[0], count: count), inputChannels: inputChannels, taps: newTaps,
            stride: count, padding: padding)
    }

    /// Whether there is one output sample per input sample.
    var keepsLength: Bool { stride == 1 && padding.before + padding.after == dilation * (taps - 1) }

    /// The weights in ONNX Runtime's order: block of output channels, block of input channels, tap, input channel in
    /// the block, output channel in the block. The channels must form complete blocks.
    func blockedWeights(_ block: Int) -> [Float] {
        weights.withFloats { weights in
            [Float](unsafeUninitializedCapacity: weights.count) { buffer, count in
                for output in Swift.stride(from: 0, to: outputChannels, by: block) {
                    for input in Swift.stride(from: 0, to: inputChannels, by: block) {
                        for tap in 0..<taps {
                            for inner in input..<input + block {
                                for outer in output..<output + block {
                                    buffer.initializeElement(
                                        at: count, to: weights[(outer * inputChannels + inner) * taps + tap])
                                    count += 1
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The weights in the order of `integer_convolution.h`: pair of blocks of output channels, tap, group of four input
    /// channels, output channel in the pair, channel in the group. The channels must form complete blocks; the last pair may
    /// be a single block.
    func fours(_ block: Int) -> (numbers: ComputedFloats, shape: [Int]) {
        let (width, row) = (2 * block, taps * inputChannels)
        let strips = Swift.stride(from: 0, to: outputChannels, by: width).map { first in
            [row * first..<row * min(first + width, outputChannels)]
        }
        let numbers = ComputedFloats(strips: strips) { [weights, taps, inputChannels, outputChannels] strip, numbers in
            weights.withFloats { weights in
                let first = strip * width
                var place = 0
                for tap in 0..<taps {
                    for input in Swift.stride(from: 0, to: inputChannels, by: 4) {
                        for output in first..<min(first + width, outputChannels) {
                            for inner in input..<input + 4 {
                                let weight = weights[(output * inputChannels + inner) * taps + tap]
                                numbers.initializeElement(at: place, to: weight)
                                place += 1
                            }
                        }
                    }
                }
            }
        }
        return (numbers, [1, row, outputChannels])
    }
}
