/// Fixed noise for comparing two forms of a model that makes noise itself.
///
/// A rewrite leaves the nodes that make noise as they are, so both forms have the same ones. With a seed each gives the
/// same numbers in the first run of every session, and what is left of a difference comes from the rewrite. The form
/// that is used afterwards has no seed that the model itself has not.
enum SeededNoise {
    private static let seed: Float = 1
    private static let operations: Set<String> = [
        "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
    ]

    /// Writes a graph with a seed in each node that makes noise and has none. Returns `false`, and writes nothing, if
    /// there is no such node.
    static func copy(_ path: String, to other: String) throws -> Bool {
        let file = try MappedFile(path)
        var graph = try ModelGraph(file.bytes)
        guard seed(&graph) else { return false }
        try DiskFile(writing: other).write(try graph.bytes())
        return true
    }

    /// Returns whether there is anything to seed.
    static func seed(_ graph: inout ModelGraph) -> Bool {
        let nodes = graph.nodes.indices.filter {
            let node = graph.nodes[$0]
            return operations.contains(node.operation) && node.domain.isEmpty && node["seed"] == nil
        }
        for number in nodes { graph.nodes[number].attributes.append(GraphAttribute("seed", .float(seed))) }
        return !nodes.isEmpty
    }
}
