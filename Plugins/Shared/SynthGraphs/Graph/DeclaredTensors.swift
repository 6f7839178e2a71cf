/// The inputs and outputs that a model file declares, including shapes. A session cannot report the shapes, because it
/// hides them from ONNX Runtime.
///
/// Reading the declarations takes only a few milliseconds, regardless of the file size, because only keys and lengths
/// are read.
public struct DeclaredTensors: Sendable {
    /// A declared input or output.
    public struct Tensor: Sendable, Equatable {
        /// The tensor's name in a run.
        public var name: String
        /// The tensor's element type.
        public var element: TensorDescription.Element
        /// The length of each axis, or `nil` for an axis of any length. Empty if no shape is declared.
        public var shape: [Int?]
    }

    /// The inputs, in file order.
    public private(set) var inputs: [Tensor] = []
    /// The outputs, in file order.
    public private(set) var outputs: [Tensor] = []

    /// - Throws: An error if the file is unreadable or not a model.
    public init(model path: String) throws(InferenceError) {
        let file = try MappedFile(path)
        do {
            try self.init(file.bytes)
        } catch {
            throw InferenceError(.model, "the file is not an ONNX model, or it is truncated")
        }
    }

    init(_ file: UnsafeRawBufferPointer) throws {
        var inputs: [Tensor] = []
        var outputs: [Tensor] = []
        let model = ProtobufMessage(memory: file, range: 0..<file.count)
        try model.forEach(in: [ONNXField.Model.graph]) { field in
            guard let value = field.bytes else { return }
            switch field.number {
            case ONNXField.Graph.input: inputs.append(try Self.tensor(model.message(value)))
            case ONNXField.Graph.output: outputs.append(try Self.tensor(model.message(value)))
            default: break
            }
        }
        (self.inputs, self.outputs) = (inputs, outputs)
    }

    private static func tensor(_ value: ProtobufMessage) throws -> Tensor {
        var tensor = Tensor(name: "", element: .other, shape: [])
        try value.forEach { field in
            if field.number == ONNXField.Value.name, let range = field.bytes { tensor.name = value.text(range) }
        }
        try value.forEach(in: [ONNXField.Value.type, ONNXField.ValueType.tensor]) { field in
            switch (field.number, field.value) {
            case (ONNXField.TensorType.element, .integer(let number)):
                tensor.element = TensorDescription.Element(number: number)
            case (ONNXField.TensorType.shape, .bytes(let shape)):
                tensor.shape = try Self.shape(value.message(shape))
            default: break
            }
        }
        return tensor
    }

    private static func shape(_ message: ProtobufMessage) throws -> [Int?] {
        var shape: [Int?] = []
        try message.forEach { field in
            guard field.number == ONNXField.Shape.dimension, let range = field.bytes else { return }
            var length: Int?
            try message.message(range).forEach { field in
                guard field.number == ONNXField.Dimension.number, case .integer(let number) = field.value else {
                    return
                }
                length = Int(exactly: number)
            }
            shape.append(length)
        }
        return shape
    }
}
