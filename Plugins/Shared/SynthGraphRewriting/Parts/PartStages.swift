import SynthGraphs

/// A stage of a model part whose output depends only on nearby time steps.
///
/// When a part runs on consecutive time ranges, it has to read some time steps on both sides of each range again. Only
/// the operations at the beginning of the part need all of these time steps; most of the work is done by operations at
/// the end, which depend on only a few of them. Therefore, the part is divided at points that only one tensor crosses.
/// Between runs, a stage keeps the outputs that the next stage will read again. Each stage computes only the new time
/// steps and the few adjacent time steps on which they depend.
package struct PartStage: Equatable, Sendable {
    /// The maximum number of stages in a part.
    package static let most = 8
    /// The maximum number of tensors passed from one stage to the next.
    private static let maximumTensors = 4
    private static let longest = 1 << 16

    /// The number of output time steps per input time step.
    package var stride: Int
    /// The number of input time steps on either side that affect an output time step.
    package var reach: Int
    /// The number of input tensors for which the stage reads time steps kept from the previous run; 0 for the first
    /// stage.
    package var tensors = 0

    package init(stride: Int, reach: Int, tensors: Int = 0) {
        (self.stride, self.reach, self.tensors) = (stride, reach, tensors)
    }

    /// The name of the input that specifies which time steps of the previous stage to read.
    package static func placesInput(_ stage: Int) -> String { "stream/\(stage)" }
    /// The name of the input for the time steps kept from the previous run.
    package static func keptInput(_ stage: Int, _ tensor: Int) -> String { "stream/\(stage)/\(tensor)" }
    /// The name of the output for the time steps to keep until the next run.
    package static func keptOutput(_ stage: Int, _ tensor: Int) -> String { "stream/\(stage)/\(tensor)/next" }
    /// The name of the intermediate tensor that contains both kept and new time steps.
    private static func joined(_ stage: Int, _ tensor: Int) -> String { "stream/\(stage)/\(tensor)/joined" }

    /// Divides a part into as many stages as possible.
    ///
    /// - Parameters:
    ///   - whole: The part as a single stage.
    ///   - hop: The number of samples per input time step.
    /// - Returns: At least one stage.
    static func divide(_ graph: inout ModelGraph, weights: UnsafeRawBufferPointer, whole: PartStage, hop: Int)
        -> [PartStage]
    {
        guard let nodes = try? NodeOrder.latest(graph.nodes, for: graph.outputs.map(\.name)) else { return [whole] }
        var ordered = graph
        ordered.nodes = nodes
        guard let search = StageSearch(GraphEditor(ordered, weights: weights), hop: hop) else { return [whole] }
        let (ends, stages) = search.stages()
        guard stages.count > 1, stages.map(\.stride).reduce(1, *) == whole.stride,
            stages.allSatisfy({ $0.reach <= longest && $0.tensors <= maximumTensors })
        else { return [whole] }
        graph = joined(ordered, ends)
        return stages
    }

    /// Adds a `StreamJoin` for each tensor passed from one stage to the next.
    private static func joined(_ graph: ModelGraph, _ ends: [StageSearch.End]) -> ModelGraph {
        var nodes: [GraphNode] = []
        var inputs = graph.inputs
        var outputs = graph.outputs.map(\.name)
        /// The new names of tensors within the current stage, keyed by their original names.
        var names: [String: String] = [:]
        var stage = 0
        for (number, node) in graph.nodes.enumerated() {
            var node = node
            node.inputs = node.inputs.map { names[$0] ?? $0 }
            nodes.append(node)
            guard stage < ends.count, ends[stage].node == number else { continue }
            let tensors = ends[stage].tensors
            stage += 1
            inputs.append(GraphValue(placesInput(stage), ElementTypes.int64))
            for (tensor, name) in tensors.enumerated() {
                let joined = joined(stage, tensor)
                nodes.append(
                    GraphNode(
                        StreamJoin.name.description, domain: GraphNode.ownDomain,
                        inputs: [names[name] ?? name, keptInput(stage, tensor), placesInput(stage)],
                        outputs: [joined, keptOutput(stage, tensor)], attributes: StreamJoin.attributes(block: 1)))
                inputs.append(GraphValue(keptInput(stage, tensor), ElementTypes.float32))
                outputs.append(keptOutput(stage, tensor))
                names[name] = joined
            }
        }
        var part = graph.part(nodes, inputs: inputs, outputs: outputs)
        part.operatorSets[GraphNode.ownDomain] = 1
        return part
    }
}

extension PartStage {
    /// The stages as one word of the cache record.
    package static func text(_ stages: [PartStage]) -> String {
        stages.map { "\($0.stride):\($0.reach):\($0.tensors)" }.joined(separator: ",")
    }

    /// Parses the stages. Returns `nil` if the text is damaged.
    package static func stages(_ text: some StringProtocol) -> [PartStage]? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count <= most else { return nil }
        var stages: [PartStage] = []
        for word in words {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Int($0) }
            guard parts.count == 3, numbers.count == 3, (1...longest).contains(numbers[0]),
                (0...longest).contains(numbers[1]), (stages.isEmpty ? 0...0 : 1...maximumTensors).contains(numbers[2])
            else { return nil }
            stages.append(PartStage(stride: numbers[0], reach: numbers[1], tensors: numbers[2]))
        }
        return stages
    }
}

/// Finds the nodes after which a part can be divided.
private struct StageSearch {
    struct End {
        var node: Int
        /// The tensors that later stages read: the result of the stage, followed by inputs of the part.
        var tensors: [String]
        /// The number of time steps of the tensors per input time step of the part.
        var rate: Int
    }

    /// The minimum reach in frames that makes a separate stage worthwhile.
    private static let minimumReach = 2
    /// The number of samples per time step after a division must be a multiple of this number, as blocked vocoders
    /// require.
    private static let strideUnit = 16

    private let nodes: [GraphNode]
    private let hop: Int
    /// For each node, the number of samples on either side that the node itself depends on, not counting other nodes.
    private let reaches: [Int]
    private let outputs: Set<String>
    /// The number of time steps of the outputs per input time step of the part.
    private let outputRate: Int
    /// Possible ends, keyed by node index.
    private var ends: [Int: End] = [:]

    /// Returns `nil` if the part does not have the structure of a voice.
    init?(_ editor: GraphEditor, hop: Int) {
        let graph = editor.graph
        guard hop > 0 else { return nil }
        (nodes, self.hop, outputs) = (graph.nodes, hop, Set(graph.outputs.map(\.name)))
        let names = nodes.flatMap { $0.inputs + $0.outputs } + graph.inputs.map(\.name)
        guard !names.contains(where: { $0.hasPrefix("stream/") }) else { return nil }
        var rates: [String: Int] = [:]
        for input in graph.inputs { rates[input.name] = 1 }
        var reaches: [Int] = []
        for node in nodes {
            guard let operation = TailOperation(node, in: editor),
                var rate = node.inputs.lazy.compactMap({ rates[$0] }).first, hop.isMultiple(of: rate)
            else { return nil }
            switch operation {
            case .convolution(let reach): reaches.append(reach * (hop / rate))
            case .upsampling(let stride, let reach):
                reaches.append(reach * (hop / rate))
                rate *= stride
                guard rate <= hop else { return nil }
            case .pointwise, .channels, .rank: reaches.append(0)
            }
            for name in node.outputs { rates[name] = rate }
        }
        let outputRates = Set(outputs.map { rates[$0] })
        guard outputRates.count == 1, let outputRate = outputRates.first.flatMap(\.self) else { return nil }
        (self.reaches, self.outputRate) = (reaches, outputRate)
        findEnds(rates, inputs: graph.inputs.map(\.name))
    }

    /// Collects the nodes after which only one tensor, apart from inputs of the part, is still needed.
    private mutating func findEnds(_ rates: [String: Int], inputs: [String]) {
        var lastReaders: [String: Int] = [:]
        for (number, node) in nodes.enumerated() {
            for name in node.inputs { lastReaders[name] = number }
        }
        for name in outputs { lastReaders[name] = nodes.count }
        var live: Set<String> = []
        for (number, node) in nodes.enumerated() {
            live.formUnion(node.outputs.filter { lastReaders[$0, default: -1] > number })
            for name in node.inputs where lastReaders[name] == number { live.remove(name) }
            guard live.count == 1, let tensor = live.first, !outputs.contains(tensor), let rate = rates[tensor],
                node.outputs.contains(tensor), node.operation != "Shape"
            else { continue }
            let others = inputs.filter { lastReaders[$0, default: -1] > number }
            guard others.isEmpty || rate == 1,
                outputRate == 1 || (outputRate / rate).isMultiple(of: Self.strideUnit)
            else { continue }
            ends[number] = End(node: number, tensors: [tensor] + others, rate: rate)
        }
    }

    /// Returns the ends of all stages except the last, and all stages.
    func stages() -> (ends: [End], stages: [PartStage]) {
        var found: [End] = []
        var stages: [PartStage] = []
        var (start, rate, tensors) = (0, 1, 0)
        while true {
            let (end, samples) = stage(from: start, divides: stages.count + 1 < PartStage.most)
            stages.append(
                PartStage(
                    stride: (end?.rate ?? outputRate) / rate, reach: (samples * rate + hop - 1) / hop, tensors: tensors)
            )
            guard let end else { return (found, stages) }
            found.append(end)
            (start, rate, tensors) = (end.node + 1, end.rate, end.tensors.count)
        }
    }

    /// Returns the end and the reach in samples of the stage that starts at a node. If several ends have the same
    /// reach, the last one is selected so that a convolution and the operations after it are in the same stage.
    private func stage(from start: Int, divides: Bool) -> (end: End?, reach: Int) {
        var found: (end: End, reach: Int)?
        var reached: [String: Int] = [:]
        for number in start..<nodes.count {
            let node = nodes[number]
            let reach = (node.inputs.compactMap { reached[$0] }.max() ?? 0) + reaches[number]
            for name in node.outputs { reached[name] = reach }
            guard divides, let end = ends[number], reach >= Self.minimumReach * hop else { continue }
            if let found, reach > found.reach { return found }
            found = (end, reach)
        }
        let all = outputs.compactMap { reached[$0] }.max() ?? 0
        if let found, all > found.reach { return found }
        return (nil, all)
    }
}
