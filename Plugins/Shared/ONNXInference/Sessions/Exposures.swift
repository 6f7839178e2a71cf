/// Inner tensors of a model that a session returns as well.
struct Exposures: Sendable {
    /// Also from the cache. `nil` if none was asked for or found.
    var lasting: String?
    /// Outputs of the session of the published model only, with the noise that the model makes, for comparing.
    var noise: [String] = []
    private(set) var outputs: [String] = []
    /// Outputs that the cache's form has not.
    var forNow: [String] { outputs.filter { $0 != lasting } }

    /// - Parameters:
    ///   - operation: The one whose result is exposed if exactly one node has it.
    ///   - noise: Whether the model's noise is wanted.
    init(of graph: ModelGraph, _ operation: String?, noise isNoiseWanted: Bool) {
        let own = Set(graph.outputs.map(\.name))
        if let operation, let tensor = graph.output(ofOnly: operation), !tensor.isEmpty, !own.contains(tensor) {
            lasting = tensor
        }
        if isNoiseWanted { noise = ModelNoise.tensors(of: graph) }
        outputs = [lasting].compactMap(\.self) + noise.filter { !own.contains($0) && $0 != lasting }
    }
}
