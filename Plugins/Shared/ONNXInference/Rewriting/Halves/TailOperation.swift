/// What a node does with time, which is the last axis of its tensors.
enum TailOperation {
    /// Each number of the output depends on those at the same place of the inputs, or on a single number.
    case pointwise
    /// Cuts, joins or turns around channels, which are the axis before time.
    case channels
    /// A convolution that gives a moment for each moment, and how many moments before and after it depends on.
    case convolution(reach: Int)
    /// A transposed convolution.
    case upsampling(stride: Int, reach: Int)
    /// Gives tensors another rank, at the end of the model only.
    case rank

    private static let pointwiseNames: Set<String> = [
        "Abs", "Add", "Div", "Exp", "Identity", "LeakyRelu", "Mul", "Neg", "Relu", "Sigmoid", "Sin", "Sqrt", "Sub",
        "Tanh",
    ]

    /// `nil` for a node that may connect distant moments, or that is not known.
    init?(_ node: GraphNode, in editor: GraphEditor) {
        guard node.captures.isEmpty, !node.inputs.isEmpty, !node.outputs.isEmpty else { return nil }
        switch (node.domain, node.operation) {
        case ("", "Conv"), ("com.microsoft", "FusedConv"):
            guard let convolution = try? Convolution(node, in: editor), convolution.keepsLength else { return nil }
            self = .convolution(reach: max(convolution.padding.before, convolution.padding.after))
        case ("", "ConvTranspose"):
            guard let convolution = try? Convolution(node, in: editor), let reach = try? convolution.phaseReach() else {
                return nil
            }
            self = .upsampling(stride: convolution.stride, reach: reach)
        case ("", let name) where Self.pointwiseNames.contains(name):
            guard node.inputs.allSatisfy({ Self.isSameAtAllTimes($0, in: editor) }) else { return nil }
            self = .pointwise
        // Numbers that are all the same, in the shape of another tensor.
        case ("", "ConstantOfShape"):
            guard let shape = editor.producers[node.inputs[0]],
                Self.isWholeShape(editor.graph.nodes[shape], in: editor)
            else { return nil }
            self = .pointwise
        case ("", "Shape"):
            guard Self.isWholeShape(node, in: editor) else { return nil }
            self = .pointwise
        case ("", "Split"), ("", "Concat"):
            guard node["axis"] == .integer(1) else { return nil }
            self = .channels
        case ("", "Slice"):
            guard node.inputs.count >= 4, editor.integers(node.inputs[3]) == [1],
                node.inputs.dropFirst().allSatisfy(editor.isConstant)
            else { return nil }
            self = .channels
        case ("", "Squeeze"), ("", "Unsqueeze"):
            guard node.inputs.count == 2, let axes = editor.integers(node.inputs[1]),
                axes.allSatisfy({ (0...1).contains($0) })
            else { return nil }
            self = .rank
        default: return nil
        }
    }

    /// Whether a tensor is computed, or a constant that broadcasts over time.
    private static func isSameAtAllTimes(_ name: String, in editor: GraphEditor) -> Bool {
        guard let shape = editor.shape(ofConstant: name) else { return !editor.isConstant(name) }
        return shape.isEmpty || shape.last == 1
    }

    /// A node `Shape` that only gives others their shape.
    private static func isWholeShape(_ node: GraphNode, in editor: GraphEditor) -> Bool {
        guard node.operation == "Shape", node.domain.isEmpty, node.outputs.count == 1, node["end"] == nil,
            node["start"] == nil || node["start"] == .integer(0)
        else { return false }
        return editor.readers[node.outputs[0]]?.allSatisfy {
            let reader = editor.graph.nodes[$0]
            return reader.operation == "ConstantOfShape" && reader.domain.isEmpty
        } ?? false
    }
}
