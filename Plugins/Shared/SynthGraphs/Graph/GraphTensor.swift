/// A constant of a graph. Its values are read only on demand.
package struct GraphTensor {
    /// The number formats that rewrites read or write. The raw values come from `onnx.proto`.
    package enum Element: Int64 {
        case float32 = 1
        case uint8 = 2
        case int8 = 3
        case int32 = 6
        case int64 = 7
        case float16 = 10
    }

    /// The location of a constant's values.
    package enum Numbers {
        /// Raw bytes in the model file.
        case inside(Range<Int>)
        /// Raw bytes in the external weights file.
        case outside(offset: UInt64, length: UInt64)
        case made(NewNumbers)
        /// Numbers of 1 or 2 bytes that are stored as integers, as in short constants.
        case listed([Int32])
        /// Any other format defined in `onnx.proto`.
        case unknown
    }

    package var name: String
    /// `nil` for other number formats.
    package private(set) var element: Element?
    package private(set) var shape: [Int64]
    package private(set) var numbers: Numbers
    /// The range of the complete message; `nil` for a tensor created by a rewrite.
    private let message: Range<Int>?

    package init(_ message: ProtobufMessage) throws {
        var (name, shape, element) = ("", [Int64](), Element?.none)
        var numbers: Numbers?
        var (offset, length) = (UInt64(0), UInt64?.none)
        var isOutside = false
        try message.forEach { field in
            switch (field.number, field.value) {
            case (ONNXField.Tensor.name, .bytes(let range)): name = message.text(range)
            case (ONNXField.Tensor.type, .integer(let number)): element = Int64(exactly: number).flatMap(Element.init)
            case (ONNXField.Tensor.dimensions, _): shape += try message.integers(field)
            case (ONNXField.Tensor.raw, .bytes(let range)): numbers = .inside(range)
            // Packed floats have the same layout as raw bytes.
            case (ONNXField.Tensor.floats, .bytes(let range)) where numbers == nil: numbers = .inside(range)
            case (ONNXField.Tensor.floats, _): numbers = .unknown
            case (ONNXField.Tensor.integers, _):
                let integers = try message.integers(field).map { Int32(truncatingIfNeeded: $0) }
                if case .listed(let before)? = numbers {
                    numbers = .listed(before + integers)
                } else {
                    numbers = numbers ?? .listed(integers)
                }
            case (ONNXField.Tensor.externalData, .bytes(let range)):
                isOutside = true
                let (key, value) = try Self.entry(message.message(range))
                if key == "offset" { offset = UInt64(value) ?? 0 }
                if key == "length" { length = UInt64(value) }
            default: break
            }
        }
        self.name = name
        self.shape = shape
        self.element = element
        self.numbers = isOutside ? .outside(offset: offset, length: length ?? 0) : numbers ?? .unknown
        self.message = message.range
    }

    /// The shape and the number of elements; `nil` if they exceed the address space.
    package var sizes: (shape: [Int], count: Int)? {
        let sizes = shape.compactMap { Int(exactly: $0) }
        guard sizes.count == shape.count else { return nil }
        var count = 1
        for size in sizes {
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            guard size >= 0, !overflow else { return nil }
            count = product
        }
        return (sizes, count)
    }

    package init(_ name: String, _ numbers: [Float], shape: [Int]) {
        self.init(name, .float32, .floats(numbers), shape)
    }

    package init(_ name: String, _ numbers: ComputedFloats, shape: [Int]) {
        self.init(name, .float32, .computed(numbers), shape)
    }

    package init(_ name: String, _ numbers: [Int64], shape: [Int]) {
        self.init(name, .int64, .integers(numbers), shape)
    }

    private init(_ name: String, _ element: Element, _ made: NewNumbers, _ shape: [Int]) {
        self.name = name
        self.element = element
        self.shape = shape.map(Int64.init)
        numbers = .made(made)
        message = nil
    }

    /// - Parameters:
    ///   - memory: The file from which the tensor was read.
    ///   - weights: Receives the contents of a new tensor that is too large to be stored in the graph.
    package func bytes(_ memory: UnsafeRawBufferPointer, _ weights: inout AddedWeights) -> [UInt8] {
        if let message { return Array(memory[message]) }
        var writer = ProtobufWriter()
        for size in shape { writer.append(ONNXField.Tensor.dimensions, integer: size) }
        if let element { writer.append(ONNXField.Tensor.type, integer: element.rawValue) }
        writer.append(ONNXField.Tensor.name, name)
        guard case .made(let made) = numbers else { return writer.bytes }
        if let place = weights.add(made) {
            for (key, value) in [
                ("location", place.location), ("offset", "\(place.position)"), ("length", "\(made.byteCount)"),
            ] {
                var entry = ProtobufWriter()
                entry.append(ONNXField.Entry.key, key)
                entry.append(ONNXField.Entry.value, value)
                writer.append(ONNXField.Tensor.externalData, entry.bytes)
            }
            writer.append(ONNXField.Tensor.location, integer: 1)
        } else {
            writer.append(ONNXField.Tensor.raw, made.withBytes { Array($0) })
        }
        return writer.bytes
    }

    private static func entry(_ message: ProtobufMessage) throws -> (key: String, value: String) {
        var (key, value) = ("", "")
        try message.forEach { field in
            switch (field.number, field.bytes) {
            case (ONNXField.Entry.key, let range?): key = message.text(range)
            case (ONNXField.Entry.value, let range?): value = message.text(range)
            default: break
            }
        }
        return (key, value)
    }
}

/// A declared input or output of a model.
public struct TensorDescription: Sendable, Equatable {
    /// The element types that speech models use.
    public enum Element: Sendable {
        case float32, float16, float64, int32, int64, bool
        /// Strings, maps, and number formats that no speech model uses.
        case other

        /// Converts the number that model files and ONNX Runtime use for an element type.
        package init(number: UInt64) {
            switch number {
            case 1: self = .float32
            case 6: self = .int32
            case 7: self = .int64
            case 9: self = .bool
            case 10: self = .float16
            case 11: self = .float64
            default: self = .other
            }
        }
    }

    /// The tensor's name in a run.
    public var name: String
    /// The tensor's element type.
    public var element: Element

    package init(name: String, element: Element) {
        self.name = name
        self.element = element
    }
}
