/// How many tensors go from the nodes before each place of a graph to those after it.
struct Crossings {
    /// Each is passed on in a run.
    private static let most = 24
    private static let longestName = 96

    /// For each place, which is the number of nodes before it. `nil` if a tensor that crosses it cannot be passed on.
    private var counts: [Int?]

    init(_ graph: ModelGraph) {
        let types = ElementTypes(graph)
        var lastReader: [String: Int] = [:]
        for (number, node) in graph.nodes.enumerated() {
            for name in node.inputs + node.captures where !name.isEmpty { lastReader[name] = number }
        }
        // Changes from one place to the next.
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

    /// Places that split the graph into about equal parts, at most so many; fewer if there are no good ones.
    func places(_ parts: Int) -> [Int] {
        let nodes = counts.count - 1
        // So far a place may be from the middle between its neighbours.
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
