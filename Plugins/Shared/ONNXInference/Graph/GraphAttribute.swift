/// A constant of a node, such as the strides of a convolution.
package struct GraphAttribute {
    package enum Value: Equatable {
        case integer(Int64)
        case float(Float)
        case text(String)
        case integers([Int64])
        case floats([Float])
        /// A tensor, a graph or anything else that no rewrite looks into, as it stands in the file.
        case other([UInt8])
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// - Parameter depth: How many nodes with graphs inside surround the attribute.
    /// - Parameter captures: Gets the names that the graphs inside read.
    init(_ message: ProtobufMessage, depth: Int, captures: inout [String]) throws(ProtobufError) {
        var name = ""
        var value: Value?
        var type: Int64?
        var holdsGraph = false
        try message.forEach { (field) throws(ProtobufError) in
            switch (field.number, field.value) {
            case (ONNXField.Attribute.name, .bytes(let range)): name = message.text(range)
            case (ONNXField.Attribute.type, .integer(let number)): type = Int64(bitPattern: number)
            case (ONNXField.Attribute.integer, .integer(let number)): value = .integer(Int64(bitPattern: number))
            case (ONNXField.Attribute.float, .fixed): value = .float(try message.floats(field).first ?? 0)
            case (ONNXField.Attribute.text, .bytes(let range)): value = .text(message.text(range))
            case (ONNXField.Attribute.integers, _):
                var numbers = if case .integers(let numbers) = value { numbers } else { [] as [Int64] }
                numbers += try message.integers(field)
                value = .integers(numbers)
            case (ONNXField.Attribute.floats, _):
                var numbers = if case .floats(let numbers) = value { numbers } else { [] as [Float] }
                numbers += try message.floats(field)
                value = .floats(numbers)
            case (ONNXField.Attribute.graph, .bytes), (ONNXField.Attribute.graphs, .bytes): holdsGraph = true
            default: break
            }
        }
        self.name = name
        guard let value, !holdsGraph, type == value.type, value.isExact else {
            var inner = NestedGraphs(depth: depth)
            self.value = .other(try inner.withoutRepeats(attribute: message))
            captures += inner.reads
            return
        }
        self.value = value
    }

    var bytes: [UInt8] {
        var writer = ProtobufWriter()
        switch value {
        case .other(let bytes): return bytes
        case .integer(let number): writer.append(ONNXField.Attribute.integer, integer: number)
        case .float(let number): writer.append(ONNXField.Attribute.float, float: number)
        case .text(let text): writer.append(ONNXField.Attribute.text, text)
        case .integers(let numbers):
            for number in numbers { writer.append(ONNXField.Attribute.integers, integer: number) }
        case .floats(let numbers):
            for number in numbers { writer.append(ONNXField.Attribute.floats, float: number) }
        }
        writer.append(ONNXField.Attribute.name, name)
        if let type = value.type { writer.append(ONNXField.Attribute.type, integer: type) }
        return writer.bytes
    }
}

extension GraphAttribute.Value {
    /// The number by which `onnx.proto` calls this kind of value; `nil` for `other`.
    fileprivate var type: Int64? {
        switch self {
        case .float: 1
        case .integer: 2
        case .text: 3
        case .floats: 6
        case .integers: 7
        case .other: nil
        }
    }

    /// Whether it can be written again byte for byte. A text that is no UTF-8 was repaired when it was read.
    fileprivate var isExact: Bool {
        if case .text(let text) = self { !text.unicodeScalars.contains("\u{FFFD}") } else { true }
    }
}
