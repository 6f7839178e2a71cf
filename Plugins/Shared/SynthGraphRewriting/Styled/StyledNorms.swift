import SynthGraphs

/// Moves the scale and bias that are computed from a style into the norm so that the multiplication and addition after
/// the norm are no longer needed.
///
/// Such a norm (AdaIN) is `norm(x) * scale(style) + bias(style)`. ONNX Runtime's norm node has its own scale and bias
/// per channel, so no further passes over the samples are needed. The samples differ from those of the original model
/// only by rounding. The rewritten model has a batch size of 1.
enum StyledNorms {
    /// Returns the number of changed norms, at least 1. Throws if none can be changed.
    static func apply(to editor: inout GraphEditor) throws -> Int {
        let delicate = editor.delicateNodes
        var changed = editor
        var removed: Set<Int> = []
        let all = changed.constant([-1])
        var count = 0
        let norms = editor.graph.nodes.indices.filter { !delicate.contains($0) }.flatMap {
            StyledNorm.all($0, in: editor)
        }
        for norm in norms {
            var scale = changed.add("Reshape", [norm.scale, all])
            var bias = changed.add("Reshape", [norm.bias, all])
            if let affine = norm.affine {
                if affine.bias.contains(where: { $0 != 0 }) {
                    bias = changed.add("Add", [bias, changed.add("Mul", [scale, affine.biasName])])
                }
                if affine.scale.contains(where: { $0 != 1 }) { scale = changed.add("Mul", [scale, affine.scaleName]) }
            }
            _ = changed.add(
                "InstanceNormalization", [norm.input, scale, bias], as: norm.output,
                [GraphAttribute("epsilon", .float(norm.epsilon))])
            removed.formUnion(norm.nodes)
            count += 1
        }
        guard count > 0 else { throw InferenceError.refused("no norm gets its scale and bias from a style vector") }
        try changed.replace(removed)
        editor = changed
        return count
    }
}

/// A norm and the multiplication and addition that follow it.
private struct StyledNorm {
    let input: String
    let epsilon: Float
    let affine: TimeNorm.Affine?
    let scale: String
    let bias: String
    let output: String
    let nodes: Set<Int>

    /// Returns the norms that share a node's output. An optimizer merges the norms of residual blocks that read the
    /// same samples, and the rewrite separates them again. The array is empty if the node is not a norm, or if a node
    /// of a different kind reads its output.
    static func all(_ number: Int, in editor: GraphEditor) -> [StyledNorm] {
        guard let norm = TimeNorm(number, in: editor), !editor.isOuter(norm.output),
            let readers = editor.readers[norm.output]
        else { return [] }
        let found = readers.compactMap { StyledNorm(norm, number, readBy: $0, in: editor) }
        return found.count == readers.count ? found : []
    }

    private init?(_ norm: TimeNorm, _ number: Int, readBy reader: Int, in editor: GraphEditor) {
        guard let product = editor.node(reader, "Mul", inputs: 2),
            let scale = product.input(beside: norm.output),
            let sum = editor.onlyReader(product.outputs[0], "Add", inputs: 2),
            let bias = sum.node.input(beside: product.outputs[0]),
            // The scale and the bias must be the two halves of a vector that has one number per channel, not per
            // sample.
            let vector = Self.vector(scale, in: editor), vector == Self.vector(bias, in: editor)
        else { return nil }
        (input, epsilon, affine) = (norm.input, norm.epsilon, norm.affine)
        (self.scale, self.bias) = (scale, bias)
        output = sum.node.outputs[0]
        nodes = [number, reader, sum.number]
    }

    /// Returns the vector from which a part is taken. A constant may be added to the part.
    private static func vector(_ part: String, in editor: GraphEditor) -> String? {
        guard let number = editor.producers[part] else { return nil }
        let node = editor.graph.nodes[number]
        guard node.domain.isEmpty else { return nil }
        switch node.operation {
        case "Split", "Slice": return node.inputs.first
        case "Add":
            let inner = node.inputs.filter { !editor.isConstant($0) }
            guard node.inputs.count == 2, inner.count == 1, let producer = editor.producers[inner[0]] else {
                return nil
            }
            let split = editor.graph.nodes[producer]
            return split.domain.isEmpty && ["Split", "Slice"].contains(split.operation) ? split.inputs.first : nil
        default: return nil
        }
    }
}
