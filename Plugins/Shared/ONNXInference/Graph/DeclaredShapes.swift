/// Where a model file declares shapes of tensors, to have the library overlook them.
///
/// The library plans memory for tensors of known shape with a search that is quadratic in their number, which takes up to half of
/// the time of making a session. Nothing else needs them: every node finds out the shape of what it computes.
enum DeclaredShapes {
    /// The key of a field of bytes that neither a graph nor a tensor's type has. A reader of protobuf skips such fields.
    static let unknownKey: UInt8 = 3 << 3 | 2

    /// The offsets of the keys, of one byte each, of the fields that declare a shape. With `unknownKey` in their place the file is
    /// one without those fields.
    static func keys(in file: UnsafeRawBufferPointer) throws(ProtobufError) -> [Int] {
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
