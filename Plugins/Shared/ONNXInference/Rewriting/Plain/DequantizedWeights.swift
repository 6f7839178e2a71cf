/// Nodes of ONNX for floats in place of those that compute with quantized weights.
///
/// Weights become the floats that they stand for, once; what such a node rounds while it runs is no longer rounded, so samples
/// are those of the model before it was quantized, as far as its weights are.
struct DequantizedWeights {
    private static let operations: Set<String> = [
        "ConvInteger", "MatMulInteger", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "MatMulIntegerToFloat",
        "DequantizeLinear",
    ]

    static func areUsed(in graph: ModelGraph) -> Bool { graph.nodes.contains { operations.contains($0.operation) } }

    private let before: GraphEditor
    private var changed: GraphEditor
    private var removed: Set<Int> = []
    /// Many nodes may share weights.
    private var made: [String: String] = [:]
    private var floatCount = 0
    /// Two gigabytes, several times what any voice has: a few bytes of a hostile file may name the same weights often.
    private static let mostFloats = 1 << 29

    /// Returns how many nodes were changed, at least 1. Throws if there is one that cannot be.
    static func apply(to editor: inout GraphEditor) throws(RewriteRefusal) -> Int {
        var work = DequantizedWeights(before: editor, changed: editor)
        for (number, node) in editor.graph.nodes.enumerated() where operations.contains(node.operation) {
            try work.replace(number, node)
        }
        guard !work.removed.isEmpty else { throw RewriteRefusal("nothing is quantized") }
        let count = work.removed.count
        try work.changed.replace(work.removed)
        editor = work.changed
        return count
    }

    private mutating func replace(_ number: Int, _ node: GraphNode) throws(RewriteRefusal) {
        switch node.operation {
        case "ConvInteger", "MatMulInteger": try product(node)
        case "DynamicQuantizeLSTM": try recurrence(number, node)
        case "DynamicQuantizeMatMul":
            try matrixProduct(number, node, weights: 1, scale: 2, zero: 3, bias: 4, of: input(node, 0))
        case "MatMulIntegerToFloat":
            try matrixProduct(number, node, weights: 1, scale: 3, zero: 5, bias: 6, of: quantized(input(node, 0)))
        default: try dequantize(number, node)
        }
    }

    // MARK: - Products

    /// A product of whole numbers, up to the multiplication that makes floats of it.
    private mutating func product(_ node: GraphNode) throws(RewriteRefusal) {
        let what = node.operation
        let source = try quantized(input(node, 0))
        guard var step = before.reader(of: node.outputs.first ?? "") else {
            throw RewriteRefusal("a \(what) is read in another way than is known here")
        }
        var bias: String?
        if step.operation == "Add", let other = step.input(beside: node.outputs[0]) {
            bias = try self.bias(other)
            guard let next = before.reader(of: step.outputs[0]) else {
                throw RewriteRefusal("a sum after a \(what) is read in another way than is known here")
            }
            step = next
        }
        guard step.operation == "Cast", let product = before.reader(of: step.outputs[0]), product.operation == "Mul",
            let scales = product.input(beside: step.outputs[0]), let end = before.producers[product.outputs[0]]
        else { throw RewriteRefusal("a \(what) is not followed by its scale") }
        let isConvolution = what == "ConvInteger"
        let weights = try floats(
            input(node, 1), scale: scale(scales), zero: optional(node, 3), isConvolution ? .first : .last)
        changed.add(
            GraphNode(
                isConvolution ? "Conv" : "MatMul", inputs: [source, weights] + (bias.map { [$0] } ?? []),
                outputs: product.outputs, attributes: node.attributes))
        removed.insert(end)
    }

    private mutating func matrixProduct(
        _ number: Int, _ node: GraphNode, weights: Int, scale: Int, zero: Int, bias: Int, of source: String
    ) throws(RewriteRefusal) {
        let weights = try floats(input(node, weights), scale: input(node, scale), zero: optional(node, zero), .last)
        guard let output = node.outputs.first else { throw RewriteRefusal("a \(node.operation) has no output") }
        if let bias = optional(node, bias) {
            _ = changed.add("Add", [changed.add("MatMul", [source, weights]), bias], as: output)
        } else {
            _ = changed.add("MatMul", [source, weights], as: output)
        }
        removed.insert(number)
    }

    private mutating func recurrence(_ number: Int, _ node: GraphNode) throws(RewriteRefusal) {
        var names: [String] = []
        for (place, scale) in [(1, 8), (2, 10)] {
            names.append(
                try floats(
                    input(node, place), scale: input(node, scale), zero: optional(node, scale + 1), .firstAndLast,
                    isSwapped: true))
        }
        var inputs = try [input(node, 0)] + names + (3..<8).map { optional(node, $0) ?? "" }
        while inputs.last == "" { inputs.removeLast() }
        changed.add(GraphNode("LSTM", inputs: inputs, outputs: node.outputs, attributes: node.attributes))
        removed.insert(number)
    }

    // MARK: - Constants

    /// Numbers that are quantized in the file, or that were right before.
    private mutating func dequantize(_ number: Int, _ node: GraphNode) throws(RewriteRefusal) {
        let (source, scale, zero) = (try input(node, 0), try input(node, 1), optional(node, 2))
        guard let output = node.outputs.first else { throw RewriteRefusal("a DequantizeLinear has no output") }
        if before.isConstant(source) {
            _ = changed.add("Identity", [try floats(source, scale: scale, zero: zero, .first)], as: output)
        } else if let rows = before.maker(of: source, "Gather", inputs: 2), before.isConstant(rows.inputs[0]) {
            let table = try floats(rows.inputs[0], scale: scale, zero: zero, .first)
            _ = changed.add("Gather", [table, rows.inputs[1]], as: output, rows.attributes)
        } else if let maker = before.producers[source].map({ before.graph.nodes[$0] }),
            ["QuantizeLinear", "DynamicQuantizeLinear"].contains(maker.operation), maker.outputs.first == source,
            let original = maker.inputs.first
        {
            _ = changed.add("Identity", [original], as: output)
        } else {
            throw RewriteRefusal("a DequantizeLinear reads something else than is known here")
        }
        removed.insert(number)
    }

    /// A new constant, or the one that was made of the same before.
    private mutating func floats(
        _ name: String, scale: String, zero: String?, _ channels: PackedNumbers.Channels, isSwapped: Bool = false
    ) throws(RewriteRefusal) -> String {
        let key = "\(name)\n\(scale)\n\(zero ?? "")\n\(isSwapped)"
        if let made = made[key] { return made }
        let numbers = try before.packed(name)
        let zeros: [Float] = if let zero { try before.packed(zero).array } else { [] }
        let steps = PackedNumbers.Steps(scales: try before.floats(scale).numbers, zeros: zeros)
        let found = isSwapped ? numbers.swappedFloats(steps, channels) : numbers.floats(steps, channels)
        guard let found, numbers.kind != .half else {
            throw RewriteRefusal("“\(name)” has \(steps.scales.count) scales, which do not fit it")
        }
        floatCount += found.count
        guard floatCount <= Self.mostFloats else { throw RewriteRefusal("it has too many weights") }
        var shape = numbers.shape
        if isSwapped { shape.swapAt(1, 2) }
        let constant = changed.constant(found, shape: shape)
        made[key] = constant
        return constant
    }

    /// The tensor of which another one is the quantized form.
    private func quantized(_ name: String) throws(RewriteRefusal) -> String {
        guard let number = before.producers[name] else { throw RewriteRefusal("“\(name)” is not quantized here") }
        let node = before.graph.nodes[number]
        guard ["DynamicQuantizeLinear", "QuantizeLinear"].contains(node.operation), node.outputs.first == name,
            let source = node.inputs.first
        else { throw RewriteRefusal("“\(name)” is not quantized here") }
        return source
    }

    /// The weights' own scale: the constant factor of the product of two scales.
    private func scale(_ name: String) throws(RewriteRefusal) -> String {
        var name = name
        for _ in 0..<4 {
            if before.isConstant(name) { return name }
            guard let number = before.producers[name] else { break }
            let node = before.graph.nodes[number]
            if node.operation == "Mul", let constant = node.inputs.first(where: before.isConstant) { return constant }
            guard ["Reshape", "Unsqueeze", "Squeeze"].contains(node.operation), let next = node.inputs.first else {
                break
            }
            name = next
        }
        throw RewriteRefusal("“\(name)” is no scale of weights")
    }

    /// The floats of which a bias was rounded while the model ran.
    private mutating func bias(_ name: String) throws(RewriteRefusal) -> String {
        var name = name
        for _ in 0..<8 {
            if before.element(ofConstant: name) == .float32 {
                let key = "\(name)\nbias"
                if let made = made[key] { return made }
                let numbers = try before.floats(name).numbers
                made[key] = changed.constant(numbers, shape: [numbers.count])
                return made[key] ?? name
            }
            guard let number = before.producers[name] else { break }
            let node = before.graph.nodes[number]
            guard ["Reshape", "Cast", "Floor", "Round", "Div", "Add"].contains(node.operation),
                let next = node.inputs.first
            else { break }
            name = next
        }
        throw RewriteRefusal("“\(name)” is no bias")
    }

    private func input(_ node: GraphNode, _ place: Int) throws(RewriteRefusal) -> String {
        guard let name = optional(node, place) else {
            throw RewriteRefusal("a \(node.operation) has \(node.inputs.count) inputs")
        }
        return name
    }

    /// `nil` if it is left out.
    private func optional(_ node: GraphNode, _ place: Int) -> String? {
        guard node.inputs.indices.contains(place), !node.inputs[place].isEmpty else { return nil }
        return node.inputs[place]
    }
}
