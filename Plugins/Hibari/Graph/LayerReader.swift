import SynthGraphs

/// Finds the tensors of individual layers. Each function takes the layer's input tensor and returns its output tensor.
struct LayerReader {
    let walk: GraphWalk
    let table: TensorTable

    /// The maximum number of blocks or passes. A higher number would mean that the graph is damaged or contains a
    /// cycle.
    private static let maximumRepeats = 64

    /// Adds a constant under the name that the compute core uses.
    func add(_ name: String, _ tensor: String) throws {
        guard let found = walk.initializer(tensor) else {
            throw HibariFailure.model("is not a hibari voice: its weights do not include \"\(tensor)\"")
        }
        try table.add(name, found, of: walk.graph)
    }

    /// Adds the weights and bias of a convolution or a norm.
    func weights(_ name: String, _ node: GraphNode) throws -> String {
        try add("\(name).w", walk.input(1, of: node))
        try add("\(name).b", walk.input(2, of: node))
        return try walk.output(of: node)
    }

    /// Adds a convolution without groups, zero-padded so that the length stays the same.
    func convolution(_ name: String, _ node: GraphNode) throws -> String {
        try checkPads(of: node)
        guard walk.integers("group", of: node) ?? [1] == [1] else {
            throw HibariFailure.model("is not a hibari voice: the convolution \(name) is grouped")
        }
        return try weights(name, node)
    }

    func norm(_ name: String, after tensor: String) throws -> String {
        let node = try walk.node(after: tensor, "LayerNormalization")
        if case .float(let epsilon) = node["epsilon"], abs(epsilon - 1e-5) > 1e-7 {
            throw HibariFailure.model("is not a hibari voice: the norm \(name) has an epsilon other than 1e-5")
        }
        return try weights(name, node)
    }

    /// Adds a dense layer with 8-bit weights and zero point 0, quantized per tensor or per output channel.
    func dense(_ name: String, after tensor: String) throws -> String {
        let quantized = try walk.output(after: tensor, "DynamicQuantizeLinear")
        let product = try walk.node(after: quantized, "MatMulInteger")
        let weights = try walk.input(1, of: product)
        if product.inputs.count > 3, let zero = walk.initializer(product.inputs[3]) {
            try checkZero(zero, name)
        }
        let scaled = try walk.node(after: walk.output(of: product), "Mul")
        guard
            let factors = scaled.inputs.lazy.compactMap({ walk.producer(of: $0) }).first(where: {
                $0.operation == "Mul"
            })
        else { throw HibariFailure.model("is not a hibari voice: the layer \(name) has no scale") }
        let added = try walk.node(after: walk.output(of: scaled), "Add")
        try add("\(name).w", weights)
        guard let outputs = walk.initializer(weights)?.shape.last.flatMap({ Int(exactly: $0) }), outputs > 0 else {
            throw HibariFailure.model("is damaged: the layer \(name) has no outputs")
        }
        let scale = try walk.constantInput(of: factors)
        if let numbers = walk.numbers(scale), numbers.count == 1 {
            guard outputs <= 1 << 16 else {
                throw HibariFailure.model("is damaged: the layer \(name) has \(outputs) outputs, which is too many")
            }
            try table.add("\(name).s", floats: [Float](repeating: Float(numbers[0]), count: outputs))
        } else {
            try add("\(name).s", scale)
        }
        try add("\(name).b", walk.constantInput(of: added))
        return try walk.output(of: added)
    }

    /// Matches a GELU: x · (erf(x / √2) + 1) · ½.
    func gelu(after tensor: String) throws -> String {
        let divided = try walk.node(after: tensor, "Div")
        guard let root = walk.numbers(try walk.input(1, of: divided)), root.count == 1,
            abs(root[0] - 2.0.squareRoot()) < 1e-5
        else { throw HibariFailure.model("is not a hibari voice: an activation function is not GELU") }
        let raised = try walk.output(after: walk.output(after: walk.output(of: divided), "Erf"), "Add")
        return try walk.output(after: walk.output(after: raised, "Mul"), "Mul")
    }

    /// Adds a sequence of blocks. Each block is a depthwise convolution, a norm, two dense layers with GELU between them, a scale
    /// factor, and a residual connection.
    func blocks(_ name: String, after tensor: String) throws -> String {
        var tensor = tensor
        var count = 0
        while let node = walk.nodes(after: tensor, "Conv").first(where: {
            (walk.integers("group", of: $0)?.first ?? 1) > 1
        }) {
            guard count < Self.maximumRepeats else {
                throw HibariFailure.model("is damaged: it has too many blocks in \(name)")
            }
            let block = "\(name).\(count)"
            try checkPads(of: node)
            var inner = try weights("\(block).dw", node)
            try table.add("\(block).dilation", integer: Int(walk.integers("dilations", of: node)?.first ?? 1))
            inner = try norm("\(block).norm", after: inner)
            inner = try dense("\(block).pw2", after: gelu(after: dense("\(block).pw1", after: inner)))
            let scaled = try walk.node(after: inner, "Mul")
            try add("\(block).gamma", walk.constantInput(of: scaled))
            tensor = try walk.output(after: walk.output(of: scaled), "Add")
            count += 1
        }
        try table.add("\(name).count", integer: count)
        return tensor
    }

    /// Adds an encoder: an embedding, blocks, several passes through one attention layer, and a final norm.
    func encoder(_ name: String, _ gather: GraphNode) throws -> String {
        try add("\(name).emb", walk.input(0, of: gather))
        var tensor = try blocks("\(name).conv", after: walk.output(of: gather))
        var layers = 0
        while true {
            let norm = try walk.node(after: tensor, "LayerNormalization")
            if walk.nodes(after: try walk.output(of: norm), "DynamicQuantizeLinear").isEmpty { break }
            guard layers < Self.maximumRepeats else {
                throw HibariFailure.model("is damaged: it has too many attention layers")
            }
            tensor = try attention("\(name).attn", after: tensor)
            layers += 1
        }
        try table.add("\(name).layers", integer: layers)
        return try norm("\(name).norm", after: tensor)
    }

    /// Adds one pass of attention. All passes of an encoder share the same weights, which are added once.
    private func attention(_ name: String, after tensor: String) throws -> String {
        let projected = try dense("\(name).in", after: norm("\(name).norm1", after: tensor))
        let slices = walk.nodes(after: projected, "Slice")
        guard slices.count == 3 else {
            throw HibariFailure.model(
                "is not a hibari voice: an attention layer is split into \(slices.count) parts instead of 3")
        }
        let shaped = try walk.node(after: walk.output(of: slices[0]), "Reshape")
        // The shape is (length, batch, heads, channels per head).
        guard let shape = walk.producer(of: try walk.input(1, of: shaped)),
            let heads = walk.numbers(try walk.input(2, of: shape))?.first, (1...64).contains(heads)
        else { throw HibariFailure.model("is not a hibari voice: the number of attention heads is not a constant") }
        try table.add("\(name).heads", integer: Int(heads))
        let values = try walk.output(after: walk.output(of: slices[2]), "Reshape")
        let merged = try walk.output(after: walk.output(after: values, "MatMul"), "Reshape")
        let sum = try walk.output(after: dense("\(name).out", after: merged), "Add")
        let wide = try dense("\(name).ff1", after: norm("\(name).norm2", after: sum))
        return try walk.output(after: dense("\(name).ff2", after: gelu(after: wide)), "Add")
    }

    private func checkPads(of node: GraphNode) throws {
        let taps = walk.initializer(try walk.input(1, of: node))?.shape.last ?? 0
        let dilation = walk.integers("dilations", of: node)?.first ?? 1
        let (reach, overflow) = (taps / 2).multipliedReportingOverflow(by: dilation)
        guard !overflow, walk.integers("pads", of: node) ?? [0, 0] == [reach, reach],
            walk.integers("strides", of: node) ?? [1] == [1]
        else { throw HibariFailure.model("is not a hibari voice: a convolution has unexpected padding or strides") }
    }

    private func checkZero(_ zero: GraphTensor, _ name: String) throws {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let isZero =
            if case .listed(let numbers) = zero.numbers {
                numbers.allSatisfy { $0 == 0 }
            } else if let (memory, range) = walk.graph.raw(zero, weights: none) {
                memory[range].allSatisfy { $0 == 0 }
            } else {
                false
            }
        guard isZero else {
            throw HibariFailure.model("is not a hibari voice: the weights of \(name) have a zero point other than 0")
        }
    }
}
