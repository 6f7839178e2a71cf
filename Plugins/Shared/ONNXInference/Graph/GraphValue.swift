/// What a graph declares of an input or output.
struct GraphValue {
    let name: String
    /// What a tensor holds; `nil` if that is not declared, or it is none.
    let element: ElementTypes.Element?
    private let message: ProtobufMessage?

    /// - Parameter element: Of a tensor. `nil` declares nothing but the name.
    init(_ name: String, _ element: ElementTypes.Element? = nil) {
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
    func bytesWithoutShape() throws(ProtobufError) -> [UInt8] {
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
