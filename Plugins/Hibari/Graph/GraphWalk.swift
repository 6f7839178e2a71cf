import SynthGraphs

/// Follows the connections of a graph.
///
/// Nodes are identified by operation and connections, never by name, because each export names nodes and intermediate
/// tensors differently.
struct GraphWalk {
    /// Operations that are skipped because they change neither the values nor their order in memory.
    private static let skipped: Set<String> = ["Cast", "Identity", "Transpose", "Unsqueeze"]
    /// The maximum number of nodes between a constant and the node that reads it. A longer chain indicates a cycle.
    private static let longestChain = 8

    let graph: ModelGraph
    private var producers: [String: Int] = [:]
    private var readers: [String: [Int]] = [:]
    private var constants: [String: GraphTensor] = [:]

    init(_ graph: ModelGraph) {
        self.graph = graph
        for (number, node) in graph.nodes.enumerated() where node.domain.isEmpty {
            for name in node.outputs where !name.isEmpty { producers[name] = number }
            for name in Set(node.inputs) where !name.isEmpty { readers[name, default: []].append(number) }
        }
        for tensor in graph.initializers { constants[tensor.name] = tensor }
        // At run time, an input with the same name replaces the constant.
        for input in graph.inputs { constants[input.name] = nil }
    }

    func producer(of tensor: String) -> GraphNode? { producers[tensor].map { graph.nodes[$0] } }

    func readers(of tensor: String) -> [GraphNode] { (readers[tensor] ?? []).map { graph.nodes[$0] } }

    /// Returns the nodes with this operation that read the tensor, either directly or through skipped nodes.
    func nodes(after tensor: String, _ operation: String) -> [GraphNode] {
        var found: [GraphNode] = []
        var seen: Set<String> = [tensor]
        var front = [tensor]
        // Uses a worklist instead of recursion, because a damaged graph may contain cycles or many paths to one tensor.
        while let next = front.popLast() {
            for node in readers(of: next) {
                if node.operation == operation {
                    found.append(node)
                } else if Self.skipped.contains(node.operation), let output = node.outputs.first,
                    seen.insert(output).inserted
                {
                    front.append(output)
                }
            }
        }
        return found
    }

    /// Returns the node found by `nodes(after:_:)`. Throws unless there is exactly one.
    func node(after tensor: String, _ operation: String) throws -> GraphNode {
        let found = nodes(after: tensor, operation)
        guard found.count == 1 else {
            throw HibariFailure.model(
                "is not a hibari voice: \"\(tensor)\" is followed by \(found.count) \(operation) nodes instead of 1")
        }
        return found[0]
    }

    /// Returns the output of the node found by `node(after:_:)`.
    func output(after tensor: String, _ operation: String) throws -> String {
        try output(of: node(after: tensor, operation))
    }

    func output(of node: GraphNode) throws -> String {
        guard let output = node.outputs.first else {
            throw HibariFailure.model("is damaged: a node of type \(node.operation) has no output")
        }
        return output
    }

    func input(_ index: Int, of node: GraphNode) throws -> String {
        guard node.inputs.indices.contains(index) else {
            throw HibariFailure.model(
                "is damaged: a node of type \(node.operation) has too few inputs (\(node.inputs.count))")
        }
        return node.inputs[index]
    }

    /// The name of a node's constant input.
    func constantInput(of node: GraphNode) throws -> String {
        guard let name = node.inputs.first(where: { isConstant($0) }) else {
            throw HibariFailure.model("is not a hibari voice: a node of type \(node.operation) has no constant input")
        }
        return name
    }

    /// The integers of an attribute; `nil` if the node has no integer attribute of this name.
    func integers(_ name: String, of node: GraphNode) -> [Int64]? {
        switch node[name] {
        case .integer(let number): [number]
        case .integers(let numbers): numbers
        default: nil
        }
    }

    /// Whether the tensor is an initializer, or the output of a `Constant` node, possibly after casts.
    func isConstant(_ name: String) -> Bool { constant(name) != nil }

    /// The initializer with this name; `nil` for any other tensor.
    func initializer(_ name: String) -> GraphTensor? { constants[name] }

    /// The values of a small constant.
    func numbers(_ name: String) -> [Double]? { constant(name)?.numbers }

    private func constant(_ name: String, depth: Int = 0) -> SmallConstant? {
        if let tensor = constants[name] { return SmallConstant(tensor, in: graph) }
        guard let node = producer(of: name), depth < Self.longestChain else { return nil }
        switch node.operation {
        case "Constant": return SmallConstant(node)
        case "Cast", "Unsqueeze", "Identity": return node.inputs.first.flatMap { constant($0, depth: depth + 1) }
        default: return nil
        }
    }
}

/// A constant whose values are read only if there are few of them.
private struct SmallConstant {
    /// The maximum number of values to read. Shapes, axes and factors have fewer.
    private static let most = 64

    /// `nil` if there are too many values, or if their type is not supported.
    let numbers: [Double]?

    init(_ tensor: GraphTensor, in graph: ModelGraph) {
        numbers = Self.numbers(tensor, graph.raw(tensor, weights: UnsafeRawBufferPointer(start: nil, count: 0)))
    }

    /// Reads a `Constant` node, which contains a tensor or a number.
    init?(_ node: GraphNode) {
        guard let attribute = node.attributes.first else { return nil }
        switch attribute.value {
        case .float(let number): numbers = [Double(number)]
        case .integer(let number): numbers = [Double(number)]
        case .floats(let list): numbers = list.map(Double.init)
        case .integers(let list): numbers = list.map(Double.init)
        case .text: return nil
        case .other(let bytes):
            numbers = bytes.withUnsafeBytes { memory in
                var found: [Double]?
                let message = ProtobufMessage(memory: memory, range: 0..<memory.count)
                try? message.forEach { field in
                    guard field.number == ONNXField.Attribute.tensor, let range = field.bytes else { return }
                    let tensor = try GraphTensor(message.message(range))
                    if case .inside(let position) = tensor.numbers {
                        found = Self.numbers(tensor, (memory, position))
                    } else {
                        found = Self.numbers(tensor, nil)
                    }
                }
                return found
            }
        }
    }

    private static func numbers(_ tensor: GraphTensor, _ raw: (UnsafeRawBufferPointer, Range<Int>)?) -> [Double]? {
        guard let count = tensor.sizes?.count, count <= most else { return nil }
        if case .listed(let integers) = tensor.numbers {
            return integers.count == count ? integers.map(Double.init) : nil
        }
        guard let (memory, range) = raw else { return nil }
        func all<Number>(_ type: Number.Type, _ value: (Number) -> Double) -> [Double]? where Number: BitwiseCopyable {
            let width = MemoryLayout<Number>.size
            guard range.count == count * width else { return nil }
            return (0..<count).map {
                value(memory.loadUnaligned(fromByteOffset: range.lowerBound + $0 * width, as: Number.self))
            }
        }
        switch tensor.element {
        case .float32?: return all(Float.self) { Double($0) }
        case .int64?: return all(Int64.self) { Double($0) }
        case .int32?: return all(Int32.self) { Double($0) }
        case .int8?: return all(Int8.self) { Double($0) }
        case .uint8?: return all(UInt8.self) { Double($0) }
        default: return nil
        }
    }
}
