/// A node of a graph, which performs one operation.
package struct GraphNode {
    /// The domain of this project's custom operators.
    package static let ownDomain = "synthhost"

    package var operation: String
    /// The operator's domain; empty for standard ONNX operators.
    package var domain: String
    /// The input names; an empty name represents an omitted input.
    package var inputs: [String]
    package var outputs: [String]
    package var attributes: [GraphAttribute]
    /// The names that the graphs in the node's attributes read, including names defined in enclosing graphs.
    package private(set) var captures: [String] = []
    /// The ranges of all other fields, which are copied unchanged from the file.
    private var rest: [Range<Int>] = []

    package init(
        _ operation: String, domain: String = "", inputs: [String], outputs: [String],
        attributes: [GraphAttribute] = []
    ) {
        self.operation = operation
        self.domain = domain
        self.inputs = inputs
        self.outputs = outputs
        self.attributes = attributes
    }

    /// - Parameter depth: 1 for a node of the model's main graph, plus 1 for each enclosing node.
    init(_ message: ProtobufMessage, depth: Int = 1) throws {
        self.init("", inputs: [], outputs: [])
        var parts = (inputs, outputs, attributes, captures, rest)
        var (operation, domain) = ("", "")
        try message.forEach { field in
            switch (field.number, field.bytes) {
            case (ONNXField.Node.input, let range?): parts.0.append(message.text(range))
            case (ONNXField.Node.output, let range?): parts.1.append(message.text(range))
            case (ONNXField.Node.operation, let range?): operation = message.text(range)
            case (ONNXField.Node.domain, let range?): domain = message.text(range)
            case (ONNXField.Node.attribute, let range?):
                parts.2.append(try GraphAttribute(message.message(range), depth: depth, captures: &parts.3))
            default: parts.4.append(field.whole)
            }
        }
        (inputs, outputs, attributes, captures, rest) = parts
        self.operation = operation
        // The empty string and "ai.onnx" denote the same domain.
        self.domain = domain == "ai.onnx" ? "" : domain
    }

    package subscript(_ name: String) -> GraphAttribute.Value? {
        attributes.first { $0.name == name }?.value
    }

    /// Changes the nodes of the graph in an attribute, such as a branch of an `If`. Does nothing without that attribute.
    package mutating func changeNodes(
        inGraph attribute: String, _ change: (inout GraphNode) throws -> Void
    ) throws {
        for index in attributes.indices where attributes[index].name == attribute {
            guard case .other(let bytes) = attributes[index].value else { continue }
            attributes[index].value = .other(
                try bytes.withUnsafeBytes { memory in
                    let message = ProtobufMessage(memory: memory, range: 0..<memory.count)
                    return try message.rewritten { field, writer in
                        guard field.number == ONNXField.Attribute.graph, let range = field.bytes else { return false }
                        let graph = try message.message(range).rewritten { field, writer in
                            guard field.number == ONNXField.Graph.node, let range = field.bytes else { return false }
                            var node = try GraphNode(message.message(range), depth: 2)
                            try change(&node)
                            writer.append(field.number, node.bytes(memory))
                            return true
                        }
                        writer.append(field.number, graph)
                        return true
                    }
                })
        }
    }

    /// - Parameter memory: The file from which the node was read.
    package func bytes(_ memory: UnsafeRawBufferPointer) -> [UInt8] {
        var writer = ProtobufWriter()
        for name in inputs { writer.append(ONNXField.Node.input, name) }
        for name in outputs { writer.append(ONNXField.Node.output, name) }
        if !operation.isEmpty { writer.append(ONNXField.Node.operation, operation) }
        for attribute in attributes { writer.append(ONNXField.Node.attribute, attribute.bytes) }
        if !domain.isEmpty { writer.append(ONNXField.Node.domain, domain) }
        for range in rest { writer.append(whole: memory[range]) }
        return writer.bytes
    }
}

/// A node's attribute, such as the strides of a convolution.
package struct GraphAttribute {
    /// An attribute's value.
    package enum Value: Equatable {
        case integer(Int64)
        case float(Float)
        case text(String)
        case integers([Int64])
        case floats([Float])
        /// A tensor, a graph or another value that no rewrite interprets, as bytes from the file.
        case other([UInt8])
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// - Parameter depth: The number of enclosing nodes that contain graphs.
    /// - Parameter captures: Receives the names that the inner graphs read.
    init(_ message: ProtobufMessage, depth: Int, captures: inout [String]) throws {
        var name = ""
        var value: Value?
        var type: Int64?
        var holdsGraph = false
        try message.forEach { field in
            switch (field.number, field.value) {
            case (ONNXField.Attribute.name, .bytes(let range)): name = message.text(range)
            case (ONNXField.Attribute.type, .integer(let number)): type = Int64(bitPattern: number)
            case (ONNXField.Attribute.integer, .integer(let number)): value = .integer(Int64(bitPattern: number))
            case (ONNXField.Attribute.float, .fixed): value = .float(try message.floats(field).first ?? 0)
            case (ONNXField.Attribute.text, .bytes(let range)): value = .text(message.text(range))
            case (ONNXField.Attribute.integers, _):
                var numbers = if case .integers(let numbers) = value { numbers } else { [] as [Int64] }
                numbers += try message.integers(field)
                value = .integers(numbers)
            case (ONNXField.Attribute.floats, _):
                var numbers = if case .floats(let numbers) = value { numbers } else { [] as [Float] }
                numbers += try message.floats(field)
                value = .floats(numbers)
            case (ONNXField.Attribute.graph, .bytes), (ONNXField.Attribute.graphs, .bytes): holdsGraph = true
            default: break
            }
        }
        self.name = name
        guard let value, !holdsGraph, type == value.type, value.isExact else {
            var inner = NestedGraphs(depth: depth)
            self.value = .other(try inner.withoutRepeats(attribute: message))
            captures += inner.reads
            return
        }
        self.value = value
    }

    var bytes: [UInt8] {
        var writer = ProtobufWriter()
        switch value {
        case .other(let bytes): return bytes
        case .integer(let number): writer.append(ONNXField.Attribute.integer, integer: number)
        case .float(let number): writer.append(ONNXField.Attribute.float, float: number)
        case .text(let text): writer.append(ONNXField.Attribute.text, text)
        case .integers(let numbers):
            for number in numbers { writer.append(ONNXField.Attribute.integers, integer: number) }
        case .floats(let numbers):
            for number in numbers { writer.append(ONNXField.Attribute.floats, float: number) }
        }
        writer.append(ONNXField.Attribute.name, name)
        if let type = value.type { writer.append(ONNXField.Attribute.type, integer: type) }
        return writer.bytes
    }
}

extension GraphAttribute.Value {
    /// The type's number in `onnx.proto`; `nil` for `other`.
    fileprivate var type: Int64? {
        switch self {
        case .float: 1
        case .integer: 2
        case .text: 3
        case .floats: 6
        case .integers: 7
        case .other: nil
        }
    }

    /// Whether the attribute can be written back byte for byte. This is not possible for text that was not valid UTF-8,
    /// because it was repaired when it was read.
    fileprivate var isExact: Bool {
        if case .text(let text) = self { !text.unicodeScalars.contains("\u{FFFD}") } else { true }
    }
}

/// The graphs in a node's attribute, such as the branches of an `If`.
///
/// Nested graphs are copied without rewriting. When ONNX Runtime saves a model with external weights, it writes the
/// constants of these graphs twice and then refuses to read the saved model, so repeated constants are omitted.
struct NestedGraphs {
    /// The maximum nesting depth. Known models have at most two levels.
    private static let deepest = 16

    /// All names that are read by nodes of nested graphs or returned by nested graphs.
    private(set) var reads: [String] = []
    private let depth: Int

    init(depth: Int) {
        self.depth = depth
    }

    mutating func withoutRepeats(attribute: ProtobufMessage) throws -> [UInt8] {
        let depth = depth
        var found: [String] = []
        let bytes = try attribute.rewritten { field, writer in
            guard [ONNXField.Attribute.graph, ONNXField.Attribute.graphs].contains(field.number),
                let graph = field.bytes
            else { return false }
            guard depth <= Self.deepest else { throw InferenceError.damaged(offset: graph.lowerBound) }
            var inner = NestedGraphs(depth: depth)
            writer.append(field.number, try inner.withoutRepeats(graph: attribute.message(graph)))
            found += inner.reads
            return true
        }
        reads += found
        return bytes
    }

    private mutating func withoutRepeats(graph: ProtobufMessage) throws -> [UInt8] {
        let depth = depth
        var seen: Set<String> = []
        var found: [String] = []
        let bytes = try graph.rewritten { field, writer in
            guard let value = field.bytes else { return false }
            switch field.number {
            case ONNXField.Graph.initializer:
                return try !seen.insert(GraphTensor(graph.message(value)).name).inserted
            case ONNXField.Graph.output:
                found.append(try GraphValue(graph.message(value)).name)
                return false
            case ONNXField.Graph.node:
                let node = try GraphNode(graph.message(value), depth: depth + 1)
                found += node.inputs + node.captures
                writer.append(field.number, node.bytes(graph.memory))
                return true
            default: return false
            }
        }
        reads += found
        return bytes
    }
}
