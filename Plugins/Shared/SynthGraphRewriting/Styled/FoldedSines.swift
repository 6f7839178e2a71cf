import SynthGraphs

/// Combines a norm with the activation `x + sin(a x)² / a` (Snake) between the norm and a convolution. A custom operator
/// computes both in one pass over the samples.
///
/// With `y = a x`, the activation is `(y + sin(y)²) / a`. The factor `a` is folded into the norm's scale and bias, and
/// the divisor `a` into the convolution's weights, per channel. The samples differ from those of the original model
/// only by rounding.
enum FoldedSines {
    /// Returns the number of changed activations, at least 1. Throws if none can be changed.
    static func apply(to editor: inout GraphEditor) throws -> Int {
        let delicate = editor.delicateNodes
        var changed = editor
        var removed: Set<Int> = []
        var count = 0
        for number in editor.graph.nodes.indices where !delicate.contains(number) {
            guard let sine = NormedSine(number, in: editor) else { continue }
            var (scale, bias) = (sine.norm.inputs[1], sine.norm.inputs[2])
            var weights = sine.convolution.inputs[1]
            if sine.factors.contains(where: { $0 != 1 }) {
                let factors = changed.constant(sine.factors, shape: [sine.factors.count])
                scale = changed.add("Mul", [scale, factors])
                bias = changed.add("Mul", [bias, factors])
                weights = changed.constant(sine.dividedWeights, shape: sine.weightShape)
            }
            let sum = changed.add(
                NormSine.name.description, domain: GraphNode.ownDomain, [sine.norm.inputs[0], scale, bias],
                NormSine.attributes(epsilon: sine.epsilon))
            _ = changed.add(
                "Conv", [sum, weights] + sine.convolution.inputs.dropFirst(2), as: sine.convolution.outputs[0],
                sine.convolution.attributes)
            removed.formUnion(sine.nodes)
            count += 1
        }
        guard count > 0 else { throw InferenceError.refused("no norm is followed by a sine and a convolution") }
        try changed.replace(removed)
        editor = changed
        return count
    }
}

/// A norm, the activation `x + sin(a x)² / a` of its output, and the convolution that reads the result.
struct NormedSine {
    /// The maximum deviation of the model's `1 / a` from the exact value. The model's value is rounded, and some exporters
    /// add a tiny number to `a`.
    private static let tolerance: Float = 1e-5
    private static let sensibleFactors: ClosedRange<Float> = 0x1p-20...0x1p20

    let norm: GraphNode
    let convolution: GraphNode
    let nodes: Set<Int>
    /// The number that the norm adds to the variance to avoid a division by 0.
    let epsilon: Float
    /// `a`, one number per channel.
    let factors: [Float]
    let weightShape: [Int]
    private let weights: FloatNumbers

    /// Returns `nil` unless the node is the first in this sequence.
    init?(_ number: Int, in editor: GraphEditor) {
        guard let norm = editor.node(number, "InstanceNormalization", inputs: 3), !editor.isOuter(norm.outputs[0]),
            let epsilon = TimeNorm.epsilon(of: norm),
            let (product, sum) = Self.readers(of: norm.outputs[0], in: editor),
            let factor = product.node.input(beside: norm.outputs[0]),
            let wave = editor.onlyReader(product.node.outputs[0], "Sin", inputs: 1),
            let square = Self.square(of: wave.node.outputs[0], in: editor),
            let quotient = Self.quotient(of: square.output, in: editor),
            let reader = editor.onlyReader(quotient.output, "Add", inputs: 2), reader.number == sum.number,
            sum.node.input(beside: norm.outputs[0]) == quotient.output,
            let end = editor.readers[sum.node.outputs[0]], editor.hasOneReader(sum.node.outputs[0])
        else { return nil }
        let convolution = editor.graph.nodes[end[0]]
        guard convolution.operation == "Conv", convolution.domain.isEmpty,
            convolution.inputs.first == sum.node.outputs[0],
            let parsed = try? Convolution(convolution, in: editor),
            let factors = Self.channels(factor, parsed.inputChannels, in: editor),
            let divisors = Self.channels(quotient.constant, parsed.inputChannels, in: editor),
            factors.allSatisfy({ Self.sensibleFactors.contains($0.magnitude) }),
            zip(factors, divisors).allSatisfy({
                ((quotient.divides ? $1 / $0 : $0 * $1) - 1).magnitude <= Self.tolerance
            })
        else { return nil }
        self.norm = norm
        self.epsilon = epsilon
        self.convolution = convolution
        self.factors = factors
        weights = parsed.weights
        weightShape = [parsed.outputChannels, parsed.inputChannels, parsed.taps]
        nodes = [number, product.number, wave.number, square.number, quotient.number, sum.number, end[0]]
    }

    var dividedWeights: [Float] {
        let (inputs, taps) = (weightShape[1], weightShape[2])
        let inverses = factors.map { 1 / Double($0) }
        return weights.withFloats { weights in
            [Float](unsafeUninitializedCapacity: weights.count) { result, count in
                count = weights.count
                for first in stride(from: 0, to: count, by: taps) {
                    let inverse = inverses[first / taps % inputs]
                    for position in first..<first + taps {
                        result.initializeElement(at: position, to: Float(Double(weights[position]) * inverse))
                    }
                }
            }
        }
    }

    /// Returns the two readers of a tensor if one is a multiplication and the other is an addition.
    private static func readers(
        of name: String, in editor: GraphEditor
    ) -> (product: (number: Int, node: GraphNode), sum: (number: Int, node: GraphNode))? {
        guard let readers = editor.readers[name], readers.count == 2, readers[0] != readers[1] else { return nil }
        for (first, second) in [(readers[0], readers[1]), (readers[1], readers[0])] {
            if let product = editor.node(first, "Mul", inputs: 2), let sum = editor.node(second, "Add", inputs: 2) {
                return ((first, product), (second, sum))
            }
        }
        return nil
    }

    private static func square(of name: String, in editor: GraphEditor) -> (number: Int, output: String)? {
        if let power = editor.onlyReader(name, "Pow", inputs: 2) {
            guard power.node.inputs[0] == name, let exponent = try? editor.floats(power.node.inputs[1]),
                exponent.numbers == [2]
            else { return nil }
            return (power.number, power.node.outputs[0])
        }
        guard let readers = editor.readers[name], readers.count == 2, readers[0] == readers[1], !editor.isOuter(name),
            let product = editor.node(readers[0], "Mul", inputs: 2), product.inputs == [name, name]
        else { return nil }
        return (readers[0], product.outputs[0])
    }

    /// Matches a tensor that is divided or multiplied by a constant.
    private static func quotient(
        of name: String, in editor: GraphEditor
    ) -> (number: Int, output: String, constant: String, divides: Bool)? {
        if let product = editor.onlyReader(name, "Mul", inputs: 2), let constant = product.node.input(beside: name) {
            return (product.number, product.node.outputs[0], constant, false)
        }
        if let quotient = editor.onlyReader(name, "Div", inputs: 2), quotient.node.inputs[0] == name {
            return (quotient.number, quotient.node.outputs[0], quotient.node.inputs[1], true)
        }
        return nil
    }

    /// Returns a constant with one number per channel, or with a single number for all channels.
    private static func channels(_ name: String, _ count: Int, in editor: GraphEditor) -> [Float]? {
        guard let (numbers, shape) = try? editor.floats(name) else { return nil }
        if numbers.count == 1, shape.count <= 3 { return [Float](repeating: numbers[0], count: count) }
        return shape == [1, count, 1] || shape == [count, 1] ? numbers : nil
    }
}
