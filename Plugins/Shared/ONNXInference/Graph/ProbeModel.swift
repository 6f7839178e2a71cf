/// A model of one node, to see what the library does with it.
enum ProbeModel {
    /// - Parameter node: All its inputs and outputs are floats, and those of the model.
    static func bytes(_ node: GraphNode) -> [UInt8] {
        var graph = ProtobufWriter()
        graph.append(ONNXField.Graph.node, node.bytes(UnsafeRawBufferPointer(start: nil, count: 0)))
        graph.append(2, "probe")
        for (field, names) in [(ONNXField.Graph.input, node.inputs), (ONNXField.Graph.output, node.outputs)] {
            for name in names {
                graph.append(field, (try? GraphValue(name, ElementTypes.float32).bytesWithoutShape()) ?? [])
            }
        }
        var model = ProtobufWriter()
        model.append(1, integer: 8)
        model.append(ONNXField.Model.graph, graph.bytes)
        for (domain, version) in [("", Int64(15)), (node.domain, 1)] {
            var set = ProtobufWriter()
            set.append(ONNXField.OperatorSet.domain, domain)
            set.append(ONNXField.OperatorSet.version, integer: version)
            model.append(ONNXField.Model.operatorSet, set.bytes)
        }
        return model.bytes
    }
}
