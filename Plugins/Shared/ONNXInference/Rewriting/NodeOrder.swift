/// In which order nodes are computed.
enum NodeOrder {
    private enum State {
        case new, entered, placed
    }

    /// Each node as late as it can be: after those that it reads, and right before the first that reads it. So few tensors are
    /// alive at a time, and few go from one half of a graph to the other.
    ///
    /// - Throws: If nodes depend on each other in a circle.
    static func latest(_ nodes: [GraphNode], for outputs: [String]) throws(RewriteRefusal) -> [GraphNode] {
        var producers: [String: Int] = [:]
        for (number, node) in nodes.enumerated() {
            for name in node.outputs where !name.isEmpty { producers[name] = number }
        }
        let sources = nodes.map { ($0.inputs + $0.captures).compactMap { producers[$0] } }
        var states = [State](repeating: .new, count: nodes.count)
        var order: [GraphNode] = []
        // A path through the graph: each node was entered from the one before it.
        var path: [(node: Int, sources: ArraySlice<Int>)] = []
        func enter(_ node: Int) throws(RewriteRefusal) {
            switch states[node] {
            case .new:
                states[node] = .entered
                path.append((node, sources[node][...]))
            case .entered: throw RewriteRefusal("the nodes depend on each other in a circle")
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
