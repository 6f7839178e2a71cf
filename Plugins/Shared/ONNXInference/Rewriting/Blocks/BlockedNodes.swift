/// Adds nodes that compute on the library's own layout of tensors, in blocks of channels. The batch is 1.
struct BlockedNodes {
    private static let domain = "com.microsoft.nchwc"
    /// The last version of ONNX's operators in which all that are added here had another form.
    private static let lastOldOperators: Int64 = 12

    private(set) var editor: GraphEditor
    let block: Int
    private var vectors: [[Int64]: String] = [:]

    init(_ editor: GraphEditor, block: Int) throws(RewriteRefusal) {
        let version = editor.graph.operatorSets["", default: 0]
        guard version > Self.lastOldOperators else {
            throw RewriteRefusal("the model has operators of the version \(version)")
        }
        self.editor = editor
        self.block = block
    }

    /// Removes nodes and puts those in that were added.
    mutating func replace(_ removed: Set<Int>) throws(RewriteRefusal) { try editor.replace(removed) }

    mutating func add(_ operation: String, _ inputs: [String], _ attributes: [GraphAttribute] = []) -> String {
        editor.add(operation, inputs, attributes)
    }

    mutating func constant(_ numbers: [Float], shape: [Int]) -> String { editor.constant(numbers, shape: shape) }

    /// The name of a constant vector, the same one for the same numbers.
    mutating func vector(_ numbers: [Int64]) -> String {
        if let name = vectors[numbers] { return name }
        let name = editor.constant(numbers)
        vectors[numbers] = name
        return name
    }

    /// The name of a constant without an axis.
    mutating func number(_ value: Int64) -> String { editor.constant([value], shape: []) }

    mutating func reshape(_ input: String, _ shape: [Int64], as output: String) {
        _ = editor.add("Reshape", [input, vector(shape)], as: output)
    }

    mutating func reshape(_ input: String, _ shape: [Int64]) -> String { add("Reshape", [input, vector(shape)]) }

    /// [1, channels, time] in blocks. Time is the width of an image with one row.
    mutating func blocked(_ input: String, channels: Int) -> String {
        let image = reshape(input, [1, Int64(channels), 1, -1])
        return editor.add("ReorderInput", domain: Self.domain, [image])
    }

    /// The reverse of `blocked`.
    ///
    /// - Parameter other: A tensor of the same length, if the blocked one is longer. The rest is cut off.
    mutating func plain(_ input: String, channels: Int, asLongAs other: String? = nil, as output: String) {
        let image = editor.add(
            "ReorderOutput", domain: Self.domain, [input], [GraphAttribute("channels", .integer(Int64(channels)))])
        let shape = vector([1, Int64(channels), -1])
        guard let other else {
            _ = editor.add("Reshape", [image, shape], as: output)
            return
        }
        let whole = add("Reshape", [image, shape])
        let length = add("Slice", [add("Shape", [other]), vector([2]), vector([3])])
        _ = editor.add("Slice", [whole, vector([0]), length, vector([2])], as: output)
    }

    struct Steps {
        var taps: Int
        var stride = 1
        var dilation = 1
        var padding = (before: 0, after: 0)
        var groups = 1
    }

    /// - Parameters:
    ///   - weights: Already in the order of blocks.
    ///   - bias: `nil` = 0.
    ///   - summand: Added to the result; only with a bias.
    ///   - activation: Applied at the end.
    mutating func convolve(
        _ input: String, weights: String, bias: String? = nil, plus summand: String? = nil, _ steps: Steps,
        _ activation: [GraphAttribute] = []
    ) -> String {
        func pair(_ first: Int64, _ second: Int) -> GraphAttribute.Value { .integers([first, Int64(second)]) }
        return editor.add(
            "Conv", domain: Self.domain, [input, weights] + [bias, summand].compactMap(\.self),
            [
                GraphAttribute("kernel_shape", pair(1, steps.taps)),
                GraphAttribute("dilations", pair(1, steps.dilation)),
                GraphAttribute("strides", pair(1, steps.stride)),
                GraphAttribute("pads", .integers([0, Int64(steps.padding.before), 0, Int64(steps.padding.after)])),
                GraphAttribute("group", .integer(Int64(steps.groups))),
            ] + activation)
    }

    /// - Parameter convolution: Its channels are whole blocks.
    mutating func convolve(
        _ input: String, _ convolution: Convolution, plus summand: String? = nil,
        _ activation: [GraphAttribute] = []
    ) -> String {
        let weights = constant(
            convolution.blockedWeights(block),
            shape: [convolution.outputChannels, convolution.inputChannels, 1, convolution.taps])
        let bias = constant(convolution.bias, shape: [convolution.outputChannels])
        let steps = Steps(
            taps: convolution.taps, stride: convolution.stride, dilation: convolution.dilation,
            padding: convolution.padding)
        return convolve(input, weights: weights, bias: bias, plus: summand, steps, activation)
    }

    /// A transposed convolution.
    ///
    /// - Parameter rows: Of the image whose width is time.
    mutating func upsample(
        _ input: String, _ convolution: Convolution, rows: Int = 1
    ) throws(RewriteRefusal) -> String {
        let (block, channels, stride) = (
            Int64(self.block), Int64(convolution.outputChannels), Int64(convolution.stride)
        )
        let phases = convolve(input, try convolution.phases(block: self.block))
        // Blocks of channels, phases, time, channels of a block.
        let split = reshape(phases, [channels / block, stride, -1, block])
        let turned = add("Transpose", [split], [GraphAttribute("perm", .integers([0, 2, 1, 3]))])
        return reshape(turned, [1, channels, Int64(rows), -1])
    }
}
