import TestNumbers
import TinyModels

@testable import SynthGraphs
@testable import SynthInference

/// A model with quantized weights, as written by ONNX Runtime's quantizer, and the same model with the floats that
/// these weights represent. Both read `input`, [1, 8, frames], and return `output`.
struct QuantizedVoice {
    struct Shape {
        /// Whether each channel has its own scale and zero point.
        var hasChannels = true
        var isSigned = true
        /// Whether products use ONNX Runtime's fused nodes, as in a model that ONNX Runtime has optimized.
        var isFused = false
        var hasRecurrence = true
        /// Whether a convolution reads rows of a quantized table without quantizing them again and adds its bias after
        /// scaling.
        var hasTable = false
        /// The number of bits per weight of the product, if its weights are in blocks; `nil` if its weights are bytes.
        var blockBits: Int?
        /// The number of nodes that compute with integers.
        var productCount: Int { 2 + (hasRecurrence ? 1 : 0) + (hasTable ? 1 : 0) }
    }

    private(set) var quantized = TinyModel()
    private(set) var floats = TinyModel()
    private let shape: Shape
    private var random = SeededRandom(7)
    static let channels = 8

    init(_ shape: Shape) {
        self.shape = shape
        var names = (quantized.input("input", .float32, rank: 3), floats.input("input", .float32, rank: 3))
        // A column's last block is only partly used.
        let width = shape.blockBits == nil ? 16 : 40
        names = convolution(names, Self.channels, width)
        if shape.hasTable { names = row(names, width) }
        names = both(names) { $1.add("Transpose", [$0], ["perm": .integers([2, 0, 1])]) }
        names = shape.blockBits.map { blocks(names, width, 12, bits: $0) } ?? product(names, width, 12)
        if shape.hasRecurrence { names = recurrence(names, 12, 6) }
        _ = quantized.add("Identity", [names.0], as: "output")
        _ = floats.add("Identity", [names.1], as: "output")
        quantized.output("output")
        floats.output("output")
    }

    private mutating func both(
        _ names: (String, String), _ body: (String, inout TinyModel) -> String
    ) -> (String, String) { (body(names.0, &quantized), body(names.1, &floats)) }

    private struct Weights {
        var quantized: String
        var scale: String
        var zero: String
        var floats: String
    }

    /// - Parameter axis: The channel axis.
    private mutating func weights(
        _ sizes: [Int], axis: Int, perChannel: Bool, swapping: Bool = false, isSigned: Bool? = nil
    ) -> Weights {
        let isSigned = isSigned ?? shape.isSigned
        let count = perChannel ? sizes[axis] : 1
        let scales = (0..<count).map { 0.004 + 0.001 * Float($0 % 5) }
        let zeros = (0..<count).map { isSigned ? $0 % 3 - 1 : 120 + $0 % 7 }
        let inner = sizes[(axis + 1)...].reduce(1, *)
        // Signed numbers above this range overflow in the library's products on some processors.
        let bytes = (0..<sizes.reduce(1, *)).map { _ in
            isSigned
                ? UInt8(bitPattern: Int8.random(in: -60...60, using: &random))
                : UInt8.random(in: 0...255, using: &random)
        }
        func value(_ place: Int) -> Float {
            let channel = count == 1 ? 0 : place / inner % count
            let number = isSigned ? Int(Int8(bitPattern: bytes[place])) : Int(bytes[place])
            return Float(number - zeros[channel]) * scales[channel]
        }
        var numbers = bytes.indices.map(value)
        var floatSizes = sizes
        if swapping {
            let (rows, columns) = (sizes[1], sizes[2])
            floatSizes = [sizes[0], columns, rows]
            numbers = numbers.indices.map { place in
                let (block, rest) = (place / (rows * columns), place % (rows * columns))
                return value(block * rows * columns + rest % rows * columns + rest / rows)
            }
        }
        let kind: TinyModel.Number = isSigned ? .int8 : .uint8
        let listed = count == 1 ? [] : [count]
        return Weights(
            quantized: quantized.constant(bytes, kind, sizes), scale: quantized.constant(scales, listed),
            zero: quantized.constant(zeros.map { UInt8(truncatingIfNeeded: $0) }, kind, listed),
            floats: floats.constant(numbers, floatSizes))
    }

    /// The three outputs of a quantization node: values, scale and zero point.
    private mutating func quantize(_ name: String) -> [String] {
        let outputs = ["q\(quantized.nodes.count)", "s\(quantized.nodes.count)", "z\(quantized.nodes.count)"]
        quantized.nodes.append(GraphNode("DynamicQuantizeLinear", inputs: [name], outputs: outputs))
        return outputs
    }

    private mutating func convolution(_ names: (String, String), _ from: Int, _ to: Int) -> (String, String) {
        // The library's integer convolution supports only a single zero point and no signed numbers.
        let weights = weights([to, from, 3], axis: 0, perChannel: false, isSigned: false)
        let bias = (0..<to).map { Float($0) / 16 - 0.4 }
        let attributes: [String: GraphAttribute.Value] = [
            "kernel_shape": .integers([3]), "pads": .integers([1, 1]), "strides": .integers([1]),
            "dilations": .integers([1]), "group": .integer(1),
        ]
        let input = quantize(names.0)
        let scale = quantized.add("Mul", [input[1], weights.scale])
        let steps = quantized.add("Div", [quantized.constant(bias, [to]), scale])
        let whole = quantized.add("Cast", [quantized.add("Floor", [steps])], ["to": .integer(6)])
        let row = quantized.add("Reshape", [whole, quantized.constant([1, -1, 1] as [Int64])])
        let product = quantized.add(
            "ConvInteger", [input[0], weights.quantized, input[2], weights.zero], attributes)
        let sum = quantized.add("Cast", [quantized.add("Add", [product, row])], ["to": .integer(1)])
        return (
            quantized.add("Mul", [sum, scale]),
            floats.add("Conv", [names.1, weights.floats, floats.constant(bias, [to])], attributes)
        )
    }

    /// Adds a convolution of a row of a table.
    private mutating func row(_ names: (String, String), _ channels: Int) -> (String, String) {
        let table = weights([20, Self.channels], axis: 0, perChannel: false, isSigned: false)
        let weights = weights([channels, Self.channels, 1], axis: 0, perChannel: false, isSigned: false)
        let bias = (0..<channels).map { 0.3 - Float($0) / 20 }
        let attributes: [String: GraphAttribute.Value] = ["kernel_shape": .integers([1])]
        let found = both((table.quantized, table.floats)) { table, model in
            let row = model.add("Gather", [table, model.constant([7] as [Int64])])
            let wide = model.add("Reshape", [row, model.constant([1, 1, -1] as [Int64])])
            return model.add("Transpose", [wide], ["perm": .integers([0, 2, 1])])
        }
        let product = quantized.add("ConvInteger", [found.0, weights.quantized, table.zero, weights.zero], attributes)
        let sum = quantized.add("Cast", [product], ["to": .integer(1)])
        let scaled = quantized.add("Mul", [sum, quantized.add("Mul", [table.scale, weights.scale])])
        let column = quantized.add(
            "Reshape", [quantized.constant(bias, [channels]), quantized.constant([1, -1, 1] as [Int64])])
        let expected = floats.add("Conv", [found.1, weights.floats, floats.constant(bias, [channels])], attributes)
        return (
            quantized.add("Add", [names.0, quantized.add("Add", [scaled, column])]),
            floats.add("Add", [names.1, expected])
        )
    }

    private mutating func product(_ names: (String, String), _ from: Int, _ to: Int) -> (String, String) {
        let weights = weights([from, to], axis: 1, perChannel: shape.hasChannels)
        let expected = floats.add("MatMul", [names.1, weights.floats])
        if shape.isFused {
            let found = quantized.add(
                "DynamicQuantizeMatMul", [names.0, weights.quantized, weights.scale, weights.zero],
                domain: "com.microsoft")
            return (found, expected)
        }
        let input = quantize(names.0)
        let product = quantized.add("MatMulInteger", [input[0], weights.quantized, input[2], weights.zero])
        let sum = quantized.add("Cast", [product], ["to": .integer(1)])
        return (quantized.add("Mul", [sum, quantized.add("Mul", [input[1], weights.scale])]), expected)
    }

    private mutating func blocks(
        _ names: (String, String), _ from: Int, _ to: Int, bits: Int
    ) -> (String, String) {
        let (size, count) = (16, (from + 15) / 16)
        let numbers = (0..<to * count * size).map { _ in Int.random(in: 0..<1 << bits, using: &random) }
        let zeros = (0..<to * count).map { (1 << bits) / 2 + $0 % 3 }
        let levels = Float(1 << (bits - 4))
        let scales = (0..<to * count).map { (block: Int) -> Float in (0.04 + 0.01 * Float(block % 5)) / levels }
        func bytes(_ numbers: [Int], inRowsOf length: Int) -> [UInt8] {
            if bits == 8 { return numbers.map { UInt8($0) } }
            return stride(from: 0, to: numbers.count, by: length).flatMap { row in
                stride(from: row, to: row + length, by: 2).map { (place: Int) -> UInt8 in
                    let next = place + 1 < row + length ? numbers[place + 1] : 0
                    return UInt8(numbers[place] | next << 4)
                }
            }
        }
        let matrix = (0..<from * to).map { place -> Float in
            let (row, column) = place.quotientAndRemainder(dividingBy: to)
            let block = column * count + row / size
            return Float(numbers[block * size + row % size] - zeros[block]) * scales[block]
        }
        let packed = bytes(numbers, inRowsOf: size)
        let inputs = [
            names.0, quantized.constant(packed, .uint8, [to, count, packed.count / to / count]),
            quantized.constant(scales, [to * count]),
            quantized.constant(bytes(zeros, inRowsOf: count), .uint8, [to * (bits == 8 ? count : (count + 1) / 2)]),
        ]
        let sizes = ["K": from, "N": to, "bits": bits, "block_size": size]
        let found = quantized.add(
            "MatMulNBits", inputs, domain: "com.microsoft", sizes.mapValues { .integer(Int64($0)) })
        return (found, floats.add("MatMul", [names.1, floats.constant(matrix, [from, to])]))
    }

    private mutating func recurrence(_ names: (String, String), _ from: Int, _ to: Int) -> (String, String) {
        let inner = weights([2, from, 4 * to], axis: 0, perChannel: true, swapping: true)
        let outer = weights([2, to, 4 * to], axis: 0, perChannel: true, swapping: true)
        let attributes = [
            GraphAttribute("direction", .text("bidirectional")), GraphAttribute("hidden_size", .integer(6)),
        ]
        quantized.nodes.append(
            GraphNode(
                "DynamicQuantizeLSTM", domain: "com.microsoft",
                inputs: [
                    names.0, inner.quantized, outer.quantized, "", "", "", "", "", inner.scale, inner.zero, outer.scale,
                    outer.zero,
                ], outputs: ["recurrent"], attributes: attributes))
        floats.nodes.append(
            GraphNode(
                "LSTM", inputs: [names.1, inner.floats, outer.floats], outputs: ["recurrent"], attributes: attributes))
        return both(("recurrent", "recurrent")) { name, model in
            let shape = model.constant([0, 0, -1] as [Int64])
            return model.add("Reshape", [model.add("Transpose", [name], ["perm": .integers([0, 2, 1, 3])]), shape])
        }
    }
}

/// A model that uses half precision internally, and the same model with floats.
struct HalfVoice {
    private(set) var half = TinyModel()
    private(set) var floats = TinyModel()

    init() {
        let numbers = (0..<8 * 8 * 3).map { (place: Int) -> Float in Float(Float16(Float(place % 23) / 40 - 0.25)) }
        let attributes: [String: GraphAttribute.Value] = ["kernel_shape": .integers([3]), "pads": .integers([1, 1])]
        var name = half.input("input", .float32, rank: 3)
        name = half.add("Cast", [name], ["to": .integer(10)])
        let bytes = numbers.flatMap { withUnsafeBytes(of: Float16($0).bitPattern.littleEndian, Array.init) }
        name = half.add("Conv", [name, half.constant(bytes, .float16, [8, 8, 3])], attributes)
        let two = withUnsafeBytes(of: Float16(2).bitPattern.littleEndian, Array.init)
        half.nodes.append(GraphNode("Constant", inputs: [], outputs: ["two"], attributes: [Self.value(two)]))
        name = half.add("Cast", [half.add("Mul", [name, "two"])], ["to": .integer(1)])
        half.output(half.add("Identity", [name], as: "output"))
        let plain = floats.add(
            "Conv", [floats.input("input", .float32, rank: 3), floats.constant(numbers, [8, 8, 3])], attributes)
        floats.output(floats.add("Mul", [plain, floats.constant([Float(2)], [])], as: "output"))
    }

    private static func value(_ bytes: [UInt8]) -> GraphAttribute {
        var tensor = ProtobufWriter()
        tensor.append(2, integer: 10)
        tensor.append(9, bytes)
        var writer = ProtobufWriter()
        writer.append(1, "value")
        writer.append(5, tensor.bytes)
        writer.append(20, integer: 4)
        return GraphAttribute("value", .other(writer.bytes))
    }
}
