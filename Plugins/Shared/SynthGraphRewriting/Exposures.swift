package import SynthGraphs

/// Inner tensors of a model that a session returns as well.
package struct Exposures: Sendable {
    /// Also from the cache. `nil` if none was asked for or found.
    package var lasting: String?
    /// Outputs of the session of the published model only, with the noise that the model makes, for comparing.
    package var noise: [String] = []
    package private(set) var outputs: [String] = []
    /// Outputs that the cache's form has not.
    package var forNow: [String] { outputs.filter { $0 != lasting } }

    /// - Parameters:
    ///   - operation: The one whose result is exposed if exactly one node has it.
    ///   - noise: Whether the model's noise is wanted.
    package init(of graph: ModelGraph, _ operation: String?, noise isNoiseWanted: Bool) {
        let own = Set(graph.outputs.map(\.name))
        if let operation, let tensor = graph.output(ofOnly: operation), !tensor.isEmpty, !own.contains(tensor) {
            lasting = tensor
        }
        if isNoiseWanted { noise = ModelNoise.tensors(of: graph) }
        outputs = [lasting].compactMap(\.self) + noise.filter { !own.contains($0) && $0 != lasting }
    }
}

/// Noise that a model makes itself, with ONNX's operators for it.
///
/// Two forms of a model can only be compared with the same noise. A rewrite leaves the nodes that make it as they are, so what they
/// make in one form can be given to the other.
package enum ModelNoise {
    private static let operations: Set<String> = [
        "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
    ]

    private static func isNoise(_ node: GraphNode) -> Bool {
        operations.contains(node.operation) && node.domain.isEmpty
    }

    /// The tensors that hold it, except for those of nested graphs.
    static func tensors(of graph: ModelGraph) -> [String] {
        graph.nodes.filter(isNoise).flatMap(\.outputs).filter { !$0.isEmpty }
    }

    /// Writes a graph into which its noise goes from outside. Returns `false`, and writes nothing, if it makes none.
    package static func copyWithout(_ path: String, to other: String) throws -> Bool {
        let file = try MappedFile(path)
        var graph = try ModelGraph(file.bytes)
        guard takeOut(of: &graph) else { return false }
        try DiskFile(writing: other).write(try graph.bytes())
        return true
    }

    /// Returns whether there was any.
    static func takeOut(of graph: inout ModelGraph) -> Bool {
        let noise = tensors(of: graph)
        guard !noise.isEmpty else { return false }
        let types = ElementTypes(graph)
        let inputs = graph.inputs + noise.map { GraphValue($0, types[$0]) }
        // A stage may hand noise on to a later one, which now gets it from outside as well.
        let outputs = graph.outputs.map(\.name).filter { !noise.contains($0) }
        graph = graph.part(graph.nodes.filter { !isNoise($0) }, inputs: inputs, outputs: outputs)
        return true
    }
}
