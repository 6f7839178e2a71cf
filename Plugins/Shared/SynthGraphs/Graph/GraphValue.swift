/// A declared input or output of a graph.
package struct GraphValue {
    package let name: String
    /// The element type; `nil` if it is not declared or the value is not a tensor.
    package let element: ElementTypes.Element?
    private let message: ProtobufMessage?

    /// - Parameter element: The element type of a tensor; `nil` declares only the name.
    package init(_ name: String, _ element: ElementTypes.Element? = nil) {
        self.name = name
        self.element = element
        message = nil
    }

    init(_ message: ProtobufMessage) throws {
        var name = ""
        var element: ElementTypes.Element?
        try message.forEach { field in
            guard let range = field.bytes else { return }
            if field.number == ONNXField.Value.name { name = message.text(range) }
            if field.number == ONNXField.Value.type { element = try Self.element(message.message(range)) ?? element }
        }
        self.name = name
        self.element = element
        self.message = message
    }

    private static func element(_ type: ProtobufMessage) throws -> ElementTypes.Element? {
        var element: ElementTypes.Element?
        try type.forEach(in: [ONNXField.ValueType.tensor]) { field in
            guard field.number == ONNXField.TensorType.element, case .integer(let number) = field.value else { return }
            element = Int64(exactly: number)
        }
        return element
    }

    /// Returns the declaration without the shape, which is not needed to compute the graph.
    package func bytesWithoutShape() throws -> [UInt8] {
        guard let message else {
            var writer = ProtobufWriter()
            writer.append(ONNXField.Value.name, name)
            if let element {
                var tensor = ProtobufWriter()
                tensor.append(ONNXField.TensorType.element, integer: element)
                var type = ProtobufWriter()
                type.append(ONNXField.ValueType.tensor, tensor.bytes)
                writer.append(ONNXField.Value.type, type.bytes)
            }
            return writer.bytes
        }
        return try message.rewritten { field, value in
            guard field.number == ONNXField.Value.type, let type = field.bytes else { return false }
            let bytes = try message.message(type).rewritten { field, type in
                guard field.number == ONNXField.ValueType.tensor, let tensor = field.bytes else { return false }
                let bytes = try message.message(tensor).rewritten { field, _ in
                    field.number == ONNXField.TensorType.shape
                }
                type.append(field.number, bytes)
                return true
            }
            value.append(field.number, bytes)
            return true
        }
    }
}

/// Finds the tensor shapes that a model file declares so that they can be hidden from ONNX Runtime.
///
/// To plan memory for tensors of known shape, ONNX Runtime runs a search whose time is quadratic in the number of these
/// tensors. The search accounts for up to half of the time needed to create a session. The declared shapes serve no
/// other purpose, because every node determines the shape of its result.
package enum DeclaredShapes {
    /// The key of a length-delimited field that exists in neither graphs nor tensor types. Protobuf readers skip unknown
    /// fields.
    package static let unknownKey: UInt8 = 3 << 3 | 2

    /// Returns the file offsets of the one-byte keys of all fields that declare shapes. Replacing a key with
    /// `unknownKey` hides its field.
    package static func keys(in file: UnsafeRawBufferPointer) throws -> [Int] {
        var keys: [Int] = []
        func note(_ number: UInt64, in path: ArraySlice<UInt64>) throws {
            try ProtobufMessage(memory: file, range: 0..<file.count).forEach(in: path) { field in
                guard field.number == number, field.bytes != nil else { return }
                // Keys of more than one byte are valid, but no exporter writes them.
                let start = field.whole.lowerBound
                if UInt64(file[start]) == number << 3 | 2 { keys.append(start) }
            }
        }
        try note(ONNXField.Graph.valueInfo, in: [ONNXField.Model.graph])
        for side in [ONNXField.Graph.input, ONNXField.Graph.output] {
            let type = [ONNXField.Model.graph, side, ONNXField.Value.type, ONNXField.ValueType.tensor]
            try note(ONNXField.TensorType.shape, in: type[...])
        }
        return keys
    }
}

/// The element types of a graph's tensors, insofar as the operators determine them. A saved graph declares only the
/// types of its inputs and constants.
package struct ElementTypes {
    /// The number of an element type in `onnx.proto`.
    package typealias Element = Int64

    package static let float32: Element = 1
    package static let int64: Element = 7
    private static let bool: Element = 9

    private static let integerResults: Set<String> = ["ArgMax", "ArgMin", "NonZero", "Shape", "Size"]
    private static let truthResults: Set<String> = [
        "And", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Xor",
    ]
    /// Operators whose outputs all have the type of the first input, according to the ONNX specification or the documentation
    /// of ONNX Runtime's own operators.
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

    /// The element type of a tensor; `nil` if the operators do not determine it.
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
