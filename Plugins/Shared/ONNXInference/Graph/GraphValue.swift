/// What a graph declares of an input or output.
struct GraphValue {
    let name: String
    private let message: ProtobufMessage?
    private let isFloats: Bool

    /// A value of which nothing but the name is declared.
    init(_ name: String) {
        self.name = name
        message = nil
        isFloats = false
    }

    /// A tensor of floats.
    init(floats name: String) {
        self.name = name
        message = nil
        isFloats = true
    }

    init(_ message: ProtobufMessage) throws(ProtobufError) {
        var name = ""
        try message.forEach { (field) throws(ProtobufError) in
            if field.number == ONNXField.Value.name, let range = field.bytes { name = message.text(range) }
        }
        self.name = name
        self.message = message
        isFloats = false
    }

    /// Without the shape, which the computation does not need.
    func bytesWithoutShape() throws(ProtobufError) -> [UInt8] {
        guard let message else {
            var writer = ProtobufWriter()
            writer.append(ONNXField.Value.name, name)
            if isFloats {
                var tensor = ProtobufWriter()
                tensor.append(ONNXField.TensorType.element, integer: GraphTensor.Element.float32.rawValue)
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
