import SynthGraphs

/// Creates the inputs of the float nodes that replace quantized nodes: float constants, scales and biases.
extension DequantizedWeights {
    /// The maximum total number of floats: two gigabytes, several times the size of any voice's weights. Without a
    /// limit, a malicious file of a few bytes could refer to the same weights many times.
    private static let maximumFloats = 1 << 29

    /// Adds a constant, or returns an existing one created from the same tensors.
    ///
    /// - Parameter scale: `nil` for 1.
    mutating func floats(
        _ name: String, scale: String?, zero: String?, _ channels: PackedNumbers.Channels, isSwapped: Bool = false
    ) throws -> String {
        let key = "\(name)\n\(scale ?? "")\n\(zero ?? "")\n\(channels) \(isSwapped)"
        if let made = made[key] { return made }
        let numbers = try before.packed(name)
        let zeros: [Float] = if let zero { try before.packed(zero).array } else { [] }
        let scales = if let scale { try self.numbers(scale) } else { [Float(1)] }
        let steps = PackedNumbers.Steps(scales: scales, zeros: zeros)
        let found = isSwapped ? numbers.swappedFloats(steps, channels) : numbers.floats(steps, channels)
        guard let found, numbers.kind != .half else {
            throw InferenceError.refused("\"\(name)\" has \(steps.scales.count) scales, which do not match its shape")
        }
        try count(found.count)
        var shape = numbers.shape
        if isSwapped { shape.swapAt(1, 2) }
        let constant = changed.constant(found, shape: shape)
        made[key] = constant
        return constant
    }

    /// Returns the axis along which the scales differ.
    func channels(of node: GraphNode, rank: Int) throws -> PackedNumbers.Channels {
        func integer(_ name: String, or standard: Int64) -> Int64 {
            if case .integer(let value)? = node[name] { value } else { standard }
        }
        guard integer("block_size", or: 0) == 0 else {
            throw InferenceError.refused("a \(node.operation) node has a block size, which is not supported")
        }
        let axis = integer("axis", or: 1)
        // A tensor of rank 1 has only one axis. If there is a single scale, the axis does not matter.
        if rank <= 1 || axis == 0 || axis == -Int64(rank) { return .first }
        if axis == Int64(rank) - 1 || axis == -1 { return .last }
        return .all
    }

    /// Returns the values of a small constant.
    func numbers(_ name: String) throws -> [Float] {
        try before.element(ofConstant: name) == .float16 ? before.packed(name).array : before.floats(name).numbers
    }

    /// Throws if the total number of floats exceeds the limit.
    mutating func count(_ floats: Int) throws {
        floatCount += floats
        guard floatCount <= Self.maximumFloats else { throw InferenceError.refused("the model has too many weights") }
    }

    /// Returns the float input of an integer product.
    ///
    /// - Parameter scale: The scale of a quantized lookup table if its values are not quantized again; `nil` for 1.
    mutating func source(of node: GraphNode, scale: String?) throws -> String {
        var name = try input(node, 0)
        if let original = try? quantized(name) { return original }
        var moves: [GraphNode] = []
        while moves.count < 4, let number = before.producers[name],
            ["Reshape", "Squeeze", "Transpose", "Unsqueeze"].contains(before.graph.nodes[number].operation),
            let next = before.graph.nodes[number].inputs.first
        {
            moves.append(before.graph.nodes[number])
            name = next
        }
        guard let rows = before.maker(of: name, "Gather", inputs: 2), before.isConstant(rows.inputs[0]) else {
            throw InferenceError.refused("\"\(name)\" is not quantized in this graph")
        }
        let table = try floats(rows.inputs[0], scale: scale, zero: optional(node, 2), .first)
        var found = changed.add("Gather", [table, rows.inputs[1]], rows.attributes)
        for move in moves.reversed() {
            found = changed.add(move.operation, [found] + move.inputs.dropFirst(), move.attributes)
        }
        return found
    }

    /// Returns the tensor from which a quantized tensor was computed.
    func quantized(_ name: String) throws -> String {
        guard let number = before.producers[name] else {
            throw InferenceError.refused("\"\(name)\" is not quantized in this graph")
        }
        let node = before.graph.nodes[number]
        guard ["DynamicQuantizeLinear", "QuantizeLinear"].contains(node.operation), node.outputs.first == name,
            let source = node.inputs.first
        else { throw InferenceError.refused("\"\(name)\" is not quantized in this graph") }
        return source
    }

    /// Returns the two factors of a product of scales. The source's scale is `nil` if it is known only at run time.
    func scales(_ name: String) throws -> (source: String?, weights: String) {
        var name = name
        for _ in 0..<4 {
            if before.isConstant(name) { return (nil, name) }
            guard let number = before.producers[name] else { break }
            let node = before.graph.nodes[number]
            let constants = node.inputs.filter(before.isConstant)
            if node.operation == "Mul", let last = constants.last {
                return (constants.count == 2 ? constants.first : nil, last)
            }
            guard ["Reshape", "Unsqueeze", "Squeeze"].contains(node.operation), let next = node.inputs.first else {
                break
            }
            name = next
        }
        throw InferenceError.refused("\"\(name)\" is not the scale of quantized weights")
    }

    /// Returns a bias that is added after scaling; `nil` unless it has one number per channel.
    mutating func channelBias(_ name: String, count: Int64?) -> String? {
        guard let number = before.producers[name] else { return nil }
        let node = before.graph.nodes[number]
        guard node.operation == "Reshape", node.inputs.count == 2, before.integers(node.inputs[1]) == [1, -1, 1],
            let found = try? before.floats(node.inputs[0]), Int64(found.numbers.count) == count
        else { return nil }
        return changed.constant(found.numbers, shape: [found.numbers.count])
    }

    /// Returns the original floats of a bias that the model quantizes at run time.
    mutating func bias(_ name: String) throws -> String {
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
        throw InferenceError.refused("\"\(name)\" is not a bias")
    }

    func input(_ node: GraphNode, _ position: Int) throws -> String {
        guard let name = optional(node, position) else {
            throw InferenceError.refused(
                "a node of type \(node.operation) has an unexpected number of inputs (\(node.inputs.count))")
        }
        return name
    }

    /// Returns the name of an optional input; `nil` if the input is omitted.
    func optional(_ node: GraphNode, _ position: Int) -> String? {
        guard node.inputs.indices.contains(position), !node.inputs[position].isEmpty else { return nil }
        return node.inputs[position]
    }
}
