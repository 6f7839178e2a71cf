/// A graph as several, which give the same one after another: each makes what later ones read.
///
/// The library plans the memory of a graph with a search that is quadratic in its tensors, and makes a session on one
/// thread. So sessions of three thirds, made side by side, are there in half of the time of one of the whole.
struct GraphStages {
    /// Smaller graphs gain less than another session costs.
    static let usualNodes = 640

    let graphs: [ModelGraph]
    let split: StageSplit

    /// The graph itself if there is no place where few tensors of known kind go from one half to the other.
    ///
    /// - Parameter nodes: About how many a stage has.
    init(_ graph: ModelGraph, nodes: Int = usualNodes) {
        let count = min(StageSplit.most, graph.nodes.count / nodes)
        let places = count > 1 ? Crossings(graph).places(count) : []
        if !places.isEmpty, let stages = Self.stages(of: graph, at: places) {
            self = stages
        } else {
            (graphs, split) = ([graph], StageSplit())
        }
    }

    private init(_ graphs: [ModelGraph], _ split: StageSplit) {
        (self.graphs, self.split) = (graphs, split)
    }

    private static func stages(of graph: ModelGraph, at places: [Int]) -> GraphStages? {
        let types = ElementTypes(graph)
        let bounds = [0] + places + [graph.nodes.count]
        let ranges = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
        var stageOf: [String: Int] = [:]
        for (stage, range) in ranges.enumerated() {
            for name in graph.nodes[range].flatMap(\.outputs) where !name.isEmpty { stageOf[name] = stage }
        }
        let outer = graph.outputs.map(\.name)
        guard outer.count <= StageSplit.mostOutputs, outer.allSatisfy({ stageOf[$0] != nil && $0.isRecordable }) else {
            return nil
        }

        var inputs: [[GraphValue]] = []
        var inner: [String] = []
        for (stage, range) in ranges.enumerated() {
            var read: Set<String> = []
            var given: [GraphValue] = []
            for name in graph.nodes[range].flatMap({ $0.inputs + $0.captures }) where read.insert(name).inserted {
                guard let source = stageOf[name], source < stage else { continue }
                given.append(GraphValue(name, types[name]))
                if !outer.contains(name), !inner.contains(name) { inner.append(name) }
            }
            inputs.append(graph.inputs.filter { read.contains($0.name) } + given)
        }
        var graphs: [ModelGraph] = []
        for (stage, range) in ranges.enumerated() {
            let outputs = (outer + inner).filter { stageOf[$0] == stage }
            guard !outputs.isEmpty else { return nil }
            graphs.append(graph.part(Array(graph.nodes[range]), inputs: inputs[stage], outputs: outputs))
        }
        return GraphStages(graphs, StageSplit(count: graphs.count, outputs: outer))
    }
}
