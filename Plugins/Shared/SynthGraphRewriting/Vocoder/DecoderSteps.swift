import SynthGraphs

/// The steps of a HiFi-GAN vocoder, such as that of a VITS voice, from the first upsampling step to the final `Tanh`.
struct DecoderSteps {
    enum Operation {
        case convolution(Convolution)
        /// A transposed convolution.
        case upsampling(Convolution)
        case activation(slope: Float)
        case sum
        /// Multiplication by a number above 0.
        case scaling(Float)
        /// A `StreamJoin` at the start of a stage.
        case join(StreamJoin.Ends)
    }

    struct Step {
        var operation: Operation
        var inputs: [String]
        var output: String
    }

    /// The tensor that the first upsampling step reads.
    let input: String
    /// The tensor with the audio samples.
    let output: String
    /// The steps in topological order.
    private(set) var steps: [Step] = []
    /// The convolution to one channel, before the `Tanh`, and its input.
    let last: (convolution: Convolution, input: String)
    /// The graph nodes of the vocoder.
    let nodes: Set<Int>

    /// Throws if no vocoder is found, or if it contains an unsupported node.
    init(_ editor: GraphEditor) throws {
        let graph = editor.graph
        guard let first = graph.nodes.firstIndex(where: { $0.operation == "ConvTranspose" }),
            let input = graph.nodes[first].inputs.first
        else { throw InferenceError.refused("the model has no ConvTranspose node") }
        let nodes = try Self.region(from: first, in: editor)
        var known: Set<String> = [input]
        var steps: [Step] = []
        var end: String?
        for number in nodes.sorted() {
            let node = graph.nodes[number]
            let join = StreamJoin.Ends(node)
            for name in node.inputs.prefix(join == nil ? .max : 1)
            where !known.contains(name) && !editor.isConstant(name) && !name.isEmpty {
                throw InferenceError.refused("the vocoder's \(node.operation) node reads an unexpected tensor")
            }
            guard node.outputs.count == 1 || join != nil else {
                throw InferenceError.refused(
                    "the vocoder's \(node.operation) node has an unexpected number of outputs (\(node.outputs.count))")
            }
            let output = node.outputs[0]
            known.insert(output)
            if Self.isEnd(node) {
                guard end == nil else { throw InferenceError.refused("the vocoder has more than one output") }
                end = output
            } else if editor.isOuter(output) {
                throw InferenceError.refused("an intermediate tensor of the vocoder is also an output of the model")
            }
            steps += try Self.steps(of: node, in: editor)
        }
        guard let end, let last = steps.popLast(), case .convolution(let convolution) = last.operation,
            last.output == end, convolution.outputChannels == 1, convolution.keepsLength
        else {
            throw InferenceError.refused("the vocoder does not end with a single-channel convolution and a Tanh node")
        }
        self.input = input
        self.output = end
        self.steps = steps
        self.last = (convolution, last.inputs[0])
        self.nodes = nodes
    }

    /// Returns a node and all nodes after it, up to the `Tanh`.
    private static func region(from first: Int, in editor: GraphEditor) throws -> Set<Int> {
        var region: Set<Int> = [first]
        var front = [first]
        while let number = front.popLast() {
            let node = editor.graph.nodes[number]
            guard node.captures.isEmpty else {
                throw InferenceError.refused("the vocoder contains an unsupported node, \(node.operation)")
            }
            guard !isEnd(node) else { continue }
            for name in node.outputs {
                for reader in editor.readers[name] ?? [] where region.insert(reader).inserted { front.append(reader) }
            }
        }
        return region
    }

    private static func isEnd(_ node: GraphNode) -> Bool {
        node.operation == "Tanh" || node.operation == "FusedConv" && node["activation"] == .text("Tanh")
    }

    /// Returns the one or two steps that a node performs. The `Tanh` has no step: the convolution before it takes over
    /// the name of the `Tanh`'s output.
    private static func steps(of node: GraphNode, in editor: GraphEditor) throws -> [Step] {
        let output = node.outputs[0]
        if let join = StreamJoin.Ends(node) {
            return [Step(operation: .join(join), inputs: [node.inputs[0]], output: output)]
        }
        let unknown = InferenceError.refused("the vocoder contains an unsupported node, \(node.operation)")
        switch (node.domain, node.operation) {
        case ("", "Conv"):
            let isLast =
                editor.hasOneReader(output) && editor.readers[output].map { isEnd(editor.graph.nodes[$0[0]]) } ?? false
            let name = isLast ? editor.readers[output].flatMap { editor.graph.nodes[$0[0]].outputs.first } : nil
            return [
                Step(
                    operation: .convolution(try Convolution(node, in: editor)), inputs: [node.inputs[0]],
                    output: name ?? output)
            ]
        case ("", "Tanh"): return []
        case ("com.microsoft", "FusedConv"):
            let convolution = Operation.convolution(try Convolution(node, in: editor))
            if isEnd(node) { return [Step(operation: convolution, inputs: [node.inputs[0]], output: output)] }
            guard node["activation"] == .text("LeakyRelu"), case .floats(let slopes) = node["activation_params"],
                slopes.count == 1
            else { throw unknown }
            // The NUL makes the name unique, because no exporter writes names that contain one.
            let between = output + "\u{0}"
            return [
                Step(operation: convolution, inputs: [node.inputs[0]], output: between),
                Step(operation: .activation(slope: slopes[0]), inputs: [between], output: output),
            ]
        case ("", "ConvTranspose"):
            return [
                Step(
                    operation: .upsampling(try Convolution(node, in: editor)), inputs: [node.inputs[0]],
                    output: output)
            ]
        case ("", "LeakyRelu"):
            var slope = Float(0.01)
            if case .float(let number) = node["alpha"] { slope = number }
            guard slope.isFinite, node.inputs.count == 1 else { throw unknown }
            return [Step(operation: .activation(slope: slope), inputs: node.inputs, output: output)]
        case ("", "Add"):
            guard node.inputs.count == 2, !node.inputs.contains(where: editor.isConstant) else { throw unknown }
            return [Step(operation: .sum, inputs: node.inputs, output: output)]
        case ("", "Mul"), ("", "Div"):
            guard node.inputs.count == 2 else { throw unknown }
            let isSwapped = node.operation == "Mul" && editor.isConstant(node.inputs[0])
            let (numbers, shape) = try editor.floats(node.inputs[isSwapped ? 0 : 1])
            guard numbers.count == 1, shape.count <= 3, numbers[0] > 0, numbers[0].isFinite else { throw unknown }
            let factor = node.operation == "Mul" ? numbers[0] : 1 / numbers[0]
            return [
                Step(operation: .scaling(factor), inputs: [node.inputs[isSwapped ? 1 : 0]], output: output)
            ]
        default: throw unknown
        }
    }
}

/// Replaces each transposed convolution of a vocoder with a plain convolution and a transposition.
///
/// ONNX Runtime computes a transposed convolution as a matrix product and then adds its columns one by one, which
/// reaches only a tenth of the processor's peak speed. A convolution with one set of output channels per phase needs
/// 50% more multiplications but is faster. The replacement uses only standard ONNX operators, so it works on every
/// processor. The samples differ from those of the original model only by rounding.
enum PhasedUpsampling {
    /// Returns the number of replaced nodes, at least 1. Throws without changing anything if a node is not supported.
    static func apply(to editor: inout GraphEditor) throws -> Int {
        var changed = editor
        var replaced: Set<Int> = []
        for (number, node) in editor.graph.nodes.enumerated() where node.operation == "ConvTranspose" {
            guard node.domain.isEmpty, let input = node.inputs.first else {
                throw InferenceError.refused("a ConvTranspose node has no input")
            }
            let plain = try Convolution(node, in: editor).phases()
            let channels = try Convolution(node, in: editor).outputChannels
            let stride = plain.outputChannels / channels
            let convolved = changed.add(
                "Conv",
                [
                    input,
                    changed.constant(
                        plain.weights.array, shape: [plain.outputChannels, plain.inputChannels, plain.taps]),
                    changed.constant(plain.bias, shape: [plain.outputChannels]),
                ],
                [
                    GraphAttribute("kernel_shape", .integers([Int64(plain.taps)])),
                    GraphAttribute("pads", .integers([Int64(plain.padding.before), Int64(plain.padding.after)])),
                ])
            // The axes are batch, channel, phase and time; 0 keeps the size of an axis, and -1 computes it.
            let split = changed.constant([0, Int64(channels), Int64(stride), -1])
            let phases = changed.add("Reshape", [convolved, split])
            let interleaved = changed.add("Transpose", [phases], [GraphAttribute("perm", .integers([0, 1, 3, 2]))])
            let joined = changed.constant([0, Int64(channels), -1])
            _ = changed.add("Reshape", [interleaved, joined], as: node.outputs[0])
            replaced.insert(number)
        }
        guard !replaced.isEmpty else { throw InferenceError.refused("the model has no ConvTranspose node") }
        try changed.replace(replaced)
        editor = changed
        return replaced.count
    }
}
