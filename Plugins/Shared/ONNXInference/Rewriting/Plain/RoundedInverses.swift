/// The activation `x + sin(a x)² / a`, of which the file holds both `a` and `1 / a`. In half precision each of them was rounded by
/// itself; among floats the second one is again what it stands for.
enum RoundedInverses {
    /// How far two numbers that were rounded to halves can be from each other's inverse.
    private static let tolerance: Float = 0x1p-9
    private static let mostCasts = 4

    static func restore(in graph: inout ModelGraph) {
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

    /// The constant of a product.
    private static func constant(of node: GraphNode?, in editor: GraphEditor) -> (numbers: [Float], name: String)? {
        guard let node, node.operation == "Mul", let name = node.inputs.first(where: editor.isConstant),
            let found = try? editor.floats(name)
        else { return nil }
        return (found.numbers, name)
    }

    /// What computes a tensor, before it was given another kind.
    private static func maker(of name: String, in editor: GraphEditor) -> GraphNode? {
        var name = name
        for _ in 0..<mostCasts {
            guard let number = editor.producers[name] else { return nil }
            let node = editor.graph.nodes[number]
            guard node.operation == "Cast", let input = node.inputs.first else { return node }
            name = input
        }
        return nil
    }

    /// The node that alone reads a tensor, after it was given another kind.
    private static func reader(of name: String, in editor: GraphEditor) -> GraphNode? {
        var name = name
        for _ in 0..<mostCasts {
            guard let numbers = editor.readers[name], let number = numbers.first, numbers.allSatisfy({ $0 == number })
            else { return nil }
            let node = editor.graph.nodes[number]
            guard node.operation == "Cast", let output = node.outputs.first else { return node }
            name = output
        }
        return nil
    }
}
