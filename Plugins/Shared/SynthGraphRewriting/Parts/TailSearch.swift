import SynthGraphs

/// Finds the last section of a model, in which each output sample depends only on nearby time steps.
struct TailSearch {
    private static let maximumTrimmed = 32
    private static let maximumNodes = 1 << 14

    private let editor: GraphEditor
    private let output: String
    /// The nodes of the tail, keyed by index.
    private(set) var operations: [Int: TailOperation] = [:]
    /// Tensors that the tail reads but does not compute, in the order of their first reader.
    private(set) var seam: [String] = []
    private var isInSeam: Set<String> = []

    /// Walks backward from the audio for as long as each node depends only on nearby time steps.
    init(_ editor: GraphEditor, output: String) throws {
        self.editor = editor
        self.output = output
        var front = [output]
        var seen: Set<String> = []
        while let name = front.popLast() {
            guard let number = editor.producers[name], operations[number] == nil else { continue }
            let node = editor.graph.nodes[number]
            guard let operation = TailOperation(node, in: editor) else { continue }
            // In the middle of a model, changing the rank would make it impossible to track the axes.
            if case .rank = operation, !isAtEnd(name) { continue }
            operations[number] = operation
            guard operations.count <= Self.maximumNodes else {
                throw InferenceError.refused("the model's final part has too many nodes")
            }
            for input in node.inputs where seen.insert(input).inserted { front.append(input) }
        }
        findSeam()
    }

    /// Whether all nodes after this tensor change only the rank.
    private func isAtEnd(_ name: String) -> Bool {
        guard name != output else { return true }
        guard let readers = editor.readers[name], readers.count == 1, case .rank = operations[readers[0]] else {
            return false
        }
        return true
    }

    private mutating func findSeam() {
        isInSeam = []
        seam = []
        for number in operations.keys.sorted() {
            for name in editor.graph.nodes[number].inputs where !name.isEmpty && !editor.isConstant(name) {
                if let producer = editor.producers[name], operations[producer] != nil { continue }
                if isInSeam.insert(name).inserted { seam.append(name) }
            }
        }
    }

    /// Moves nodes that precede the first convolutions out of the tail so that few tensors cross the cut.
    mutating func trim() throws {
        for _ in 0..<Self.maximumTrimmed {
            guard let number = operations.keys.filter(isNeedless).min() else { break }
            operations[number] = nil
            findSeam()
        }
        guard !seam.isEmpty || operations.isEmpty else {
            throw InferenceError.refused("the model's final part does not read the output of the preceding part")
        }
        for name in seam where editor.producers[name] == nil || !name.isRecordable {
            throw InferenceError.refused(
                "the model's final part reads \"\(name)\", but no node computes it, or the cache cannot store its name")
        }
    }

    /// Reduces the tail to the vocoder, starting with the convolutions before the first upsampling node, so that as few
    /// additional frames as possible are needed to compute a range of audio. All nodes of the graph must be in the
    /// tail.
    mutating func keepVocoder() throws {
        var kept: Set<Int> = []
        var isAfter: Set<String> = []
        for number in operations.keys.sorted() {
            let node = editor.graph.nodes[number]
            var isFirst = false
            if case .upsampling = operations[number] { isFirst = isAfter.isEmpty }
            guard isFirst || !isAfter.isDisjoint(with: node.inputs) else { continue }
            kept.insert(number)
            isAfter.formUnion(node.outputs)
        }
        var front = kept.sorted().flatMap { editor.graph.nodes[$0].inputs }
        while let name = front.popLast() {
            guard let number = editor.producers[name], operations[number] != nil, kept.insert(number).inserted else {
                continue
            }
            if case .convolution = operations[number] { continue }
            front += editor.graph.nodes[number].inputs
        }
        let all = operations
        operations = operations.filter { kept.contains($0.key) }
        findSeam()
        // Nodes that read tensors from the model's first part move to the second part.
        let given = Set(seam.filter { editor.producers[$0] == nil })
        operations = operations.filter { given.isDisjoint(with: editor.graph.nodes[$0.key].inputs) }
        findSeam()
        guard !operations.isEmpty, operations.count < all.count, !seam.isEmpty,
            seam.allSatisfy({ editor.producers[$0] != nil })
        else { throw InferenceError.refused("no suitable nodes precede the vocoder") }
    }

    private func isNeedless(_ number: Int) -> Bool {
        switch operations[number] {
        case .pointwise, .channels: break
        case .convolution, .upsampling, .rank, nil: return false
        }
        let node = editor.graph.nodes[number]
        guard node.outputs.count == 1, node.outputs[0] != output, node.operation != "Shape" else { return false }
        let inputs = node.inputs.filter { !$0.isEmpty && !editor.isConstant($0) }
        return !inputs.isEmpty && inputs.allSatisfy(isInSeam.contains)
    }

    /// Returns the number of samples per time step of the seam, and for each tensor the number of samples on either
    /// side that it depends on.
    func reach() throws -> (hop: Int, reaches: [String: Int]) {
        // The number of samples per frame, keyed by tensor.
        var rates: [String: Int] = [:]
        for name in seam { rates[name] = 1 }
        let numbers = operations.keys.sorted()
        for number in numbers {
            let node = editor.graph.nodes[number]
            let inputs = node.inputs.filter { !$0.isEmpty && !editor.isConstant($0) }
            let known = inputs.compactMap { rates[$0] }
            guard known.count == inputs.count else {
                throw InferenceError.refused("the nodes of the model are not in topological order")
            }
            guard var rate = known.first, known.allSatisfy({ $0 == rate }) else {
                throw InferenceError.refused("the model's final part combines tensors of different lengths")
            }
            if case .upsampling(let stride, _) = operations[number] {
                rate *= stride
                guard rate <= 1 << 16 else {
                    throw InferenceError.refused("the vocoder's upsampling factor is too high")
                }
            }
            for name in node.outputs { rates[name] = rate }
        }
        let hop = rates[output] ?? 0
        // The reach in audio samples, keyed by tensor.
        var reaches: [String: Int] = [:]
        for number in numbers {
            let node = editor.graph.nodes[number]
            var reach = node.inputs.compactMap { reaches[$0] }.max() ?? 0
            guard let rate = node.inputs.compactMap({ rates[$0] }).first, hop.isMultiple(of: rate) else {
                throw InferenceError.refused("the model's final part combines tensors of different lengths")
            }
            switch operations[number] {
            case .convolution(let own), .upsampling(_, let own): reach += own * (hop / rate)
            case .pointwise, .channels, .rank, nil: break
            }
            guard reach < 1 << 30 else {
                throw InferenceError.refused("the receptive field of the model's final part is too large")
            }
            for name in node.outputs { reaches[name] = reach }
        }
        return (hop, reaches)
    }
}

/// How a node acts along time, the last axis of its tensors.
enum TailOperation {
    /// Each output element depends only on the input elements at the same position, or on a single number.
    case pointwise
    /// Splits, joins or reverses the channel axis, which precedes the time axis.
    case channels
    /// A convolution with one output time step per input time step. `reach` is the number of time steps on either side
    /// that an output depends on.
    case convolution(reach: Int)
    /// A transposed convolution.
    case upsampling(stride: Int, reach: Int)
    /// Changes the rank of tensors, which is allowed only at the end of the model.
    case rank

    private static let pointwiseNames: Set<String> = [
        "Abs", "Add", "Div", "Exp", "Identity", "LeakyRelu", "Mul", "Neg", "Relu", "Sigmoid", "Sin", "Sqrt", "Sub",
        "Tanh",
    ]

    /// Returns `nil` for a node whose operation is not supported or may connect distant time steps.
    init?(_ node: GraphNode, in editor: GraphEditor) {
        guard node.captures.isEmpty, !node.inputs.isEmpty, !node.outputs.isEmpty else { return nil }
        switch (node.domain, node.operation) {
        case ("", "Conv"), ("com.microsoft", "FusedConv"):
            guard let convolution = try? Convolution(node, in: editor), convolution.keepsLength else { return nil }
            self = .convolution(reach: max(convolution.padding.before, convolution.padding.after))
        case ("", "ConvTranspose"):
            guard let convolution = try? Convolution(node, in: editor), let reach = try? convolution.phaseReach() else {
                return nil
            }
            self = .upsampling(stride: convolution.stride, reach: reach)
        case ("", let name) where Self.pointwiseNames.contains(name):
            guard node.inputs.allSatisfy({ Self.isSameAtAllTimes($0, in: editor) }) else { return nil }
            self = .pointwise
        // The node creates a tensor of equal numbers with the shape of another tensor.
        case ("", "ConstantOfShape"):
            guard let shape = editor.producers[node.inputs[0]],
                Self.isWholeShape(editor.graph.nodes[shape], in: editor)
            else { return nil }
            self = .pointwise
        case ("", "Shape"):
            guard Self.isWholeShape(node, in: editor) else { return nil }
            self = .pointwise
        case ("", "Split"), ("", "Concat"):
            guard node["axis"] == .integer(1) else { return nil }
            self = .channels
        case ("", "Slice"):
            guard node.inputs.count >= 4, editor.integers(node.inputs[3]) == [1],
                node.inputs.dropFirst().allSatisfy(editor.isConstant)
            else { return nil }
            self = .channels
        case ("", "Squeeze"), ("", "Unsqueeze"):
            guard node.inputs.count == 2, let axes = editor.integers(node.inputs[1]),
                axes.allSatisfy({ (0...1).contains($0) })
            else { return nil }
            self = .rank
        default: return nil
        }
    }

    /// Whether a constant is broadcast over time. Returns true for tensors that are not constants.
    private static func isSameAtAllTimes(_ name: String, in editor: GraphEditor) -> Bool {
        guard let shape = editor.shape(ofConstant: name) else { return !editor.isConstant(name) }
        return shape.isEmpty || shape.last == 1
    }

    /// Whether the node is a `Shape` node that returns all dimensions and is read only by `ConstantOfShape` nodes.
    private static func isWholeShape(_ node: GraphNode, in editor: GraphEditor) -> Bool {
        guard node.operation == "Shape", node.domain.isEmpty, node.outputs.count == 1, node["end"] == nil,
            node["start"] == nil || node["start"] == .integer(0)
        else { return false }
        return editor.readers[node.outputs[0]]?.allSatisfy {
            let reader = editor.graph.nodes[$0]
            return reader.operation == "ConstantOfShape" && reader.domain.isEmpty
        } ?? false
    }
}
