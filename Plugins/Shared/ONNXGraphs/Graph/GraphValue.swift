/// What a graph declares of an input or output.
package struct GraphValue {
    package let name: String
    /// What a tensor holds; `nil` if that is not declared, or it is none.
    package let element: ElementTypes.Element?
    private let message: ProtobufMessage?

    /// - Parameter element: Of a tensor. `nil` declares nothing but the name.
    package init(_ name: String, _ element: ElementTypes.Element? = nil) {
        self.name = name
        self.element = element
        message = nil
    }

    init(_ message: ProtobufMessage) throws(ProtobufError) {
        var name = ""
        var element: ElementTypes.Element?
        try message.forEach { (field) throws(ProtobufError) in
            guard let range = field.bytes else { return }
            if field.number == ONNXField.Value.name { name = message.text(range) }
            if field.number == ONNXField.Value.type { element = try Self.element(message.message(range)) ?? element }
        }
        self.name = name
        self.element = element
        self.message = message
    }

    private static func element(_ type: ProtobufMessage) throws(ProtobufError) -> ElementTypes.Element? {
        var element: ElementTypes.Element?
        try type.forEach { (field) throws(ProtobufError) in
            guard field.number == ONNXField.ValueType.tensor, let range = field.bytes else { return }
            try type.message(range).forEach { (field) throws(ProtobufError) in
                guard field.number == ONNXField.TensorType.element, case .integer(let number) = field.value else {
                    return
                }
                element = Int64(exactly: number)
            }
        }
        return element
    }

    /// Without the shape, which the computation does not need.
    package func bytesWithoutShape() throws(ProtobufError) -> [UInt8] {
        guard let message else {
            var writer = ProtobufWriter()
            writer.append(ONNXField.Value.name, name)
            if let element {
                var tensor = ProtobufWriter()
                tensor.append(ONNXField.TensorType.element, integer: element)
                var type = ProtobufWriter()
                type.append(ONNXField.ValueType.tensor, tensor.bytes)
                writer.append(ONNXField.Value.type, type.bytes)
            }
            return writer.bytes
        }
        return try message.rewritten { (field, value) throws(ProtobufError) in
            guard field.number == ONNXField.Value.type, let type = field.bytes else { return false }
            let bytes = try message.message(type).rewritten { (field, type) throws(ProtobufError) in
                guard field.number == ONNXField.ValueType.tensor, let tensor = field.bytes else { return false }
                let bytes = try message.message(tensor).rewritten { (field, _) throws(ProtobufError) in
                    field.number == ONNXField.TensorType.shape
                }
                type.append(field.number, bytes)
                return true
            }
            value.append(field.number, bytes)
            return true
        }
    }
}

/// Where a model file declares shapes of tensors, to have the library overlook them.
///
/// The library plans memory for tensors of known shape with a search that is quadratic in their number, which takes up to half of
/// the time of making a session. Nothing else needs them: every node finds out the shape of what it computes.
package enum DeclaredShapes {
    /// The key of a field of bytes that neither a graph nor a tensor's type has. A reader of protobuf skips such fields.
    package static let unknownKey: UInt8 = 3 << 3 | 2

    /// The offsets of the keys, of one byte each, of the fields that declare a shape. With `unknownKey` in their place the file is
    /// one without those fields.
    package static func keys(in file: UnsafeRawBufferPointer) throws(ProtobufError) -> [Int] {
        var keys: [Int] = []
        func forEach(
            _ number: UInt64, in range: Range<Int>, _ body: (ProtobufFields.Field) throws(ProtobufError) -> Void
        ) throws(ProtobufError) {
            try ProtobufMessage(memory: file, range: range).forEach { (field) throws(ProtobufError) in
                if field.number == number, field.bytes != nil { try body(field) }
            }
        }
        func note(_ field: ProtobufFields.Field) {
            // Longer keys are allowed, but nobody writes them.
            if UInt64(file[field.whole.lowerBound]) == field.number << 3 | 2 { keys.append(field.whole.lowerBound) }
        }
        try forEach(ONNXField.Model.graph, in: 0..<file.count) { (graph) throws(ProtobufError) in
            let graph = graph.bytes ?? 0..<0
            try forEach(ONNXField.Graph.valueInfo, in: graph) { note($0) }
            for side in [ONNXField.Graph.input, ONNXField.Graph.output] {
                try forEach(side, in: graph) { (value) throws(ProtobufError) in
                    try forEach(ONNXField.Value.type, in: value.bytes ?? 0..<0) { (type) throws(ProtobufError) in
                        try forEach(ONNXField.ValueType.tensor, in: type.bytes ?? 0..<0) {
                            (tensor) throws(ProtobufError) in
                            try forEach(ONNXField.TensorType.shape, in: tensor.bytes ?? 0..<0) { note($0) }
                        }
                    }
                }
            }
        }
        return keys
    }
}
