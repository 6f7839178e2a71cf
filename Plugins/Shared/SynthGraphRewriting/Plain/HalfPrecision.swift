package import SynthGraphs

/// Converts 16-bit floats to 32-bit floats, in constants and in nodes that specify the type of their result.
package enum HalfPrecision {
    private static let half = GraphTensor.Element.float16.rawValue
    private static let float = GraphTensor.Element.float32.rawValue
    /// Attributes that specify a number type.
    private static let kinds: Set<String> = ["to", "dtype"]

    /// Whether the model computes in half precision. Weights that are converted to floats before any other node reads
    /// them do not count, because the conversion happens when the model is opened.
    package static func isUsed(in graph: ModelGraph) -> Bool {
        let halves = Set(graph.initializers.lazy.filter { $0.element == .float16 }.map(\.name))
        guard !halves.isEmpty else { return false }
        return graph.nodes.contains { node in
            node.operation != "Cast" && (node.inputs + node.captures).contains(where: halves.contains)
        }
    }

    /// Converts a graph. Throws if a nested graph might contain half-precision numbers, or if the model's inputs or
    /// outputs do, because callers rely on their types.
    package static func remove(from graph: inout ModelGraph) throws {
        guard !(graph.inputs + graph.outputs).contains(where: { $0.element == half }) else {
            throw InferenceError.refused("the model's inputs or outputs are half-precision")
        }
        for (number, tensor) in graph.initializers.enumerated() where tensor.element == .float16 {
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            guard let numbers = graph.packed(tensor, weights: none) else {
                throw InferenceError.refused("the values of \"\(tensor.name)\" cannot be read")
            }
            graph.initializers[number] = GraphTensor(tensor.name, numbers.floats, shape: numbers.shape)
        }
        for number in graph.nodes.indices {
            guard graph.nodes[number].captures.isEmpty else {
                throw InferenceError.refused("a nested graph may contain half-precision numbers")
            }
            for position in graph.nodes[number].attributes.indices {
                let attribute = graph.nodes[number].attributes[position]
                switch attribute.value {
                case .integer(half) where kinds.contains(attribute.name):
                    graph.nodes[number].attributes[position].value = .integer(float)
                case .other(let bytes):
                    // `Constant` and `ConstantOfShape` nodes have this attribute.
                    guard attribute.name == "value", let tensor = try ValueTensor(bytes), tensor.isHalf else {
                        continue
                    }
                    graph.nodes[number].attributes[position].value = .other(tensor.floatAttribute)
                default: continue
                }
            }
        }
    }
}

/// A tensor in a node's `value` attribute.
private struct ValueTensor {
    private let shape: [Int64]
    private let floats: [Float]
    let isHalf: Bool

    /// Returns `nil` if the attribute is not a tensor. The values are read only if they are half-precision.
    init?(_ attribute: [UInt8]) throws {
        guard let found = try attribute.withUnsafeBytes({ try Self.read($0) }) else { return nil }
        (shape, floats, isHalf) = found
    }

    private static func read(
        _ memory: UnsafeRawBufferPointer
    ) throws -> (shape: [Int64], floats: [Float], isHalf: Bool)? {
        var tensor: GraphTensor?
        let message = ProtobufMessage(memory: memory, range: 0..<memory.count)
        try message.forEach { field in
            if field.number == ONNXField.Attribute.tensor, let range = field.bytes {
                tensor = try GraphTensor(message.message(range))
            }
        }
        guard let tensor else { return nil }
        guard tensor.element == .float16 else { return ([], [], false) }
        // The tensor's range refers to the bytes of the attribute that contains it.
        guard let packed = PackedNumbers(halves: tensor, in: memory) else {
            throw InferenceError.refused("a half-precision constant cannot be read")
        }
        return (tensor.shape, packed.array, true)
    }

    /// The attribute with its values converted to 32-bit floats.
    var floatAttribute: [UInt8] {
        var none = AddedWeights(locations: [])
        let tensor = GraphTensor("", floats, shape: shape.map { Int(clamping: $0) })
        var writer = ProtobufWriter()
        writer.append(ONNXField.Attribute.name, "value")
        writer.append(ONNXField.Attribute.tensor, tensor.bytes(UnsafeRawBufferPointer(start: nil, count: 0), &none))
        writer.append(ONNXField.Attribute.type, integer: 4)
        return writer.bytes
    }
}

extension PackedNumbers {
    /// Returns `nil` if the numbers are stored in a different format.
    fileprivate init?(halves tensor: GraphTensor, in memory: UnsafeRawBufferPointer) {
        switch tensor.numbers {
        case .inside(let range) where range.count.isMultiple(of: 2):
            self.init(.half, UnsafeRawBufferPointer(rebasing: memory[range]), [range.count / 2])
        case .listed(let integers): self.init(.half, listed: integers, [integers.count])
        default: return nil
        }
    }
}

/// The activation `x + sin(a x)² / a`, for which the file stores both `a` and `1 / a`. In half precision, the two were
/// rounded separately; this rewrite makes `1 / a` the exact inverse again.
package enum RoundedInverses {
    /// The maximum deviation of `1 / a` from the exact inverse after both numbers were rounded to half precision.
    private static let tolerance: Float = 0x1p-9
    private static let maximumCasts = 4

    package static func restore(in graph: inout ModelGraph) {
        let editor = GraphEditor(graph, weights: UnsafeRawBufferPointer(start: nil, count: 0))
        var inverses: [String: [Float]] = [:]
        for wave in graph.nodes where wave.operation == "Sin" {
            guard let input = wave.inputs.first, let output = wave.outputs.first,
                let (factor, _) = constant(of: maker(of: input, in: editor), in: editor),
                let square = reader(of: output, in: editor), ["Pow", "Mul"].contains(square.operation),
                let (inverse, name) = constant(
                    of: square.outputs.first.flatMap { reader(of: $0, in: editor) }, in: editor),
                factor.count == inverse.count,
                zip(factor, inverse).allSatisfy({ ($0 * $1 - 1).magnitude <= tolerance })
            else { continue }
            inverses[name] = factor.map { 1 / $0 }
        }
        for (number, tensor) in graph.initializers.enumerated() {
            guard let numbers = inverses[tensor.name], let shape = tensor.sizes?.shape else { continue }
            graph.initializers[number] = GraphTensor(tensor.name, numbers, shape: shape)
        }
    }

    /// Returns the constant factor of a multiplication.
    private static func constant(of node: GraphNode?, in editor: GraphEditor) -> (numbers: [Float], name: String)? {
        guard let node, node.operation == "Mul", let name = node.inputs.first(where: editor.isConstant),
            let found = try? editor.floats(name)
        else { return nil }
        return (found.numbers, name)
    }

    /// Returns the node that computes a tensor, before any type conversion.
    private static func maker(of name: String, in editor: GraphEditor) -> GraphNode? {
        var name = name
        for _ in 0..<maximumCasts {
            guard let number = editor.producers[name] else { return nil }
            let node = editor.graph.nodes[number]
            guard node.operation == "Cast", let input = node.inputs.first else { return node }
            name = input
        }
        return nil
    }

    /// Returns the node that reads a tensor, after any type conversion; `nil` if there are several.
    private static func reader(of name: String, in editor: GraphEditor) -> GraphNode? {
        var name = name
        for _ in 0..<maximumCasts {
            guard let numbers = editor.readers[name], let number = numbers.first, numbers.allSatisfy({ $0 == number })
            else { return nil }
            let node = editor.graph.nodes[number]
            guard node.operation == "Cast", let output = node.outputs.first else { return node }
            name = output
        }
        return nil
    }
}
