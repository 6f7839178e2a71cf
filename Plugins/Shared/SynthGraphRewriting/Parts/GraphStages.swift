package import SynthGraphs

/// Splits a graph into consecutive stages with the same overall result. Each stage computes tensors that later stages read.
///
/// When ONNX Runtime creates a session, it uses a single thread and plans the graph's memory with a search that takes
/// quadratic time in the number of tensors. Creating the sessions of three stages in parallel therefore takes half as
/// long as creating one session for the entire graph.
package struct GraphStages {
    /// The usual number of nodes per stage. With fewer nodes, the additional session would cost more time than the
    /// split saves.
    static let usualNodes = 640

    package let graphs: [ModelGraph]
    package let split: StageSplit

    /// Splits a graph at positions that are crossed by only a few tensors, all of known type. If there are no such
    /// positions, the result is the graph itself.
    ///
    /// - Parameter nodes: The approximate number of nodes per stage.
    package init(_ graph: ModelGraph, nodes: Int = usualNodes) {
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
        guard outer.count <= StageSplit.maximumOutputs, outer.allSatisfy({ stageOf[$0] != nil && $0.isRecordable })
        else {
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

/// The number of tensors that cross each position between the nodes of a graph.
struct Crossings {
    /// The maximum number of crossing tensors. Every run has to pass them to the next graph.
    private static let most = 24
    private static let longestName = 96

    /// The counts, indexed by the number of nodes before the position; `nil` if a crossing tensor cannot be passed on.
    private var counts: [Int?]

    init(_ graph: ModelGraph) {
        let types = ElementTypes(graph)
        var lastReader: [String: Int] = [:]
        for (number, node) in graph.nodes.enumerated() {
            for name in node.inputs + node.captures where !name.isEmpty { lastReader[name] = number }
        }
        // The changes in the counts from one position to the next.
        var (passed, stuck) = (
            [Int](repeating: 0, count: graph.nodes.count + 1), [Int](repeating: 0, count: graph.nodes.count + 1)
        )
        for (number, node) in graph.nodes.enumerated() {
            for name in node.outputs {
                guard let last = lastReader[name], last > number else { continue }
                let isKnown = types[name] != nil && name.utf8.count <= Self.longestName && name.isRecordable
                passed[number + 1] += 1
                passed[last + 1] -= 1
                stuck[number + 1] += isKnown ? 0 : 1
                stuck[last + 1] -= isKnown ? 0 : 1
            }
        }
        var (now, stuckNow) = (0, 0)
        counts = zip(passed, stuck).map { change, stuckChange in
            now += change
            stuckNow += stuckChange
            return stuckNow == 0 && now <= Self.most ? now : nil
        }
    }

    /// Returns `parts` - 1 positions that split the graph into parts of similar size, or fewer if there are not enough
    /// suitable positions.
    func places(_ parts: Int) -> [Int] {
        let nodes = counts.count - 1
        // The maximum distance from the ideal position.
        let reach = nodes / parts / 4
        return (1..<parts).compactMap { part in
            let middle = nodes * part / parts
            let near = max(1, middle - reach)...min(nodes - 1, middle + reach)
            let best = near.filter { counts[$0] != nil }.min {
                (counts[$0] ?? .max, abs($0 - middle)) < (counts[$1] ?? .max, abs($1 - middle))
            }
            return best
        }
    }
}
