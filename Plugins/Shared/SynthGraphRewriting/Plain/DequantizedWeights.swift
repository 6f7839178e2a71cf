package import SynthGraphs

/// Rewrites nodes with quantized weights as ONNX float operations.
///
/// Weights are converted once to the floats that they represent. Inputs are no longer quantized at run time, so the
/// samples are as close to those of the original model as the quantized weights permit.
package struct DequantizedWeights {
    private static let operations: Set<String> = [
        "ConvInteger", "MatMulInteger", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "MatMulIntegerToFloat",
        "DequantizeLinear", "MatMulNBits",
    ]

    package static func areUsed(in graph: ModelGraph) -> Bool {
        graph.nodes.contains { operations.contains($0.operation) }
    }

    let before: GraphEditor
    var changed: GraphEditor
    private var removed: Set<Int> = []
    /// The constants made so far. They are reused, because nodes may share weights.
    var made: [String: String] = [:]
    var floatCount = 0

    /// Returns the number of changed nodes, at least 1. Throws if a node cannot be converted.
    package static func apply(to editor: inout GraphEditor) throws -> Int {
        var work = DequantizedWeights(before: editor, changed: editor)
        for (number, node) in editor.graph.nodes.enumerated() where operations.contains(node.operation) {
            try work.replace(number, node)
        }
        guard !work.removed.isEmpty else { throw InferenceError.refused("the model is not quantized") }
        let count = work.removed.count
        try work.changed.replace(work.removed)
        editor = work.changed
        return count
    }

    private mutating func replace(_ number: Int, _ node: GraphNode) throws {
        switch node.operation {
        case "ConvInteger", "MatMulInteger": try product(node)
        case "DynamicQuantizeLSTM": try recurrence(number, node)
        case "DynamicQuantizeMatMul":
            try matrixProduct(number, node, weights: 1, scale: 2, zero: 3, bias: 4, of: input(node, 0))
        case "MatMulIntegerToFloat":
            try matrixProduct(number, node, weights: 1, scale: 3, zero: 5, bias: 6, of: quantized(input(node, 0)))
        case "MatMulNBits": try blocks(number, node)
        default: try dequantize(number, node)
        }
    }

    // MARK: - Products

    /// Replaces an integer product and the nodes after it, up to the multiplication that converts it to floats.
    private mutating func product(_ node: GraphNode) throws {
        let what = node.operation
        guard var step = before.reader(of: node.outputs.first ?? "") else {
            throw InferenceError.refused("a \(what) node is used in an unsupported way")
        }
        var bias: String?
        if step.operation == "Add", let other = step.input(beside: node.outputs[0]) {
            bias = try self.bias(other)
            guard let next = before.reader(of: step.outputs[0]) else {
                throw InferenceError.refused("the sum after a \(what) node is used in an unsupported way")
            }
            step = next
        }
        guard step.operation == "Cast", let product = before.reader(of: step.outputs[0]), product.operation == "Mul",
            let factor = product.input(beside: step.outputs[0])
        else { throw InferenceError.refused("a \(what) node is not followed by a multiplication by its scale") }
        let isConvolution = what == "ConvInteger"
        let scales = try scales(factor)
        let source = try source(of: node, scale: scales.source)
        let weights = try floats(
            input(node, 1), scale: scales.weights, zero: optional(node, 3), isConvolution ? .first : .last)
        var last = product
        if isConvolution, bias == nil, let sum = before.reader(of: product.outputs[0]), sum.operation == "Add",
            let other = sum.input(beside: product.outputs[0]),
            let found = channelBias(other, count: before.shape(ofConstant: try input(node, 1))?.first)
        {
            (bias, last) = (found, sum)
        }
        guard let end = before.producers[last.outputs[0]] else {
            throw InferenceError.refused("a \(what) node is used in an unsupported way")
        }
        changed.add(
            GraphNode(
                isConvolution ? "Conv" : "MatMul", inputs: [source, weights] + (bias.map { [$0] } ?? []),
                outputs: last.outputs, attributes: node.attributes))
        removed.insert(end)
    }

    private mutating func matrixProduct(
        _ number: Int, _ node: GraphNode, weights: Int, scale: Int, zero: Int, bias: Int, of source: String
    ) throws {
        let weights = try floats(input(node, weights), scale: input(node, scale), zero: optional(node, zero), .last)
        guard let output = node.outputs.first else {
            throw InferenceError.refused("a \(node.operation) node has no output")
        }
        if let bias = optional(node, bias) {
            _ = changed.add("Add", [changed.add("MatMul", [source, weights]), bias], as: output)
        } else {
            _ = changed.add("MatMul", [source, weights], as: output)
        }
        removed.insert(number)
    }

    private mutating func blocks(_ number: Int, _ node: GraphNode) throws {
        // The optional fifth input reorders the rows, which is not supported.
        guard optional(node, 4) == nil, let output = node.outputs.first else {
            throw InferenceError.refused("a \(node.operation) node reorders its rows, which is not supported")
        }
        let (packed, scales, zeros) = try (input(node, 1), input(node, 2), optional(node, 3))
        let sizes = BlockedWeights.sizes.map { String(describing: node[$0]) }.joined(separator: " ")
        let key = "\(packed)\n\(scales)\n\(zeros ?? "")\n\(sizes)"
        let weights: String
        if let found = made[key] {
            weights = found
        } else {
            let found = try BlockedWeights(
                node, packed: before.packed(packed), scales: numbers(scales), zeros: zeros.map(before.packed))
            try count(found.rows * found.columns)
            weights = changed.constant(found.floats, shape: [found.rows, found.columns])
            made[key] = weights
        }
        let product = changed.add("MatMul", [try input(node, 0), weights], as: optional(node, 5) == nil ? output : nil)
        if let bias = optional(node, 5) { _ = changed.add("Add", [product, bias], as: output) }
        removed.insert(number)
    }

    private mutating func recurrence(_ number: Int, _ node: GraphNode) throws {
        var names: [String] = []
        for (position, scale) in [(1, 8), (2, 10)] {
            names.append(
                try floats(
                    input(node, position), scale: input(node, scale), zero: optional(node, scale + 1), .firstAndLast,
                    isSwapped: true))
        }
        var inputs = try [input(node, 0)] + names + (3..<8).map { optional(node, $0) ?? "" }
        while inputs.last == "" { inputs.removeLast() }
        changed.add(GraphNode("LSTM", inputs: inputs, outputs: node.outputs, attributes: node.attributes))
        removed.insert(number)
    }

    // MARK: - Constants

    /// Replaces a dequantization node with float values if its input is a constant or the result of a quantization node.
    private mutating func dequantize(_ number: Int, _ node: GraphNode) throws {
        let (source, scale, zero) = (try input(node, 0), try input(node, 1), optional(node, 2))
        guard let output = node.outputs.first else {
            throw InferenceError.refused("a DequantizeLinear node has no output")
        }
        if before.isConstant(source) {
            let channels = try channels(of: node, rank: before.shape(ofConstant: source)?.count ?? 0)
            _ = changed.add("Identity", [try floats(source, scale: scale, zero: zero, channels)], as: output)
        } else if let rows = before.maker(of: source, "Gather", inputs: 2), before.isConstant(rows.inputs[0]) {
            guard try numbers(scale).count == 1 else {
                throw InferenceError.refused("a lookup table has several scales, which is not supported")
            }
            let table = try floats(rows.inputs[0], scale: scale, zero: zero, .first)
            _ = changed.add("Gather", [table, rows.inputs[1]], as: output, rows.attributes)
        } else if let maker = before.producers[source].map({ before.graph.nodes[$0] }),
            ["QuantizeLinear", "DynamicQuantizeLinear"].contains(maker.operation), maker.outputs.first == source,
            let original = maker.inputs.first
        {
            _ = changed.add("Identity", [original], as: output)
        } else {
            throw InferenceError.refused("a DequantizeLinear node has an unsupported input")
        }
        removed.insert(number)
    }
}

/// The weights of `MatMulNBits`, an ONNX Runtime operator: 4-bit or 8-bit integers. `blockSize` consecutive numbers in a
/// column form a block with its own scale.
struct BlockedWeights {
    /// The size of the matrix that the weights represent.
    let rows: Int
    let columns: Int
    private let bits: Int
    private let blockSize: Int
    private let blockCount: Int
    /// The packed numbers, column by column and block by block. If a byte contains two numbers, the first is in the low
    /// half.
    private let packed: PackedNumbers
    /// The scales, one per block, column by column.
    private let scales: [Float]
    /// The zero points, one per block; empty if every zero point is the middle of the range.
    private let zeros: [Float]

    /// The names of the attributes that describe the layout.
    static let sizes = ["K", "N", "bits", "block_size"]
    /// The maximum length of a strip in floats.
    private static let longestStrip = 1 << 16
    private static let largest = 1 << 20

    /// - Parameter zeros: Packed numbers of the same width, with each column starting at a new byte, or one float per block.
    /// - Throws: An error if the sizes do not match.
    init(_ node: GraphNode, packed: PackedNumbers, scales: [Float], zeros: PackedNumbers?) throws {
        func size(_ name: String) -> Int {
            guard case .integer(let value)? = node[name], (1...Int64(Self.largest)).contains(value) else { return 0 }
            return Int(value)
        }
        (rows, columns, bits, blockSize) = (size("K"), size("N"), size("bits"), size("block_size"))
        guard rows > 0, columns > 0, bits == 4 || bits == 8, blockSize > 0, blockSize.isMultiple(of: 2) else {
            throw InferenceError.refused("a \(node.operation) node has unsupported dimensions, bit width or block size")
        }
        blockCount = (rows + blockSize - 1) / blockSize
        guard packed.kind == .unsigned, packed.count == columns * blockCount * (blockSize * bits / 8),
            scales.count == columns * blockCount
        else { throw InferenceError.refused("the weights of a \(node.operation) node do not match its attributes") }
        self.packed = packed
        self.scales = scales
        let perByte = 8 / bits
        let zeroBytes = (blockCount + perByte - 1) / perByte
        switch zeros {
        case nil: self.zeros = []
        case let zeros? where zeros.kind == .unsigned && zeros.count == columns * zeroBytes:
            let (bits, blockCount) = (bits, blockCount)
            self.zeros = (0..<columns * blockCount).map { block in
                let (column, inner) = block.quotientAndRemainder(dividingBy: blockCount)
                return Self.number(inner, from: column * zeroBytes, of: zeros, bits: bits)
            }
        case let zeros? where zeros.kind == .half && zeros.count == scales.count: self.zeros = zeros.array
        default: throw InferenceError.refused("the zero points of a \(node.operation) node do not match its attributes")
        }
    }

    /// The dequantized matrix, row by row.
    var floats: ComputedFloats {
        let count = rows * columns
        let strips = stride(from: 0, to: count, by: Self.longestStrip).map { [$0..<min($0 + Self.longestStrip, count)] }
        return ComputedFloats(strips: strips) { [self] strip, floats in
            let first = strip * Self.longestStrip
            for position in floats.indices {
                let (row, column) = (first + position).quotientAndRemainder(dividingBy: columns)
                floats[position] = value(row, column)
            }
        }
    }

    private func value(_ row: Int, _ column: Int) -> Float {
        let (inner, position) = row.quotientAndRemainder(dividingBy: blockSize)
        let block = column * blockCount + inner
        let number = Self.number(position, from: block * (blockSize * bits / 8), of: packed, bits: bits)
        return (number - (zeros.isEmpty ? Float(1 << (bits - 1)) : zeros[block])) * scales[block]
    }

    private static func number(_ position: Int, from first: Int, of packed: PackedNumbers, bits: Int) -> Float {
        if bits == 8 { return packed[first + position] }
        let byte = UInt8(packed[first + position / 2])
        return Float(position.isMultiple(of: 2) ? byte & 0xF : byte >> 4)
    }
}
