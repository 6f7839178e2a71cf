import Foundation
import Testing
import TestNumbers
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("The NormSine operator") struct NormSineTests {
    private static let epsilon: Float = 1e-3
    private static let inputs = ["input", "scale", "bias"]

    /// A model with a single node, which reads tensors of any shape.
    private static func model(ranks: [Int] = [3, 1, 1], epsilon: GraphAttribute.Value = .float(epsilon)) throws
        -> [UInt8]
    {
        var model = TinyModel()
        for (name, rank) in zip(inputs, ranks) { _ = model.input(name, .float32, rank: rank) }
        model.output(model.add("Identity", ["input"], as: "output"))
        return try TinyModel.rewritten(model.bytes) { editor in
            _ = editor.add(
                NormSine.name.description, domain: GraphNode.ownDomain, inputs, as: "output",
                [GraphAttribute(NormSine.epsilon, epsilon)])
            try editor.replace([0])
        }
    }

    private static func tensors(_ input: [Float], _ scale: [Float], _ bias: [Float]) -> [(String, InferenceTensor)] {
        [
            (
                "input",
                InferenceTensor(input, shape: [1, Int64(scale.count), Int64(input.count / max(1, scale.count))])
            ),
            ("scale", InferenceTensor(scale, shape: [Int64(scale.count)])),
            ("bias", InferenceTensor(bias, shape: [Int64(bias.count)])),
        ]
    }

    /// The expected values in double precision.
    private static func expected(_ input: ArraySlice<Float>, _ scale: Float, _ bias: Float) -> [Double] {
        let mean = input.reduce(0) { $0 + Double($1) } / Double(input.count)
        let variance = input.reduce(0) { $0 + pow(Double($1) - mean, 2) } / Double(input.count)
        return input.map {
            let normed = (Double($0) - mean) / (variance + Double(epsilon)).squareRoot() * Double(scale) + Double(bias)
            return normed + pow(sin(normed), 2)
        }
    }

    @Test(
        "The result matches that of a norm followed by a sine, for any length and number of threads",
        arguments: [1, 2, 15, 16, 17, 100, 4_096, 4_111, 20_000], [1, 2, 3])
    func samples(count: Int, threads: Int) throws {
        let channels = 5
        var random = SeededRandom(UInt64(count))
        // The samples are far from zero, as they may be between two convolutions.
        let input = (0..<channels * count).map { _ in Float.random(in: 95...105, using: &random) }
        let scale: [Float] = [1, -0.5, 40, 0, 3]
        let bias: [Float] = [0, 2, -90, 1, 0.25]
        let (shape, found) = try TinyModel.run(try Self.model(), Self.tensors(input, scale, bias), threads: threads)
        #expect(shape == [1, 5, Int64(count)])
        for channel in 0..<channels {
            let range = channel * count..<(channel + 1) * count
            let wanted = Self.expected(input[range], scale[channel], bias[channel])
            let largest = zip(found[range], wanted).map { abs(Double($0) - $1) }.max() ?? .infinity
            // The error is relative to the angle, because the angle itself is rounded.
            let angle = wanted.map { abs($0) }.max() ?? 0
            #expect(largest <= 2e-6 * max(1, angle), "channel \(channel)")
        }
    }

    @Test("Infinite and NaN samples produce bounded results, and other samples are unaffected")
    func strange() throws {
        let channels: [[Float]] = [[1e30, -1e30, 0], [.nan, 0, 1], [.infinity, 0, 1], [1, 2, 3]]
        let scale: [Float] = [3e7, 1, 1, 1]
        let (_, found) = try TinyModel.run(
            try Self.model(), Self.tensors(channels.flatMap(\.self), scale, [Float](repeating: 0, count: 4)))
        #expect(!found[3..<9].contains { !$0.isNaN })
        for (sample, wanted) in zip(found[9...], Self.expected(channels[3][...], 1, 0)) {
            #expect(abs(Double(sample) - wanted) < 1e-5)
        }
        let (_, large) = try TinyModel.run(try Self.model(), Self.tensors([-4, 4, -4, 4], [3e7], [0]))
        #expect(!large.contains { abs(abs($0) - 3e7) > 1e4 })
    }

    @Test(
        "Tensors with inconsistent sizes are rejected",
        arguments: [
            ([1, 2, 4], [3], [2]), ([1, 2, 4], [2], [1]), ([2, 2, 2], [2], [2]), ([1, 8], [8], [8]),
            ([1, 2, 2, 2], [2], [2]), ([1, 2, 4], [1, 2], [2]), ([1, 2, 4], [2], [2, 1]),
        ])
    func refusals(shapes: (input: [Int64], scale: [Int64], bias: [Int64])) throws {
        let all = [shapes.input, shapes.scale, shapes.bias]
        let tensors = zip(Self.inputs, all).map { name, shape in
            (name, InferenceTensor([Float](repeating: 1, count: Int(shape.reduce(1, *))), shape: shape))
        }
        #expect {
            _ = try TinyModel.run(try Self.model(ranks: all.map(\.count)), tensors)
        } throws: { error in
            "\(error)".contains("do not match")
        }
    }

    @Test("Empty input yields no samples")
    func empty() throws {
        let (shape, found) = try TinyModel.run(try Self.model(), Self.tensors([], [1, 2], [1, 2]))
        #expect(shape == [1, 2, 0] && found.isEmpty)
        #expect(try TinyModel.run(try Self.model(), Self.tensors([], [], [])).numbers.isEmpty)
    }

    @Test(
        "An epsilon that is not a float is rejected when the model is loaded",
        arguments: [GraphAttribute.Value.integer(1), .text("0.1")])
    func epsilon(value: GraphAttribute.Value) {
        #expect(throws: InferenceError.self) {
            _ = try TinyModel.run(try Self.model(epsilon: value), Self.tensors([1, 2], [1], [1]))
        }
    }
}
