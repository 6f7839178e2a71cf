import SynthGraphs

/// Reads a voice from its graph: two text encoders, durations, prosody network, decoder and head.
///
/// The engine's README lists each tensor and how it is found.
enum HibariGraph {
    /// - Parameter graph: A graph whose file must stay mapped while the returned table is in use.
    static func tensors(of graph: ModelGraph) throws -> TensorTable {
        let walk = GraphWalk(graph)
        try ModelFamily.check(graph, walk)
        let layers = LayerReader(walk: walk, table: TensorTable())
        let (content, prosody) = try encoders(walk)
        let text = try layers.encoder("content", content)
        let encoded = try layers.encoder("prosody", prosody)
        try durations(layers, after: encoded)
        let features = try prosodyNet(layers, after: encoded)
        try decoder(layers, after: features, content: text)
        return layers.table
    }

    /// Returns the two embedding lookups, exactly one of which must affect the durations.
    private static func encoders(
        _ walk: GraphWalk
    ) throws -> (content: GraphNode, prosody: GraphNode) {
        let gathers = walk.nodes(after: ModelFamily.symbols, "Gather").filter { $0.inputs.count > 1 }
        guard gathers.count == 2 else {
            throw HibariFailure.model("is not a hibari voice: it has \(gathers.count) text encoders, not 2")
        }
        let leading = gathers.map { leadsToDurations($0, walk) }
        guard leading[0] != leading[1] else {
            throw HibariFailure.model(
                "is not a hibari voice: exactly one of its text encoders must return the durations")
        }
        return leading[0] ? (gathers[1], gathers[0]) : (gathers[0], gathers[1])
    }

    /// Whether the encoder leads to a `Round` node. The search stops at lookups with computed indices, which come after the
    /// durations.
    private static func leadsToDurations(_ gather: GraphNode, _ walk: GraphWalk) -> Bool {
        var seen: Set<String> = []
        var front = gather.outputs
        while let tensor = front.popLast() {
            guard seen.insert(tensor).inserted else { continue }
            for node in walk.readers(of: tensor) {
                if node.operation == "Round" { return true }
                if node.operation != "Gather" || node.inputs.count > 1 && walk.isConstant(node.inputs[1]) {
                    front += node.outputs
                }
            }
        }
        return false
    }

    private static func durations(_ layers: LayerReader, after encoded: String) throws {
        let walk = layers.walk
        let first = try layers.convolution("dur.0", walk.node(after: encoded, "Conv"))
        _ = try layers.convolution("dur.1", walk.node(after: layers.gelu(after: first), "Conv"))
    }

    /// Adds the prosody network. Returns the log pitch tensor, which the decoder concatenates with the energy.
    private static func prosodyNet(_ layers: LayerReader, after encoded: String) throws -> String {
        let walk = layers.walk
        let expansions = walk.nodes(after: encoded, "Gather").filter { node in
            node.inputs.count > 1 && !walk.isConstant(node.inputs[1])
        }
        guard expansions.count == 1 else {
            throw HibariFailure.model(
                "is not a hibari voice: \(expansions.count) nodes expand its symbols to frames instead of 1")
        }
        let expanded = try walk.output(of: expansions[0])
        var tensor = try layers.convolution("pro.in", walk.node(after: expanded, "Conv"))
        tensor = try layers.blocks("pro", after: tensor)
        tensor = try layers.convolution("pro.out", walk.node(after: tensor, "Conv"))
        // Each 12.5 ms frame has two features, pitch and energy.
        let pairs = try walk.output(after: walk.output(after: tensor, "Reshape"), "Reshape")
        var features: [Int: GraphNode] = [:]
        for gather in walk.nodes(after: pairs, "Gather") {
            guard let position = walk.numbers(try walk.input(1, of: gather))?.first,
                let position = Int(exactly: position)
            else {
                continue
            }
            features[position] = try walk.node(after: walk.output(of: gather), "Mul")
        }
        guard let pitch = features[0], let energy = features[1], try walk.output(of: pitch) == ModelFamily.pitch else {
            throw HibariFailure.model("is not a hibari voice: its prosody network does not return pitch and energy")
        }
        let added = try walk.node(after: walk.output(after: walk.output(of: pitch), "Relu"), "Add")
        let logarithm = try walk.node(after: walk.output(after: walk.output(of: added), "Log"), "Div")
        let divided = try walk.node(after: walk.output(of: energy), "Div")
        var factors: [Float] = []
        for node in [pitch, energy, added, logarithm, divided] {
            guard let numbers = walk.numbers(try walk.constantInput(of: node)), numbers.count == 1 else {
                throw HibariFailure.model(
                    "is not a hibari voice: a factor of its prosody network is not a scalar")
            }
            factors.append(Float(numbers[0]))
        }
        try layers.table.add("const", floats: factors)
        return try walk.output(of: logarithm)
    }

    private static func decoder(
        _ layers: LayerReader, after feature: String, content: String
    ) throws {
        let walk = layers.walk
        guard !walk.nodes(after: content, "Gather").isEmpty else {
            throw HibariFailure.model("is not a hibari voice: its decoder does not read the encoded text")
        }
        let joined = try walk.output(after: feature, "Concat")
        var tensor = try layers.convolution("dec.in", walk.node(after: joined, "Conv"))
        tensor = try layers.blocks("dec", after: tensor)
        _ = try layers.dense("head", after: layers.norm("dec.norm", after: tensor))
    }
}
