/// Reads and rewrites the few fields of an ONNX model that this layer needs. Field numbers are those of `onnx.proto`.
struct ModelGraph {
    private enum Number {
        enum Model { static let graph: UInt64 = 7 }
        enum Graph {
            static let node: UInt64 = 1
            static let initializer: UInt64 = 5
            static let input: UInt64 = 11
            static let output: UInt64 = 12
            static let valueInfo: UInt64 = 13
        }
        enum Node {
            static let output: UInt64 = 2
            static let operation: UInt64 = 4
            static let attribute: UInt64 = 5
        }
        enum Attribute {
            static let graph: UInt64 = 6
            static let graphs: UInt64 = 11
        }
        enum Value {
            static let name: UInt64 = 1
            static let type: UInt64 = 2
        }
        enum ValueType { static let tensor: UInt64 = 1 }
        enum TensorType { static let shape: UInt64 = 2 }
        enum Tensor {
            static let name: UInt64 = 8
            static let externalData: UInt64 = 13
        }
        enum Entry {
            static let key: UInt64 = 1
            static let value: UInt64 = 2
        }
    }

    /// The deepest nesting of graphs in nodes. No known model has more than two levels.
    private static let deepest = 16

    private let memory: UnsafeRawBufferPointer

    /// `memory` holds the file and must stay valid while this value is used.
    init(_ memory: UnsafeRawBufferPointer) {
        self.memory = memory
    }

    /// The output of the only node with this operation; `nil` if there is none or more than one.
    func output(ofOnly operation: String) throws(ProtobufError) -> String? {
        var found: String?
        var seen = 0
        try forEach(Number.Graph.node) { (node) throws(ProtobufError) in
            var isWanted = false
            var output: String?
            var fields = ProtobufFields(memory, in: node)
            while let field = try fields.next() {
                switch (field.number, field.bytes) {
                case (Number.Node.operation, let range?): isWanted = isText(range, operation)
                case (Number.Node.output, let range?) where output == nil: output = text(range)
                default: break
                }
            }
            guard isWanted else { return }
            seen += 1
            found = output
        }
        return seen == 1 ? found : nil
    }

    /// The names of the graph's outputs.
    func outputs() throws(ProtobufError) -> [String] {
        var names: [String] = []
        try forEach(Number.Graph.output) { (output) throws(ProtobufError) in
            var fields = ProtobufFields(memory, in: output)
            while let field = try fields.next() {
                if field.number == Number.Value.name, let range = field.bytes { names.append(text(range)) }
            }
        }
        return names
    }

    /// The least size of the file of external weights, computed from the ranges in the graph.
    func externalSize() throws(ProtobufError) -> UInt64 {
        var size: UInt64 = 0
        try forEach(Number.Graph.initializer) { (tensor) throws(ProtobufError) in
            var offset: UInt64 = 0
            var length: UInt64 = 0
            var fields = ProtobufFields(memory, in: tensor)
            while let field = try fields.next() {
                guard field.number == Number.Tensor.externalData, let entry = field.bytes else { continue }
                let (key, value) = try keyAndValue(entry)
                if key == "offset" { offset = UInt64(value) ?? 0 }
                if key == "length" { length = UInt64(value) ?? 0 }
            }
            let (end, overflow) = offset.addingReportingOverflow(length)
            size = max(size, overflow ? .max : end)
        }
        return size
    }

    /// Bytes that, appended to the file, make an inner tensor an output of the graph.
    ///
    /// Protobuf readers merge a message that appears twice, so a second graph with nothing but one output adds that
    /// output to the first.
    static func appendix(exposing tensor: String) -> [UInt8] {
        var value = ProtobufWriter()
        value.append(Number.Value.name, tensor.utf8)
        var graph = ProtobufWriter()
        graph.append(Number.Graph.output, value.bytes)
        var model = ProtobufWriter()
        model.append(Number.Model.graph, graph.bytes)
        return model.bytes
    }

    /// The model without the shapes of its inputs, outputs and inner tensors, which the computation does not need.
    ///
    /// The library plans memory for tensors of known shape with a search that is quadratic in their number and takes
    /// most of the time of making a session.
    ///
    /// Repeated constants of a graph inside a node are removed too: the library writes them twice when it saves a model
    /// with external weights, and then refuses to read them.
    func withoutShapes() throws(ProtobufError) -> [UInt8] {
        try rewrite(0..<memory.count) { (field, model) throws(ProtobufError) in
            guard field.number == Number.Model.graph, let graph = field.bytes else { return false }
            let bytes = try rewrite(graph) { (field, graph) throws(ProtobufError) in
                guard let value = field.bytes else { return false }
                switch field.number {
                case Number.Graph.valueInfo: return true
                case Number.Graph.node:
                    graph.append(field.number, try withoutRepeats(node: value, depth: 1))
                    return true
                case Number.Graph.input, Number.Graph.output:
                    graph.append(field.number, try withoutShape(value))
                    return true
                default: return false
                }
            }
            model.append(field.number, bytes)
            return true
        }
    }

    private func withoutShape(_ value: Range<Int>) throws(ProtobufError) -> [UInt8] {
        try rewrite(value) { (field, value) throws(ProtobufError) in
            guard field.number == Number.Value.type, let type = field.bytes else { return false }
            let bytes = try rewrite(type) { (field, type) throws(ProtobufError) in
                guard field.number == Number.ValueType.tensor, let tensor = field.bytes else { return false }
                let bytes = try rewrite(tensor) { (field, _) throws(ProtobufError) in
                    field.number == Number.TensorType.shape
                }
                type.append(field.number, bytes)
                return true
            }
            value.append(field.number, bytes)
            return true
        }
    }

    private func withoutRepeats(node: Range<Int>, depth: Int) throws(ProtobufError) -> [UInt8] {
        guard depth <= Self.deepest else { throw ProtobufError(offset: node.lowerBound) }
        return try rewrite(node) { (field, node) throws(ProtobufError) in
            guard field.number == Number.Node.attribute, let attribute = field.bytes else { return false }
            let bytes = try rewrite(attribute) { (field, attribute) throws(ProtobufError) in
                guard [Number.Attribute.graph, Number.Attribute.graphs].contains(field.number), let graph = field.bytes
                else { return false }
                attribute.append(field.number, try withoutRepeats(graph: graph, depth: depth))
                return true
            }
            node.append(field.number, bytes)
            return true
        }
    }

    private func withoutRepeats(graph: Range<Int>, depth: Int) throws(ProtobufError) -> [UInt8] {
        var seen: Set<String> = []
        return try rewrite(graph) { (field, graph) throws(ProtobufError) in
            guard let value = field.bytes else { return false }
            switch field.number {
            case Number.Graph.initializer: return try !seen.insert(name(ofTensor: value)).inserted
            case Number.Graph.node:
                graph.append(field.number, try withoutRepeats(node: value, depth: depth + 1))
                return true
            default: return false
            }
        }
    }

    private func name(ofTensor tensor: Range<Int>) throws(ProtobufError) -> String {
        var fields = ProtobufFields(memory, in: tensor)
        while let field = try fields.next() {
            if field.number == Number.Tensor.name, let range = field.bytes { return text(range) }
        }
        return ""
    }

    /// Copies a message field by field. `replace` returns whether it has handled the field itself.
    private func rewrite(
        _ message: Range<Int>,
        _ replace: (ProtobufFields.Field, inout ProtobufWriter) throws(ProtobufError) -> Bool
    ) throws(ProtobufError) -> [UInt8] {
        var writer = ProtobufWriter()
        var fields = ProtobufFields(memory, in: message)
        while let field = try fields.next() {
            if try !replace(field, &writer) { writer.append(whole: memory[field.whole]) }
        }
        return writer.bytes
    }

    private func forEach(
        _ number: UInt64, _ body: (Range<Int>) throws(ProtobufError) -> Void
    ) throws(ProtobufError) {
        var model = ProtobufFields(memory)
        while let field = try model.next() {
            guard field.number == Number.Model.graph, let range = field.bytes else { continue }
            var graph = ProtobufFields(memory, in: range)
            while let field = try graph.next() {
                if field.number == number, let range = field.bytes { try body(range) }
            }
        }
    }

    private func keyAndValue(_ entry: Range<Int>) throws(ProtobufError) -> (key: String, value: String) {
        var key = ""
        var value = ""
        var fields = ProtobufFields(memory, in: entry)
        while let field = try fields.next() {
            switch (field.number, field.bytes) {
            case (Number.Entry.key, let range?): key = text(range)
            case (Number.Entry.value, let range?): value = text(range)
            default: break
            }
        }
        return (key, value)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: memory[range], as: UTF8.self)
    }

    private func isText(_ range: Range<Int>, _ text: String) -> Bool {
        memory[range].elementsEqual(text.utf8)
    }
}
