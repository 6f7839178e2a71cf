import SynthGraphs
import SynthONNXRuntime

/// Rewrites a vocoder for ONNX Runtime's internal tensor layout, in blocks of channels.
///
/// In the standard layout, a convolution first copies its input for a matrix product. If a block has as many channels
/// as a register has lanes, a custom operator can read the input in place and needs half as many multiplications. It
/// also computes sums and activations while a block is still in registers. A transposed convolution becomes a plain
/// convolution whose phases are complete blocks. The samples differ from those of the original model only by rounding.
/// The batch size is 1.
struct BlockedDecoder {
    /// A tensor in blocks whose factors have yet to be applied: its negative numbers must be multiplied by the slope,
    /// from 0 to 1, and all of its numbers by the factor, which is above 0.
    private struct Value {
        var name: String
        var factor: Float = 1
        var slope: Float = 1
    }

    private var nodes: BlockedNodes
    private let decoder: DecoderSteps
    private let block: Int
    /// The indices of the steps that read each tensor; `steps.count` represents the last convolution.
    private var readers: [String: [Int]] = [:]
    private var values: [String: Value] = [:]
    private var done: Set<Int> = []

    /// - Parameter block: ONNX Runtime's block size on this processor. With any other size, ONNX Runtime accesses
    ///   memory outside its tensors, and sessions in the same process may produce different audio.
    /// - Throws: An error if the vocoder is not supported. In that case, the graph is unchanged.
    static func apply(
        to editor: inout GraphEditor, block: Int, hasIntegers: Bool = false
    ) throws {
        var rewrite = try BlockedDecoder(editor, Blocks(size: block, hasIntegers: hasIntegers))
        try rewrite.build()
        editor = rewrite.nodes.editor
    }

    private init(_ editor: GraphEditor, _ blocks: Blocks) throws {
        let block = blocks.size
        nodes = try BlockedNodes(editor, blocks)
        decoder = try DecoderSteps(editor)
        self.block = block
        var hop = 1
        for step in decoder.steps {
            switch step.operation {
            case .convolution(let convolution):
                guard convolution.keepsLength else {
                    throw InferenceError.refused("a convolution of the vocoder has a stride other than 1")
                }
                try Self.check(convolution, block)
            case .upsampling(let convolution):
                try Self.check(convolution, block)
                hop *= convolution.stride
                guard hop <= 1 << 16 else {
                    throw InferenceError.refused("the vocoder's upsampling factor is too high")
                }
            // A stage may end at any time step, so later steps must produce complete blocks on their own.
            case .join: hop = 1
            case .activation, .sum, .scaling: break
            }
        }
        guard decoder.last.convolution.inputChannels.isMultiple(of: block), hop.isMultiple(of: block),
            decoder.last.convolution.dilation == 1
        else {
            throw InferenceError.refused("the vocoder's last convolution does not fit blocks of \(block) channels")
        }
        for (number, step) in decoder.steps.enumerated() {
            for name in step.inputs { readers[name, default: []].append(number) }
        }
        readers[decoder.last.input, default: []].append(decoder.steps.count)
    }

    private static func check(_ convolution: Convolution, _ block: Int) throws {
        for channels in [convolution.inputChannels, convolution.outputChannels]
        where !channels.isMultiple(of: block) {
            throw InferenceError.refused("the channel count \(channels) is not a multiple of the block size \(block)")
        }
    }

    private mutating func build() throws {
        guard case .upsampling(let first)? = decoder.steps.first?.operation else {
            throw InferenceError.refused("the vocoder does not begin with a ConvTranspose node")
        }
        values[decoder.input] = Value(name: nodes.blocked(decoder.input, channels: first.inputChannels))
        for (number, step) in decoder.steps.enumerated() where !done.contains(number) {
            let input = try value(step.inputs[0])
            switch step.operation {
            case .convolution(let convolution): try add(convolution, of: input, step)
            case .upsampling(let convolution):
                let phases = try convolution.scaled(input.factor).phases(block: block)
                let name = try nodes.convolve(input.name, phases, phases: convolution.stride, inputSlope: input.slope)
                values[step.output] = Value(name: name)
            case .activation(let slope):
                values[step.output] =
                    input.slope == 1 && (0...1).contains(slope)
                    ? Value(name: input.name, factor: input.factor, slope: slope)
                    : Value(name: activated(activated(input), slope), factor: input.factor)
            case .sum:
                let names = [try plain(step.inputs[0]), try plain(step.inputs[1])]
                values[step.output] = Value(name: nodes.add("Add", names))
            case .scaling(let factor):
                values[step.output] = Value(name: input.name, factor: input.factor * factor, slope: input.slope)
            case .join(let ends):
                // The kept time steps have the same pending factors.
                values[step.output] = Value(
                    name: nodes.join(input.name, ends), factor: input.factor, slope: input.slope)
            }
        }
        try finish()
        try nodes.replace(decoder.nodes)
    }

    private func value(_ name: String) throws -> Value {
        guard let value = values[name] else {
            throw InferenceError.refused("the nodes of the vocoder are not in topological order")
        }
        return value
    }

    private mutating func activated(_ name: String, _ slope: Float) -> String {
        nodes.add("LeakyRelu", [name], [GraphAttribute("alpha", .float(slope))])
    }

    /// Returns the name of the tensor after its slope has been applied.
    private mutating func activated(_ value: Value) -> String {
        value.slope == 1 ? value.name : activated(value.name, value.slope)
    }

    /// Returns the name of the tensor after its slope and factor have been applied.
    private mutating func plain(_ name: String) throws -> String {
        let value = try value(name)
        var result = activated(value)
        if value.factor != 1 { result = nodes.add("Mul", [result, nodes.constant([value.factor], shape: [])]) }
        values[name] = Value(name: result)
        return result
    }

    /// Returns the step that reads a tensor; `nil` unless there is exactly one.
    private func onlyReader(_ name: String) -> (number: Int, step: DecoderSteps.Step)? {
        guard let found = readers[name], found.count == 1, found[0] < decoder.steps.count else { return nil }
        return (found[0], decoder.steps[found[0]])
    }

    /// Adds a convolution. The sum, scaling and activation after it are included if the tensors between them have no
    /// other reader.
    private mutating func add(
        _ convolution: Convolution, of input: Value, _ step: DecoderSteps.Step
    ) throws {
        var output = step.output
        var summand: String?
        if let (number, sum) = onlyReader(output), case .sum = sum.operation,
            let other = sum.inputs.first(where: { $0 != output }), values[other] != nil
        {
            summand = try plain(other)
            done.insert(number)
            output = sum.output
        }
        var factor: Float = 1
        if let (number, scaling) = onlyReader(output), case .scaling(let scale) = scaling.operation {
            factor = scale
            done.insert(number)
            output = scaling.output
        }
        var slope: Float = 1
        if let (number, next) = onlyReader(output), case .activation(let found) = next.operation,
            (0...1).contains(found)
        {
            slope = found
            done.insert(number)
            output = next.output
        }
        let name = try nodes.convolve(
            input.name, convolution.scaled(input.factor), plus: summand, inputSlope: input.slope, outputSlope: slope)
        values[output] = Value(name: name, factor: factor)
    }

    /// The last convolution computes one block of consecutive samples at a time, so its blocks are the audio in order.
    private mutating func finish() throws {
        let input = try value(decoder.last.input)
        let convolution = try decoder.last.convolution.scaled(input.factor).steps(of: block)
        let sound = nodes.libraryConvolve(activated(input), convolution, [GraphAttribute("activation", .text("Tanh"))])
        nodes.reshape(sound, [1, 1, -1], as: decoder.output)
    }
}
