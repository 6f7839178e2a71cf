package import SynthGraphs

/// Finds nodes of a graph by their operation and connections, and replaces them.
///
/// New nodes are collected until `replace` inserts them, so a rewrite that throws midway changes nothing.
package struct GraphEditor {
    /// Changes a graph and returns a description of the change.
    package typealias Rewrite = (inout GraphEditor) throws -> String

    /// The maximum size of an integer list in bytes. Shapes, axes and similar lists are much shorter.
    private static let maximumIntegerBytes = 1 << 12

    package private(set) var graph: ModelGraph
    /// The contents of the external weights file.
    let weights: UnsafeRawBufferPointer

    /// The index of the node that computes each tensor.
    private(set) var producers: [String: Int] = [:]
    /// The indices of the nodes that read each tensor. A node that reads a tensor twice is listed twice.
    private(set) var readers: [String: [Int]] = [:]
    private var constants: [String: Int] = [:]
    private var names: Set<String> = []
    private var outer: Set<String> = []
    private var nameCount = 0
    private var added: [GraphNode] = []
    private var addedConstants: [GraphTensor] = []

    package init(_ graph: ModelGraph, weights: UnsafeRawBufferPointer) {
        self.graph = graph
        self.weights = weights
        index()
    }

    private mutating func index() {
        (producers, readers, constants) = ([:], [:], [:])
        for (number, node) in graph.nodes.enumerated() {
            for name in node.outputs where !name.isEmpty { producers[name] = number }
            for name in node.inputs + node.captures where !name.isEmpty { readers[name, default: []].append(number) }
            names.formUnion(node.inputs + node.captures + node.outputs)
        }
        for (number, tensor) in graph.initializers.enumerated() { constants[tensor.name] = number }
        names.formUnion(constants.keys)
        names.formUnion(graph.inputs.map(\.name))
        outer = Set(graph.outputs.map(\.name))
        names.formUnion(outer)
        // At run time, an input with the same name replaces the constant.
        for input in graph.inputs { constants[input.name] = nil }
    }

    /// Whether the tensor is read by exactly one node, exactly once, and is not an output of the graph.
    func hasOneReader(_ name: String) -> Bool {
        readers[name]?.count == 1 && !outer.contains(name)
    }

    /// Whether the tensor is an output of the model.
    func isOuter(_ name: String) -> Bool { outer.contains(name) }

    func isConstant(_ name: String) -> Bool { constants[name] != nil }

    /// Returns a constant's shape; `nil` for any other tensor.
    func shape(ofConstant name: String) -> [Int64]? {
        constants[name].map { graph.initializers[$0].shape }
    }

    /// Returns the values of an integer constant; `nil` for any other tensor.
    func integers(_ name: String) -> [Int64]? {
        guard let number = constants[name], graph.initializers[number].element == .int64,
            let (memory, range) = graph.raw(graph.initializers[number], weights: weights),
            range.count.isMultiple(of: 8),
            range.count <= Self.maximumIntegerBytes
        else { return nil }
        return stride(from: range.lowerBound, to: range.upperBound, by: 8).map {
            memory.loadUnaligned(fromByteOffset: $0, as: Int64.self)
        }
    }

    /// Returns the values of a float constant. Throws for any other tensor.
    func floats(_ name: String) throws -> (numbers: [Float], shape: [Int]) {
        let (numbers, shape) = try floatNumbers(name)
        return (numbers.array, shape)
    }

    /// Returns the values of a float constant without copying large data. Throws for any other tensor.
    func floatNumbers(_ name: String) throws -> (numbers: FloatNumbers, shape: [Int]) {
        let (tensor, shape, count) = try constant(name)
        guard tensor.element == .float32 else {
            throw InferenceError.refused("the values of \"\(name)\" cannot be read")
        }
        switch tensor.numbers {
        case .made(.floats(let numbers)) where numbers.count == count: return (FloatNumbers(numbers), shape)
        case .made(.computed(let numbers)) where numbers.count == count: return (FloatNumbers(numbers.array), shape)
        default: return (FloatNumbers(try raw(tensor, count)), shape)
        }
    }

    /// Returns the values of a constant in a number format other than 32-bit floats, with up to four bytes per number.
    /// Throws for any other tensor.
    func packed(_ name: String) throws -> PackedNumbers {
        guard let numbers = graph.packed(try constant(name).tensor, weights: weights) else {
            throw InferenceError.refused("the values of \"\(name)\" have an unexpected element type or cannot be read")
        }
        return numbers
    }

    /// Returns a constant's number format, if it is supported; `nil` for any other tensor.
    func element(ofConstant name: String) -> GraphTensor.Element? {
        constants[name].flatMap { graph.initializers[$0].element }
    }

    private func constant(_ name: String) throws -> (tensor: GraphTensor, shape: [Int], count: Int) {
        guard let number = constants[name] else { throw InferenceError.refused("\"\(name)\" is not a constant") }
        let tensor = graph.initializers[number]
        guard let (shape, count) = tensor.sizes else {
            throw InferenceError.refused("\"\(name)\" has an invalid shape")
        }
        return (tensor, shape, count)
    }

    /// Returns the bytes of a tensor with `count` floats.
    private func raw(_ tensor: GraphTensor, _ count: Int) throws -> UnsafeRawBufferPointer {
        guard let (memory, range) = graph.raw(tensor, weights: weights),
            range.count.isMultiple(of: 4), range.count / 4 == count
        else { throw InferenceError.refused("the values of \"\(tensor.name)\" cannot be read") }
        return UnsafeRawBufferPointer(rebasing: memory[range])
    }

    /// Adds a node that replaces an existing node and has the same outputs. Pass the existing node to `replace`.
    mutating func add(_ node: GraphNode) { added.append(node) }

    /// Adds a node and returns the name of its output.
    ///
    /// - Parameter others: The names of additional outputs.
    mutating func add(
        _ operation: String, domain: String = "", _ inputs: [String], as output: String? = nil,
        _ attributes: [GraphAttribute] = [], also others: [String] = []
    ) -> String {
        let output = output ?? freshName()
        added.append(
            GraphNode(operation, domain: domain, inputs: inputs, outputs: [output] + others, attributes: attributes))
        return output
    }

    mutating func constant(_ numbers: [Float], shape: [Int]) -> String {
        let name = freshName()
        addedConstants.append(GraphTensor(name, numbers, shape: shape))
        return name
    }

    mutating func constant(_ numbers: ComputedFloats, shape: [Int]) -> String {
        let name = freshName()
        addedConstants.append(GraphTensor(name, numbers, shape: shape))
        return name
    }

    /// Adds a constant vector and returns its name.
    mutating func constant(_ numbers: [Int64]) -> String {
        let name = freshName()
        addedConstants.append(GraphTensor(name, numbers, shape: [numbers.count]))
        return name
    }

    /// Returns the nodes that the outputs depend on.
    private static func needed(_ nodes: [GraphNode], for outputs: Set<String>) -> [GraphNode] {
        var producers: [String: Int] = [:]
        for (number, node) in nodes.enumerated() {
            for name in node.outputs where !name.isEmpty { producers[name] = number }
        }
        var needed: Set<Int> = []
        var front = outputs.compactMap { producers[$0] }
        while let number = front.popLast() {
            guard needed.insert(number).inserted else { continue }
            front += (nodes[number].inputs + nodes[number].captures).compactMap { producers[$0] }
        }
        return nodes.enumerated().filter { needed.contains($0.offset) }.map(\.element)
    }

    private mutating func freshName() -> String {
        repeat { nameCount += 1 } while names.contains("rewritten/\(nameCount)")
        return "rewritten/\(nameCount)"
    }

    /// Removes nodes, inserts the added ones, and then removes nodes without readers. Throws if the nodes cannot be sorted
    /// topologically.
    mutating func replace(_ removed: Set<Int>) throws {
        let left = graph.nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element) + added
        let nodes = Self.needed(left, for: outer)
        graph.nodes = try NodeOrder.latest(nodes, for: graph.outputs.map(\.name))
        graph.initializers += addedConstants
        var used = outer
        for node in nodes { used.formUnion(node.inputs + node.captures) }
        graph.initializers.removeAll { !used.contains($0.name) }
        for domain in Set(nodes.map(\.domain)) where graph.operatorSets[domain] == nil {
            graph.operatorSets[domain] = 1
        }
        (added, addedConstants) = ([], [])
        index()
    }
}

/// Sorts nodes topologically.
enum NodeOrder {
    private enum State {
        case new, entered, placed
    }

    /// Places each node as late as possible: after the nodes whose outputs it reads, and directly before its first
    /// reader. As a result, few tensors are live at once, and few cross between the halves of a graph.
    ///
    /// - Throws: An error if the nodes form a cycle.
    static func latest(_ nodes: [GraphNode], for outputs: [String]) throws -> [GraphNode] {
        var producers: [String: Int] = [:]
        for (number, node) in nodes.enumerated() {
            for name in node.outputs where !name.isEmpty { producers[name] = number }
        }
        let sources = nodes.map { ($0.inputs + $0.captures).compactMap { producers[$0] } }
        var states = [State](repeating: .new, count: nodes.count)
        var order: [GraphNode] = []
        // The current path through the graph. Each node was reached from the previous one.
        var path: [(node: Int, sources: ArraySlice<Int>)] = []
        func enter(_ node: Int) throws {
            switch states[node] {
            case .new:
                states[node] = .entered
                path.append((node, sources[node][...]))
            case .entered: throw InferenceError.refused("the nodes form a cycle")
            case .placed: break
            }
        }
        for end in outputs.compactMap({ producers[$0] }) + nodes.indices {
            try enter(end)
            while let last = path.indices.last {
                if let source = path[last].sources.popFirst() {
                    try enter(source)
                } else {
                    let node = path.removeLast().node
                    states[node] = .placed
                    order.append(nodes[node])
                }
            }
        }
        return order
    }
}
