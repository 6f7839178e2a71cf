import SynthGraphs
import SynthONNXRuntime

/// The block size, and the number format for multiplications.
struct Blocks: CustomStringConvertible {
    /// The number of channels per block on this processor.
    let size: Int
    /// Whether convolutions quantize inputs and weights to 8 bits.
    var hasIntegers = false

    var description: String { "blocks of \(size) channels\(hasIntegers ? " as int8" : "")" }
}

/// Adds nodes that use ONNX Runtime's internal tensor layout, in blocks of channels. The batch size is 1.
package struct BlockedNodes {
    package static let domain = "com.microsoft.nchwc"
    /// The last version of the operator set in which ONNX defines the added operators differently. Models must use a
    /// later version.
    private static let lastOldOperators: Int64 = 12

    private(set) var editor: GraphEditor
    let block: Int
    private let hasIntegers: Bool
    private var vectors: [[Int64]: String] = [:]
    /// The total number of weights in all convolutions, which is limited because a small file may refer to the same
    /// weights many times.
    private var weightCount = 0
    private static let maximumWeights = 1 << 27
    /// The maximum number of products whose sum fits in 32 bits, even if all factors have the largest magnitude.
    private static let maximumProducts = Int(Int32.max) / (255 * 127)

    init(_ editor: GraphEditor, _ blocks: Blocks) throws {
        let version = editor.graph.operatorSets["", default: 0]
        guard version > Self.lastOldOperators else {
            throw InferenceError.refused("the model uses the unsupported operator set version \(version)")
        }
        self.editor = editor
        (block, hasIntegers) = (blocks.size, blocks.hasIntegers)
    }

    /// Removes nodes and inserts the added ones.
    mutating func replace(_ removed: Set<Int>) throws { try editor.replace(removed) }

    mutating func add(_ operation: String, _ inputs: [String], _ attributes: [GraphAttribute] = []) -> String {
        editor.add(operation, inputs, attributes)
    }

    mutating func constant(_ numbers: [Float], shape: [Int]) -> String { editor.constant(numbers, shape: shape) }

    /// Returns the name of a constant vector. Equal vectors share a name.
    mutating func vector(_ numbers: [Int64]) -> String {
        if let name = vectors[numbers] { return name }
        let name = editor.constant(numbers)
        vectors[numbers] = name
        return name
    }

    mutating func reshape(_ input: String, _ shape: [Int64], as output: String) {
        _ = editor.add("Reshape", [input, vector(shape)], as: output)
    }

    mutating func reshape(_ input: String, _ shape: [Int64]) -> String { add("Reshape", [input, vector(shape)]) }

    /// Converts [1, channels, time] to blocks. Time becomes the width of a one-row image.
    mutating func blocked(_ input: String, channels: Int) -> String {
        let image = reshape(input, [1, Int64(channels), 1, -1])
        return editor.add("ReorderInput", domain: Self.domain, [image])
    }

    /// The inverse of `blocked`.
    mutating func plain(_ input: String, channels: Int, as output: String) {
        let image = editor.add(
            "ReorderOutput", domain: Self.domain, [input], [GraphAttribute("channels", .integer(Int64(channels)))])
        _ = editor.add("Reshape", [image, vector([1, Int64(channels), -1])], as: output)
    }

    /// Adds a `StreamJoin` for a tensor in blocks.
    mutating func join(_ input: String, _ ends: StreamJoin.Ends) -> String {
        editor.add(
            StreamJoin.name.description, domain: GraphNode.ownDomain, [input] + ends.inputs,
            StreamJoin.attributes(block: block), also: [ends.kept])
    }

    /// Adds a convolution as a custom operator that needs fewer multiplications than ONNX Runtime's convolution.
    ///
    /// - Parameters:
    ///   - convolution: A convolution that keeps the length unchanged and has complete blocks of channels.
    ///   - phases: The number of output samples per input sample, if the output channels come from
    ///     `Convolution.phases`.
    ///   - summand: A tensor to add to the result.
    ///   - inputSlope: The factor for negative numbers before the convolution, from 0 to 1.
    ///   - outputSlope: The factor for negative numbers after the sum, from 0 to 1.
    /// - Throws: An error if the convolution is too large, if its sums could exceed 32 bits, or if the model has too
    ///   many weights.
    mutating func convolve(
        _ input: String, _ convolution: Convolution, plus summand: String? = nil, phases: Int = 1,
        inputSlope: Float = 1, outputSlope: Float = 1
    ) throws -> String {
        try ToomCookWeights.check(convolution)
        var steps = BlockedConvolution.Steps(
            samples: 1, dilation: convolution.dilation, padding: convolution.padding.before, phases: phases,
            inputSlope: inputSlope, outputSlope: outputSlope)
        let weights: (numbers: ComputedFloats, shape: [Int])
        if hasIntegers {
            guard convolution.taps * convolution.inputChannels <= Self.maximumProducts else {
                throw InferenceError.refused("a convolution sums too many products for integer arithmetic")
            }
            try count(convolution.weights.count)
            weights = convolution.fours(block)
            steps.taps = convolution.taps
        } else {
            let evaluated = ToomCookWeights(taps: convolution.taps)
            try count(evaluated.count(of: convolution))
            weights = evaluated.numbers(
                of: convolution.weights, outputs: convolution.outputChannels, inputs: convolution.inputChannels,
                block: block)
            steps.samples = evaluated.samples
        }
        let inputs = [
            input, editor.constant(weights.numbers, shape: weights.shape),
            constant(convolution.bias, shape: [convolution.outputChannels]), summand,
        ]
        return editor.add(
            BlockedConvolution.name.description, domain: GraphNode.ownDomain,
            inputs.compactMap(\.self), BlockedConvolution.attributes(steps))
    }

    private mutating func count(_ weights: Int) throws {
        weightCount += weights
        guard weightCount <= Self.maximumWeights else {
            throw InferenceError.refused("the convolutions have too many weights")
        }
    }

    /// Adds a convolution that is computed by ONNX Runtime and may have a stride.
    ///
    /// - Parameters:
    ///   - convolution: A convolution with complete blocks of channels.
    ///   - activation: The activation to apply to the result.
    mutating func libraryConvolve(
        _ input: String, _ convolution: Convolution, _ activation: [GraphAttribute]
    ) -> String {
        func pair(_ first: Int64, _ second: Int) -> GraphAttribute.Value { .integers([first, Int64(second)]) }
        let weights = constant(
            convolution.blockedWeights(block),
            shape: [convolution.outputChannels, convolution.inputChannels, 1, convolution.taps])
        let bias = constant(convolution.bias, shape: [convolution.outputChannels])
        return editor.add(
            "Conv", domain: Self.domain, [input, weights, bias],
            [
                GraphAttribute("kernel_shape", pair(1, convolution.taps)),
                GraphAttribute("dilations", pair(1, convolution.dilation)),
                GraphAttribute("strides", pair(1, convolution.stride)),
                GraphAttribute(
                    "pads", .integers([0, Int64(convolution.padding.before), 0, Int64(convolution.padding.after)])),
            ] + activation)
    }
}
