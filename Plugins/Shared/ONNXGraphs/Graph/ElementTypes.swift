/// What kinds of numbers the tensors of a graph hold, as far as the operators say so. A saved graph declares it of its
/// inputs and constants only.
package struct ElementTypes {
    /// By their numbers in `onnx.proto`.
    package typealias Element = Int64

    package static let float32: Element = 1
    private static let int64: Element = 7
    private static let bool: Element = 9

    private static let integerResults: Set<String> = ["ArgMax", "ArgMin", "NonZero", "Shape", "Size"]
    private static let truthResults: Set<String> = [
        "And", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Xor",
    ]
    /// Operators all of whose outputs are what their first input is, by the specification of ONNX and, for the others, by
    /// the documentation of the library's operators.
    private static let likeFirst: Set<String> = [
        "Abs", "Add", "Atan", "Ceil", "Clip", "Concat", "Conv", "ConvTranspose", "Cos", "CumSum", "Div", "Erf", "Exp",
        "Expand", "Floor", "FusedConv", "FusedGemm", "FusedMatMul", "Gather", "GatherElements", "GatherND", "Gelu",
        "Gemm", "Identity", "InstanceNormalization", "LSTM", "LayerNormalization", "LeakyRelu", "Log", "MatMul", "Max",
        "Min", "Mul", "Neg", "Pad", "Pow", "Range", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "Relu",
        "ReorderInput", "ReorderOutput", "Reshape", "Resize", "ScatterElements", "ScatterND", "Sigmoid",
        "SimplifiedLayerNormalization", "Sin", "Slice",
        "Softmax", "Softplus", "Split", "Sqrt", "Squeeze", "Sub", "Tanh", "Tile", "Transpose", "Unsqueeze",
    ]

    private var known: [String: Element] = [:]

    package init(_ graph: ModelGraph) {
        for tensor in graph.initializers { known[tensor.name] = tensor.element?.rawValue }
        for input in graph.inputs { known[input.name] = input.element }
        for node in graph.nodes {
            guard let element = result(of: node) else { continue }
            for name in node.outputs where !name.isEmpty { known[name] = element }
        }
    }

    /// `nil` if the operators do not say so.
    package subscript(_ name: String) -> Element? { known[name] }

    private func result(of node: GraphNode) -> Element? {
        if node.domain == GraphNode.ownDomain { return Self.float32 }
        switch node.operation {
        case "Cast":
            guard case .integer(let element) = node["to"] else { return nil }
            return element
        case "ConstantOfShape": return node["value"] == nil ? Self.float32 : nil
        case "RandomNormalLike", "RandomUniformLike":
            if case .integer(let element) = node["dtype"] { return element }
            return node.inputs.first.flatMap { known[$0] }
        case "Where": return node.inputs.count == 3 ? known[node.inputs[1]] : nil
        case let name where Self.integerResults.contains(name): return Self.int64
        case let name where Self.truthResults.contains(name): return Self.bool
        case let name where Self.likeFirst.contains(name): return node.inputs.first.flatMap { known[$0] }
        default: return nil
        }
    }
}
