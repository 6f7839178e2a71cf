import SynthGraphs

/// A norm over each channel's samples, `(x - mean) / sqrt(mean((x - mean)²) + epsilon)`, in any of the forms that
/// exporters write: a single InstanceNormalization, or one node per step.
struct TimeNorm {
    /// The scale and the bias per channel, which only an InstanceNormalization has.
    struct Affine {
        let scale: [Float]
        let bias: [Float]
        let scaleName: String
        let biasName: String
    }

    let input: String
    let output: String
    /// The number that is added to the variance.
    let epsilon: Float
    /// `nil` if the norm has no scale and bias.
    let affine: Affine?

    /// The epsilon of nodes that do not specify one.
    private static let usualEpsilon: Float = 1e-5

    /// - Parameter number: The index of the node that returns the norm's result. Returns `nil` for any other node.
    init?(_ number: Int, in editor: GraphEditor) {
        if let norm = Self.oneNode(number, in: editor) ?? Self.steps(number, in: editor) {
            self = norm
        } else {
            return nil
        }
    }

    private init(input: String, output: String, epsilon: Float, affine: Affine? = nil) {
        self.input = input
        self.output = output
        self.epsilon = epsilon
        self.affine = affine
    }

    private static func oneNode(_ number: Int, in editor: GraphEditor) -> TimeNorm? {
        guard let node = editor.node(number, "InstanceNormalization", inputs: 3), let epsilon = epsilon(of: node),
            let scale = try? editor.floats(node.inputs[1]), let bias = try? editor.floats(node.inputs[2]),
            scale.shape.count == 1, scale.shape == bias.shape
        else { return nil }
        return TimeNorm(
            input: node.inputs[0], output: node.outputs[0], epsilon: epsilon,
            affine: Affine(
                scale: scale.numbers, bias: bias.numbers, scaleName: node.inputs[1], biasName: node.inputs[2]))
    }

    /// Returns an InstanceNormalization's epsilon; `nil` if it is not a number.
    static func epsilon(of node: GraphNode) -> Float? {
        switch node[NormSine.epsilon] {
        case nil: usualEpsilon
        case .float(let number)?: number
        default: nil
        }
    }

    // MARK: - As separate nodes

    private static func steps(_ number: Int, in editor: GraphEditor) -> TimeNorm? {
        guard let (difference, deviation) = quotient(number, in: editor),
            let input = centred(difference, in: editor),
            let root = editor.maker(of: deviation, "Sqrt", inputs: 1),
            let sum = editor.maker(of: root.inputs[0], "Add", inputs: 2),
            let (mean, epsilon) = constantBeside(sum, in: editor),
            let variance = editor.maker(of: mean, "ReduceMean"), isOverTime(variance, in: editor),
            let squared = square(variance.inputs[0], in: editor), centred(squared, in: editor) == input
        else { return nil }
        return TimeNorm(input: input, output: editor.graph.nodes[number].outputs[0], epsilon: epsilon)
    }

    /// Matches `difference / deviation`, or `difference` multiplied by the reciprocal.
    private static func quotient(_ number: Int, in editor: GraphEditor) -> (difference: String, deviation: String)? {
        if let quotient = editor.node(number, "Div", inputs: 2) { return (quotient.inputs[0], quotient.inputs[1]) }
        guard let product = editor.node(number, "Mul", inputs: 2) else { return nil }
        for (first, second) in [(0, 1), (1, 0)] {
            if let inverse = editor.maker(of: product.inputs[second], "Reciprocal", inputs: 1) {
                return (product.inputs[first], inverse.inputs[0])
            }
            if let inverse = editor.maker(of: product.inputs[second], "Div", inputs: 2),
                let one = try? editor.floats(inverse.inputs[0]), one.numbers == [1]
            {
                return (product.inputs[first], inverse.inputs[1])
            }
        }
        return nil
    }

    /// Matches `x - mean(x)` and returns `x`.
    private static func centred(_ name: String, in editor: GraphEditor) -> String? {
        guard let difference = editor.maker(of: name, "Sub", inputs: 2),
            let mean = editor.maker(of: difference.inputs[1], "ReduceMean"), isOverTime(mean, in: editor),
            mean.inputs[0] == difference.inputs[0]
        else { return nil }
        return mean.inputs[0]
    }

    /// Matches a square and returns the tensor that is squared.
    private static func square(_ name: String, in editor: GraphEditor) -> String? {
        if let product = editor.maker(of: name, "Mul", inputs: 2) {
            return product.inputs[0] == product.inputs[1] ? product.inputs[0] : nil
        }
        guard let power = editor.maker(of: name, "Pow", inputs: 2),
            let exponent = try? editor.floats(power.inputs[1]), exponent.numbers == [2]
        else { return nil }
        return power.inputs[0]
    }

    private static func constantBeside(_ sum: GraphNode, in editor: GraphEditor) -> (other: String, number: Float)? {
        for (first, second) in [(0, 1), (1, 0)] {
            if let constant = try? editor.floats(sum.inputs[second]), constant.numbers.count == 1 {
                return (sum.inputs[first], constant.numbers[0])
            }
        }
        return nil
    }

    /// Whether a mean is computed over the last of three axes and keeps that axis. In newer operator sets, the axes are
    /// an input.
    private static func isOverTime(_ mean: GraphNode, in editor: GraphEditor) -> Bool {
        guard [nil, .integer(1)].contains(mean["keepdims"]), !mean.inputs.isEmpty else { return false }
        let axes: [Int64]? =
            if case .integers(let axes)? = mean["axes"] { axes } else {
                mean.inputs.count == 2 ? editor.integers(mean.inputs[1]) : nil
            }
        return axes == [2] || axes == [-1]
    }
}
