import Foundation

@testable import SynthGraphs
@testable import SynthInference

/// A model of a few hundred bytes with Kokoro's inputs and outputs, in every variant of the real model's exports.
///
/// Each token yields `100 · frames` samples with the value `token / 1000 · speed + mean of the style`.
struct SmallModel {
    enum Speed: UInt64 {
        case float32 = 1
        case int32 = 6
        case int64 = 7
    }

    /// How the model returns the number of frames per token: not at all, as an output, or from an intermediate rounding
    /// node.
    enum Durations {
        case none, output, inner
    }

    var tokens = "tokens"
    var style = "style"
    var speedName = "speed"
    var speed = Speed.float32
    var audio = "audio"
    var rank = 1
    var durations = Durations.none
    /// An input that no export has.
    var other: String?
    /// Whether each sample is NaN (0 / 0).
    var isBroken = false
    var notes: [(String, String)] = []

    private enum Element {
        static let float32: UInt64 = 1
        static let int64: UInt64 = 7
    }

    var bytes: [UInt8] {
        var graph = ProtobufWriter()
        func node(_ operation: String, _ inputs: [String], _ output: String, _ attributes: [(String, UInt64)] = []) {
            var node = ProtobufWriter()
            for input in inputs { node.append(1, input.utf8) }
            node.append(2, output.utf8)
            node.append(4, operation.utf8)
            for (name, value) in attributes {
                var attribute = ProtobufWriter()
                attribute.append(1, name.utf8)
                attribute.append(whole: Self.integer(3, value) + Self.integer(20, 2))
                node.append(5, attribute.bytes)
            }
            graph.append(1, node.bytes)
        }
        func constant(_ name: String, floats: [Float]? = nil, integers: [Int64] = [], shape: [Int]) {
            var tensor = ProtobufWriter()
            for size in shape { tensor.append(whole: Self.integer(1, UInt64(size))) }
            tensor.append(whole: Self.integer(2, floats == nil ? Element.int64 : Element.float32))
            tensor.append(8, name.utf8)
            if let floats {
                tensor.append(9, floats.withUnsafeBytes { Array($0) })
            } else {
                tensor.append(9, integers.withUnsafeBytes { Array($0) })
            }
            graph.append(5, tensor.bytes)
        }

        node("Cast", [tokens], "t", [("to", Element.float32)])
        node("Cast", [speedName], "v", [("to", Element.float32)])
        node("Mul", ["t", "thousandth"], "scaled")
        node("Mul", ["scaled", "v"], "fast")
        node("ReduceMean", [style], "mean", [("keepdims", 0)])
        node("Add", ["fast", "mean"], "level")
        node("Mul", ["t", "zero"], "nothing")
        node(isBroken ? "Div" : "Add", ["level", "nothing"], "sound")
        node("Reshape", ["sound", "columns"], "column")
        node("Mul", ["column", "ones"], "rows")
        node("Reshape", ["rows", "shape"], audio)
        constant("thousandth", floats: [0.001], shape: [1])
        constant("zero", floats: [0], shape: [1])
        constant("columns", integers: [-1, 1], shape: [2])
        constant("ones", floats: [Float](repeating: 1, count: 200), shape: [1, 200])
        constant("shape", integers: [Int64](repeating: 1, count: rank - 1) + [-1], shape: [rank])
        if durations != .none {
            node("Add", ["nothing", "two"], "length")
            constant("two", floats: [1.8], shape: [1])
            node("Round", ["length"], "rounded")
        }
        if durations == .output {
            node("Cast", ["rounded"], "whole", [("to", Element.int64)])
            node("Reshape", ["whole", "row"], "duration")
            constant("row", integers: [-1], shape: [1])
        }
        graph.append(2, "small".utf8)
        graph.append(11, Self.value(tokens, Element.int64, [1, nil]))
        graph.append(11, Self.value(style, Element.float32, [1, 256]))
        graph.append(11, Self.value(speedName, speed.rawValue, [1]))
        if let other { graph.append(11, Self.value(other, Element.float32, [1])) }
        graph.append(12, Self.value(audio, Element.float32, [Int?](repeating: nil, count: rank)))
        if durations == .output { graph.append(12, Self.value("duration", Element.int64, [nil])) }

        var model = ProtobufWriter()
        model.append(whole: Self.integer(1, 8))
        model.append(7, graph.bytes)
        var operations = ProtobufWriter()
        operations.append(whole: Self.integer(2, 13))
        model.append(8, operations.bytes)
        for (key, text) in notes {
            var note = ProtobufWriter()
            note.append(1, key.utf8)
            note.append(2, text.utf8)
            model.append(14, note.bytes)
        }
        return model.bytes
    }

    private static func value(_ name: String, _ element: UInt64, _ shape: [Int?]) -> [UInt8] {
        var dimensions = ProtobufWriter()
        for size in shape {
            var dimension = ProtobufWriter()
            if let size {
                dimension.append(whole: integer(1, UInt64(size)))
            } else {
                dimension.append(2, "n".utf8)
            }
            dimensions.append(1, dimension.bytes)
        }
        var tensor = ProtobufWriter()
        tensor.append(whole: integer(1, element))
        tensor.append(2, dimensions.bytes)
        var type = ProtobufWriter()
        type.append(1, tensor.bytes)
        var value = ProtobufWriter()
        value.append(1, name.utf8)
        value.append(2, type.bytes)
        return value.bytes
    }

    /// Encodes an integer field.
    private static func integer(_ number: UInt64, _ value: UInt64) -> [UInt8] {
        func bytes(_ value: UInt64) -> [UInt8] {
            value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + bytes(value >> 7)
        }
        return bytes(number << 3) + bytes(value)
    }
}
