import SynthGraphs

extension GraphEditor {
    /// Operations that amplify a rounding difference to a full integer step, or accumulate the difference over time.
    private static let amplifying: Set<String> = ["Ceil", "CumSum", "Floor", "Mod", "Round"]

    /// The nodes that affect a voice's durations or phase. If rounding errors changed the results of these nodes, the
    /// audio could drift or become a frame longer.
    var delicateNodes: Set<Int> {
        var found: Set<Int> = []
        var front = graph.nodes.indices.filter { Self.amplifying.contains(graph.nodes[$0].operation) }
        while let number = front.popLast() {
            let node = graph.nodes[number]
            // A tensor's shape does not depend on its values.
            guard node.operation != "Shape" else { continue }
            for name in node.inputs + node.captures {
                if let producer = producers[name], found.insert(producer).inserted { front.append(producer) }
            }
        }
        return found
    }

    /// Returns the only reader of a tensor; `nil` unless it reads the tensor exactly once, performs this ONNX
    /// operation, and has `inputs` inputs and one output.
    func onlyReader(_ name: String, _ operation: String, inputs: Int) -> (number: Int, node: GraphNode)? {
        guard hasOneReader(name), let number = readers[name]?.first else { return nil }
        return node(number, operation, inputs: inputs).map { (number, $0) }
    }

    /// Returns the only reader of a tensor; `nil` unless it reads the tensor exactly once and has one output.
    func reader(of name: String) -> GraphNode? {
        guard hasOneReader(name), let number = readers[name]?.first, graph.nodes[number].outputs.count == 1 else {
            return nil
        }
        return graph.nodes[number]
    }

    /// Returns the node that computes a tensor; `nil` unless it performs this ONNX operation and has one output.
    ///
    /// - Parameter inputs: The required number of inputs; `nil` for any number.
    func maker(of name: String, _ operation: String, inputs: Int? = nil) -> GraphNode? {
        guard let number = producers[name] else { return nil }
        return node(number, operation, inputs: inputs ?? graph.nodes[number].inputs.count)
    }

    /// Returns the node with this number; `nil` unless it performs this ONNX operation and has this number of inputs
    /// and one output.
    func node(_ number: Int, _ operation: String, inputs: Int) -> GraphNode? {
        let node = graph.nodes[number]
        guard node.operation == operation, node.domain.isEmpty, node.inputs.count == inputs, node.outputs.count == 1
        else { return nil }
        return node
    }
}

extension GraphNode {
    /// Returns the other input of the node that reads `name`; `nil` if both inputs are `name` or there are more than
    /// two inputs.
    func input(beside name: String) -> String? {
        let others = inputs.filter { $0 != name }
        return inputs.count == 2 && others.count == 1 ? others[0] : nil
    }
}
