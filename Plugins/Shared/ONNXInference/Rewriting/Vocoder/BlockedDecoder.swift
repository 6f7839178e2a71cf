/// Rewrites a vocoder for the library's own layout of tensors, in blocks of channels.
///
/// In the usual layout a convolution first copies its input for a matrix product. In blocks of as many channels as a
/// register has numbers, which is how the library computes images, it reads the input in place. Sums and activations are
/// computed while a block is still in registers. A transposed convolution becomes a plain one, whose phases are whole
/// blocks. Samples differ by rounding only. The model then takes one text at a time.
struct BlockedDecoder {
    /// A tensor in blocks. It still has to be multiplied by the factor, which is above 0.
    private struct Value {
        var name: String
        var factor: Float
    }

    private var nodes: BlockedNodes
    private let decoder: DecoderSteps
    private let block: Int
    private let rows: DecoderRows?
    /// Steps that read each tensor; `steps.count` for the last convolution.
    private var readers: [String: [Int]] = [:]
    private var values: [String: Value] = [:]
    private var done: Set<Int> = []
    private var rowCount = 1
    /// For each sample of the tensor that was cut, the place of its sound in the rows.
    private var places: String?

    /// - Parameters:
    ///   - block: The library's number of channels in a block, on this processor.
    ///   - rows: Into how many rows time is cut, if the vocoder can be cut. As many as there are threads is best.
    /// - Returns: Into how many rows it was cut.
    /// - Throws: If the vocoder is not known. Then nothing is changed.
    static func apply(to editor: inout GraphEditor, block: Int, rows: Int) throws(RewriteRefusal) -> Int {
        var rewrite = try BlockedDecoder(editor, block: block, rows: rows)
        try rewrite.build()
        editor = rewrite.nodes.editor
        return rewrite.rowCount
    }

    private init(_ editor: GraphEditor, block: Int, rows: Int) throws(RewriteRefusal) {
        nodes = try BlockedNodes(editor, block: block)
        decoder = try DecoderSteps(editor)
        self.block = block
        var hop = 1
        for step in decoder.steps {
            switch step.operation {
            case .convolution(let convolution):
                guard convolution.keepsLength else { throw RewriteRefusal("a convolution of the vocoder has a stride") }
                try Self.check(convolution, block)
            case .upsampling(let convolution):
                try Self.check(convolution, block)
                hop *= convolution.stride
                guard hop <= 1 << 16 else { throw RewriteRefusal("the vocoder has too many upsamplings") }
            case .activation, .sum, .scaling: break
            }
        }
        guard decoder.last.convolution.inputChannels.isMultiple(of: block), hop.isMultiple(of: block),
            decoder.last.convolution.dilation == 1
        else {
            throw RewriteRefusal("the vocoder's last convolution does not fit blocks of \(block)")
        }
        let cut = DecoderRows(decoder, count: rows)
        self.rows = cut.flatMap { $0.rate.isMultiple(of: block) ? $0 : nil }
        for (number, step) in decoder.steps.enumerated() {
            for name in step.inputs { readers[name, default: []].append(number) }
        }
        readers[decoder.last.input, default: []].append(decoder.steps.count)
    }

    private static func check(_ convolution: Convolution, _ block: Int) throws(RewriteRefusal) {
        for channels in [convolution.inputChannels, convolution.outputChannels]
        where !channels.isMultiple(of: block) {
            throw RewriteRefusal("\(channels) channels are no whole blocks of \(block)")
        }
    }

    private mutating func build() throws(RewriteRefusal) {
        guard case .upsampling(let first)? = decoder.steps.first?.operation else {
            throw RewriteRefusal("the vocoder does not begin with a ConvTranspose")
        }
        values[decoder.input] = Value(
            name: nodes.blocked(decoder.input, channels: first.inputChannels), factor: 1)
        for (number, step) in decoder.steps.enumerated() where !done.contains(number) {
            let input = try value(step.inputs[0])
            switch step.operation {
            case .convolution(let convolution): try add(convolution, of: input, step)
            case .upsampling(let convolution):
                let source = number == rows?.step ? cut(input.name, channels: convolution.inputChannels) : input.name
                let name = try nodes.upsample(source, convolution.scaled(input.factor), rows: rowCount)
                values[step.output] = Value(name: name, factor: 1)
            case .activation(let slope):
                let name = nodes.add("LeakyRelu", [input.name], [GraphAttribute("alpha", .float(slope))])
                values[step.output] = Value(name: name, factor: input.factor)
            case .sum:
                let names = [try multiplied(step.inputs[0]), try multiplied(step.inputs[1])]
                values[step.output] = Value(name: nodes.add("Add", names), factor: 1)
            case .scaling(let factor):
                values[step.output] = Value(name: input.name, factor: input.factor * factor)
            }
        }
        try finish()
        try nodes.replace(decoder.nodes)
    }

    private func value(_ name: String) throws(RewriteRefusal) -> Value {
        guard let value = values[name] else { throw RewriteRefusal("the nodes of the vocoder are not in order") }
        return value
    }

    /// The tensor with its factor applied.
    private mutating func multiplied(_ name: String) throws(RewriteRefusal) -> String {
        let value = try value(name)
        guard value.factor != 1 else { return value.name }
        let result = nodes.add("Mul", [value.name, nodes.constant([value.factor], shape: [])])
        values[name] = Value(name: result, factor: 1)
        return result
    }

    /// The step that alone reads a tensor.
    private func onlyReader(_ name: String) -> (number: Int, step: DecoderSteps.Step)? {
        guard let found = readers[name], found.count == 1, found[0] < decoder.steps.count else { return nil }
        return (found[0], decoder.steps[found[0]])
    }

    /// A convolution, and the sum, the scaling and the activation that follow it if nobody else reads what is between.
    private mutating func add(
        _ convolution: Convolution, of input: Value, _ step: DecoderSteps.Step
    ) throws(RewriteRefusal) {
        var output = step.output
        var summand: String?
        if let (number, sum) = onlyReader(output), case .sum = sum.operation,
            let other = sum.inputs.first(where: { $0 != output }), values[other] != nil
        {
            summand = try multiplied(other)
            done.insert(number)
            output = sum.output
        }
        var factor: Float = 1
        if let (number, scaling) = onlyReader(output), case .scaling(let scale) = scaling.operation {
            factor = scale
            done.insert(number)
            output = scaling.output
        }
        var activation: [GraphAttribute] = []
        if let (number, next) = onlyReader(output), case .activation(let slope) = next.operation {
            activation = [
                GraphAttribute("activation", .text("LeakyRelu")), GraphAttribute("activation_params", .floats([slope])),
            ]
            done.insert(number)
            output = next.output
        }
        let name = nodes.convolve(input.name, convolution.scaled(input.factor), plus: summand, activation)
        values[output] = Value(name: name, factor: factor)
    }

    /// Cuts time into rows.
    private mutating func cut(_ input: String, channels: Int) -> String {
        guard let rows else { return input }
        rowCount = rows.count
        let (block, channels, count) = (Int64(block), Int64(channels), Int64(rows.count))
        let one = nodes.number(1)
        let zero = nodes.number(0)
        let halo = nodes.number(Int64(rows.halo))
        let time = nodes.add(
            "Gather", [nodes.add("Shape", [input]), nodes.number(3)], [GraphAttribute("axis", .integer(0))])
        // The sound of a row is that of `share` samples; the row has `length`, with the halo.
        let share = nodes.add("Div", [nodes.add("Add", [time, nodes.number(count - 1)]), nodes.number(count)])
        let wide = nodes.add("Add", [share, nodes.number(2 * Int64(rows.halo))])
        let length = nodes.add("Min", [wide, time])
        let row = nodes.vector(Array(0..<count))
        // The first row begins with the true edge, and the last ends with it.
        let wanted = nodes.add("Sub", [nodes.add("Mul", [row, share]), halo])
        let latest = nodes.add("Min", [wanted, nodes.add("Sub", [time, length])])
        let start = nodes.add("Max", [latest, zero])
        let column = nodes.reshape(start, [-1, 1])
        let samples = nodes.add("Add", [column, nodes.add("Range", [zero, length, one])])
        let blocks = nodes.reshape(input, [channels / block, -1, block])
        let cut = nodes.add("Gather", [blocks, samples], [GraphAttribute("axis", .integer(1))])
        let all = nodes.add("Range", [zero, time, one])
        let shift = nodes.add("Sub", [nodes.add("Mul", [row, length]), start])
        let rowOfEach = nodes.add("Div", [all, share])
        places = nodes.add(
            "Add", [all, nodes.add("Gather", [shift, rowOfEach], [GraphAttribute("axis", .integer(0))])])
        return nodes.reshape(cut, [1, channels, count, -1])
    }

    /// The last convolution gives one block of samples at a time, so its blocks are the sound in order.
    private mutating func finish() throws(RewriteRefusal) {
        let input = try value(decoder.last.input)
        let convolution = try decoder.last.convolution.scaled(input.factor).steps(of: block)
        var sound = nodes.convolve(input.name, convolution, [GraphAttribute("activation", .text("Tanh"))])
        if let rows, let places {
            sound = nodes.reshape(sound, [-1, Int64(rows.rate)])
            sound = nodes.add("Gather", [sound, places], [GraphAttribute("axis", .integer(0))])
        }
        nodes.reshape(sound, [1, 1, -1], as: decoder.output)
    }
}
