/// The graphs inside of a node's attribute, such as the branches of an `If`.
///
/// They are not rewritten, but copied. The library writes their constants twice when it saves a model with external
/// weights, and then refuses to read them, so repeated constants are left out.
struct NestedGraphs {
    /// The deepest nesting of graphs in nodes. No known model has more than two levels.
    private static let deepest = 16

    /// Every name that a node inside reads, or that a graph inside returns.
    private(set) var reads: [String] = []
    private let depth: Int

    init(depth: Int) {
        self.depth = depth
    }

    mutating func withoutRepeats(attribute: ProtobufMessage) throws(ProtobufError) -> [UInt8] {
        let depth = depth
        var found: [String] = []
        let bytes = try attribute.rewritten { (field, writer) throws(ProtobufError) in
            guard [ONNXField.Attribute.graph, ONNXField.Attribute.graphs].contains(field.number),
                let graph = field.bytes
            else { return false }
            guard depth <= Self.deepest else { throw ProtobufError(offset: graph.lowerBound) }
            var inner = NestedGraphs(depth: depth)
            writer.append(field.number, try inner.withoutRepeats(graph: attribute.message(graph)))
            found += inner.reads
            return true
        }
        reads += found
        return bytes
    }

    private mutating func withoutRepeats(graph: ProtobufMessage) throws(ProtobufError) -> [UInt8] {
        let depth = depth
        var seen: Set<String> = []
        var found: [String] = []
        let bytes = try graph.rewritten { (field, writer) throws(ProtobufError) in
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
