import SynthGraphs

/// Writes a graph's nodes and constants in the form that an exporter uses: named constants, scalars in nodes, and
/// transpositions around convolutions.
struct GraphMaker {
    private var graph = ProtobufWriter()
    private var names = 0
    private var state: UInt64 = 1
    /// Whether names consist only of numbers, without the operation.
    var isAnonymous = false

    private static func integer(_ number: UInt64, _ value: Int) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.append(number, integer: Int64(value))
        return writer.bytes
    }

    mutating func fresh(_ name: String) -> String {
        names += 1
        return isAnonymous ? "n\(names)" : "\(name)_\(names)"
    }

    /// - Returns: The first output.
    @discardableResult
    mutating func node(
        _ operation: String, _ inputs: [String], as output: String? = nil, also others: [String] = [],
        _ attributes: [(String, [Int])] = []
    ) -> String {
        let output = output ?? fresh(operation)
        var node = ProtobufWriter()
        for input in inputs { node.append(1, input) }
        for name in [output] + others { node.append(2, name) }
        node.append(4, operation)
        for (name, values) in attributes {
            var attribute = ProtobufWriter()
            attribute.append(1, name)
            for value in values { attribute.append(8, integer: Int64(value)) }
            attribute.append(20, integer: 7)
            node.append(5, attribute.bytes)
        }
        graph.append(1, node.bytes)
        return output
    }

    /// Adds a node that contains a number.
    mutating func scalar(_ value: Float) -> String {
        let name = fresh("Constant")
        var tensor = ProtobufWriter()
        tensor.append(2, integer: 1)
        tensor.append(9, withUnsafeBytes(of: value) { Array($0) })
        constantNode(tensor.bytes, name)
        return name
    }

    /// Adds a node that contains integers.
    mutating func integers(_ values: [Int64], isScalar: Bool = false) -> String {
        let name = fresh("Constant")
        var tensor = ProtobufWriter()
        if !isScalar { tensor.append(1, integer: Int64(values.count)) }
        tensor.append(2, integer: 7)
        tensor.append(9, values.withUnsafeBytes { Array($0) })
        constantNode(tensor.bytes, name)
        return name
    }

    private mutating func constantNode(_ tensor: [UInt8], _ name: String) {
        var attribute = ProtobufWriter()
        attribute.append(1, "value")
        attribute.append(5, tensor)
        attribute.append(20, integer: 4)
        var node = ProtobufWriter()
        node.append(2, name)
        node.append(4, "Constant")
        node.append(5, attribute.bytes)
        graph.append(1, node.bytes)
    }

    mutating func floats(_ name: String, _ values: [Float], _ shape: [Int]) -> String {
        initializer(name, 1, values.withUnsafeBytes { Array($0) }, shape)
    }

    /// Adds pseudorandom numbers up to `scale`.
    mutating func random(_ name: String, _ shape: [Int], scale: Float) -> String {
        let count = shape.reduce(1, *)
        return floats(name, (0..<count).map { _ in scale * number() }, shape)
    }

    mutating func bytes(_ name: String, _ shape: [Int]) -> String {
        let count = shape.reduce(1, *)
        return initializer(name, 3, (0..<count).map { _ in UInt8(bitPattern: Int8(number() * 127)) }, shape)
    }

    /// - Parameter element: The element type's number in `onnx.proto`.
    mutating func initializer(_ name: String, _ element: Int, _ bytes: [UInt8], _ shape: [Int]) -> String {
        let name = fresh(name)
        var tensor = ProtobufWriter()
        for size in shape { tensor.append(whole: Self.integer(1, size)) }
        tensor.append(whole: Self.integer(2, element))
        tensor.append(8, name)
        tensor.append(9, bytes)
        graph.append(5, tensor.bytes)
        return name
    }

    /// - Parameter element: The element type's number in `onnx.proto`.
    mutating func declare(input name: String, _ element: Int) { declare(11, name, element) }

    mutating func declare(output name: String) { declare(12, name, 1) }

    private mutating func declare(_ field: UInt64, _ name: String, _ element: Int) {
        var tensor = ProtobufWriter()
        tensor.append(1, integer: Int64(element))
        var type = ProtobufWriter()
        type.append(1, tensor.bytes)
        var value = ProtobufWriter()
        value.append(1, name)
        value.append(2, type.bytes)
        graph.append(field, value.bytes)
    }

    var file: [UInt8] {
        var set = ProtobufWriter()
        set.append(2, integer: 17)
        var model = ProtobufWriter()
        model.append(1, integer: 8)
        model.append(8, set.bytes)
        model.append(7, graph.bytes)
        return model.bytes
    }

    private mutating func number() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}
