/// An ONNX model's graph, which can be changed and written back.
///
/// A graph is read from a file in memory without copying weights: tensors and all other uninterpreted data remain
/// ranges of that memory. Any input results in either a graph or an `InferenceError`.
package struct ModelGraph {
    /// The nodes, in topological order if the file is in that order.
    package var nodes: [GraphNode] = []
    package var initializers: [GraphTensor] = []
    package private(set) var inputs: [GraphValue] = []
    package private(set) var outputs: [GraphValue] = []
    /// The operator set versions, keyed by operator domain.
    package var operatorSets: [String: Int64] = [:]

    private let memory: UnsafeRawBufferPointer
    private var modelRest: [Range<Int>] = []
    private var graphRest: [Range<Int>] = []

    /// - Parameter memory: The file. It must stay valid while this value is used.
    package init(_ memory: UnsafeRawBufferPointer) throws {
        self.memory = memory
        var model = ProtobufFields(memory)
        while let field = try model.next() {
            switch (field.number, field.bytes) {
            // Protobuf readers merge a message that appears twice.
            case (ONNXField.Model.graph, let range?): try add(graph: range)
            case (ONNXField.Model.operatorSet, let range?): try add(operatorSet: range)
            default: modelRest.append(field.whole)
            }
        }
    }

    private mutating func add(graph: Range<Int>) throws {
        var fields = ProtobufFields(memory, in: graph)
        while let field = try fields.next() {
            guard let range = field.bytes else {
                graphRest.append(field.whole)
                continue
            }
            let message = ProtobufMessage(memory: memory, range: range)
            switch field.number {
            case ONNXField.Graph.node: nodes.append(try GraphNode(message))
            case ONNXField.Graph.initializer: initializers.append(try GraphTensor(message))
            case ONNXField.Graph.input: inputs.append(try GraphValue(message))
            case ONNXField.Graph.output: outputs.append(try GraphValue(message))
            case ONNXField.Graph.valueInfo: break
            default: graphRest.append(field.whole)
            }
        }
    }

    private mutating func add(operatorSet: Range<Int>) throws {
        let message = ProtobufMessage(memory: memory, range: operatorSet)
        var (domain, version) = ("", Int64(1))
        try message.forEach { field in
            switch (field.number, field.value) {
            case (ONNXField.OperatorSet.domain, .bytes(let range)): domain = message.text(range)
            case (ONNXField.OperatorSet.version, .integer(let number)): version = Int64(bitPattern: number)
            default: break
            }
        }
        operatorSets[domain == "ai.onnx" ? "" : domain] = version
    }

    /// Returns the output of the only node with this operation; `nil` unless there is exactly one such node.
    package func output(ofOnly operation: String) -> String? {
        let found = nodes.filter { $0.operation == operation }
        return found.count == 1 ? found[0].outputs.first : nil
    }

    /// The ranges of the external weights file that contain the graph's constants. An upper bound that overflows is
    /// clamped to the maximum value.
    package var externalRanges: [Range<UInt64>] {
        initializers.compactMap { tensor in
            guard case .outside(let offset, let length) = tensor.numbers else { return nil }
            let (end, overflow) = offset.addingReportingOverflow(length)
            return offset..<(overflow ? .max : end)
        }
    }

    /// The minimum size of the external weights file.
    package var externalSize: UInt64 { externalRanges.map(\.upperBound).max() ?? 0 }

    /// Returns the bytes to append to the file in order to turn an intermediate tensor into an output of the graph.
    ///
    /// Protobuf readers merge a message that appears twice, so a second graph with one output adds that output to the first
    /// graph. Therefore, the weights in a mapped file need not be copied.
    package static func appendix(exposing tensor: String) -> [UInt8] {
        var value = ProtobufWriter()
        value.append(ONNXField.Value.name, tensor)
        var graph = ProtobufWriter()
        graph.append(ONNXField.Graph.output, value.bytes)
        var model = ProtobufWriter()
        model.append(ONNXField.Model.graph, graph.bytes)
        return model.bytes
    }

    /// Returns the model file without the shapes of inputs, outputs and intermediate tensors.
    ///
    /// To plan memory for tensors of known shape, ONNX Runtime runs a search whose time is quadratic in the number of
    /// these tensors. The search accounts for most of the time needed to create a session.
    ///
    /// - Parameter weights: Receives the contents of new tensors that are too large to be stored in the graph.
    package func bytes(_ weights: inout AddedWeights) throws -> [UInt8] {
        var graph = ProtobufWriter()
        for node in nodes { graph.append(ONNXField.Graph.node, node.bytes(memory)) }
        for tensor in initializers { graph.append(ONNXField.Graph.initializer, tensor.bytes(memory, &weights)) }
        for input in inputs { graph.append(ONNXField.Graph.input, try input.bytesWithoutShape()) }
        for output in outputs { graph.append(ONNXField.Graph.output, try output.bytesWithoutShape()) }
        for range in graphRest { graph.append(whole: memory[range]) }
        var model = ProtobufWriter()
        for range in modelRest { model.append(whole: memory[range]) }
        for (domain, version) in operatorSets.sorted(by: { $0.key < $1.key }) {
            var set = ProtobufWriter()
            if !domain.isEmpty { set.append(ONNXField.OperatorSet.domain, domain) }
            set.append(ONNXField.OperatorSet.version, integer: version)
            model.append(ONNXField.Model.operatorSet, set.bytes)
        }
        model.append(ONNXField.Model.graph, graph.bytes)
        return model.bytes
    }

    /// Returns a graph that consists of some of the nodes, with its own inputs and outputs. Outputs that are also outputs
    /// of this graph keep their declarations.
    ///
    /// - Parameter inputs: The inputs of the new graph; `nil` for all inputs of this graph.
    package func part(_ nodes: [GraphNode], inputs: [GraphValue]?, outputs: [String]) -> ModelGraph {
        var part = self
        part.nodes = nodes
        let declared = Dictionary(self.outputs.map { ($0.name, $0) }) { first, _ in first }
        part.outputs = outputs.map { declared[$0] ?? GraphValue($0) }
        if let inputs { part.inputs = inputs }
        var used = Set(outputs)
        for node in nodes { used.formUnion(node.inputs + node.captures) }
        part.initializers.removeAll { !used.contains($0.name) }
        return part
    }

    /// Returns the model file of a graph to which no large tensors have been added.
    package func bytes() throws -> [UInt8] {
        var none = AddedWeights(locations: [])
        return try bytes(&none)
    }

    /// Returns the tensor's numbers if they have one, two or four bytes each and are not 32-bit floats; `nil` if the
    /// tensor has a different format, or if its size does not match its shape.
    ///
    /// - Parameter weights: The external weights file.
    package func packed(_ tensor: GraphTensor, weights: UnsafeRawBufferPointer) -> PackedNumbers? {
        guard let (shape, count) = tensor.sizes, let kind = PackedNumbers.Kind(tensor.element) else { return nil }
        if case .listed(let integers) = tensor.numbers {
            return integers.count == count ? PackedNumbers(kind, listed: integers, shape) : nil
        }
        guard let (memory, range) = raw(tensor, weights: weights), range.count.isMultiple(of: kind.byteCount),
            range.count / kind.byteCount == count
        else { return nil }
        return PackedNumbers(kind, UnsafeRawBufferPointer(rebasing: memory[range]), shape)
    }

    /// Returns the memory and range of a tensor's values; `nil` if they are not stored as raw bytes or extend beyond
    /// the file.
    ///
    /// - Parameter weights: The external weights file.
    package func raw(_ tensor: GraphTensor, weights: UnsafeRawBufferPointer) -> (UnsafeRawBufferPointer, Range<Int>)? {
        switch tensor.numbers {
        case .inside(let range): return (memory, range)
        case .outside(let offset, let length):
            guard let start = Int(exactly: offset), let count = Int(exactly: length), start <= weights.count,
                count <= weights.count - start
            else { return nil }
            return (weights, start..<start + count)
        case .made, .listed, .unknown: return nil
        }
    }
}
