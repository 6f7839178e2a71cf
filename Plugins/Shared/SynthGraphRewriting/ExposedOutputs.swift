package import SynthGraphs

/// A model's intermediate tensors that a session returns in addition to the model's outputs.
package struct ExposedOutputs: Sendable {
    /// The additional output of the cached model; `nil` if none was requested or found.
    package var lasting: String?
    /// Outputs that contain the model's noise, for comparisons. They are returned only by the published model's
    /// session.
    package var noise: [String] = []
    package private(set) var outputs: [String] = []
    /// Outputs that the cached model does not return.
    package var forNow: [String] { outputs.filter { $0 != lasting } }

    /// - Parameters:
    ///   - operation: The name of an operation. If exactly one node has this operation, its output is exposed.
    ///   - noise: Whether to expose the model's noise.
    package init(of graph: ModelGraph, _ operation: String?, noise isNoiseWanted: Bool) {
        let own = Set(graph.outputs.map(\.name))
        if let operation, let tensor = graph.output(ofOnly: operation), !tensor.isEmpty, !own.contains(tensor) {
            lasting = tensor
        }
        if isNoiseWanted { noise = ModelNoise.tensors(of: graph) }
        outputs = [lasting].compactMap(\.self) + noise.filter { !own.contains($0) && $0 != lasting }
    }
}

/// Noise that a model generates with ONNX's random operators.
///
/// Two variants of a model can be compared only with the same noise. A rewrite does not change the nodes that generate noise,
/// so the noise of one variant can be passed to the other.
package enum ModelNoise {
    private static let operations: Set<String> = [
        "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
    ]

    private static func isNoise(_ node: GraphNode) -> Bool {
        operations.contains(node.operation) && node.domain.isEmpty
    }

    /// The noise tensors, except those in nested graphs.
    static func tensors(of graph: ModelGraph) -> [String] {
        graph.nodes.filter(isNoise).flatMap(\.outputs).filter { !$0.isEmpty }
    }

    /// Writes a copy of a graph in which the noise is an input. Returns false without writing if the graph generates no
    /// noise.
    package static func copyWithout(_ path: String, to other: String) throws -> Bool {
        let file = try MappedFile(path)
        var graph = try ModelGraph(file.bytes)
        guard takeOut(of: &graph) else { return false }
        try DiskFile(writing: other).write(try graph.bytes())
        return true
    }

    /// Turns a graph's noise into inputs. Returns false if the graph generates no noise.
    static func takeOut(of graph: inout ModelGraph) -> Bool {
        let noise = tensors(of: graph)
        guard !noise.isEmpty else { return false }
        let types = ElementTypes(graph)
        let inputs = graph.inputs + noise.map { GraphValue($0, types[$0]) }
        // A later stage no longer reads the noise from an earlier one, because the noise is an input of both.
        let outputs = graph.outputs.map(\.name).filter { !noise.contains($0) }
        graph = graph.part(graph.nodes.filter { !isNoise($0) }, inputs: inputs, outputs: outputs)
        return true
    }
}
