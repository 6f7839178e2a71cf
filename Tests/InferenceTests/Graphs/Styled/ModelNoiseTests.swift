import Foundation
import Testing
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("Noise that a model generates")
struct ModelNoiseTests {
    /// A model that adds two kinds of noise to its input.
    private var model: TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let normal = model.add("RandomNormalLike", [input], as: "normal")
        let uniform = model.add("RandomUniformLike", [input], as: "uniform", ["dtype": .integer(1)])
        model.output(model.add("Sum", [input, normal, uniform], as: "output"))
        return model
    }

    @Test("With the same noise, a variant of the model produces the same audio, and without noise, it cannot run")
    func given() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(model.bytes), to: "a.onnx")
        let copy = folder.file("b.onnx")
        let isCopied = try ModelNoise.copyWithout(path, to: copy)
        #expect(isCopied)
        let check = RewriteCheck(TinyModel.frames(20, channels: 4), output: "output")
        var noisy = model
        noisy.output("normal")
        noisy.output("uniform")
        let runtime = try KernelDomain.runtime
        let original = try InferenceSession(bytes: noisy.bytes, runtime)
        let other = try InferenceSession(model: copy, threads: 1)
        #expect(other.inputs.map(\.name) == ["input", "normal", "uniform"])
        let (first, second) = (
            try check.expected(original, noise: ["normal", "uniform"]),
            try check.expected(original, noise: ["normal", "uniform"])
        )
        #expect(first.samples != second.samples)
        for expected in [first, second] { #expect(try check.difference(expected, other).largest <= 1e-6) }
        var swapped = first
        swapped.noise = second.noise
        #expect(try check.difference(swapped, other).largest > 0.1)
        #expect(throws: InferenceError.self) { try check.difference(check.expected(original), other) }
    }

    @Test("External noise reaches every stage that reads it, even if an earlier stage originally generated the noise")
    func stages() throws {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let noise = model.add("RandomNormalLike", [input], as: "noise")
        var last = model.add("Add", [input, noise])
        for _ in 0..<20 { last = model.add("Neg", [last]) }
        model.output(model.add("Add", [last, noise], as: "output"))
        let folder = try TemporaryFolder()
        let (stages, paths) = try model.bytes.withUnsafeBytes { memory in
            let stages = GraphStages(try ModelGraph(memory), nodes: 10)
            let paths = try stages.graphs.enumerated().map { number, graph in
                let path = try folder.write(Data(try graph.bytes()), to: "\(number)")
                return try ModelNoise.copyWithout(path, to: path + "-copy") ? path + "-copy" : path
            }
            return (stages, paths)
        }
        #expect(stages.split.count == 2)
        let runtime = try KernelDomain.runtime
        let staged = try InferenceSession(optimized: paths, ModelParts(split: stages.split), runtime, threads: 1)
        let check = RewriteCheck(TinyModel.frames(20, channels: 4), output: "output")
        model.output("noise")
        let expected = try check.expected(InferenceSession(bytes: model.bytes, runtime), noise: ["noise"])
        #expect(try check.difference(expected, staged).largest <= 1e-6)
    }

    @Test("Noise is exposed only once and only for the comparison")
    func exposedOutputs() throws {
        var model = model
        model.output("normal")
        try model.bytes.withUnsafeBytes { memory in
            let graph = try ModelGraph(memory)
            let all = ExposedOutputs(of: graph, "RandomUniformLike", noise: true)
            #expect(all.lasting == "uniform" && all.noise == ["normal", "uniform"])
            #expect(all.outputs == ["uniform"] && all.forNow.isEmpty)
            let some = ExposedOutputs(of: graph, "Sum", noise: true)
            #expect(some.lasting == nil && some.outputs == ["uniform"] && some.forNow == ["uniform"])
            #expect(ExposedOutputs(of: graph, "Cos", noise: false).outputs.isEmpty)
        }
    }

    @Test("A model without noise is not copied")
    func nothing() throws {
        let folder = try TemporaryFolder()
        var silent = TinyModel()
        silent.output(silent.add("Identity", [silent.input("input", .float32, rank: 3)], as: "output"))
        let path = try folder.write(Data(silent.bytes), to: "a.onnx")
        let isCopied = try ModelNoise.copyWithout(path, to: folder.file("b.onnx"))
        #expect(!isCopied)
        #expect(!FileManager.default.fileExists(atPath: folder.file("b.onnx")))
    }
}
