import Foundation
import TestSupport
import Testing
import TinyModels

@testable import ONNXInference

@Suite struct SeededNoiseTests {
    /// - Parameter nodesBefore: Without a seed the library derives one from the place of a node in the graph.
    private func model(nodesBefore: Int = 0, _ attributes: [String: GraphAttribute.Value] = [:]) -> TinyModel {
        var model = TinyModel()
        var input = model.input("input", .float32, rank: 3)
        for _ in 0..<nodesBefore { input = model.add("Sin", [input]) }
        let noise = model.add("RandomNormalLike", [input], attributes)
        model.output(model.add("Identity", [noise], as: "output"))
        return model
    }

    @Test("copies of two forms of a model give the same noise, the forms themselves do not")
    func copy() throws {
        let folder = try TemporaryFolder()
        var (plain, seeded) = ([[Float]](), [[Float]]())
        func noise(_ path: String) throws -> [Float] {
            let bytes = Array(try Data(contentsOf: URL(filePath: path)))
            return try TinyModel.run(bytes, TinyModel.frames(20, channels: 4)).numbers
        }
        for nodesBefore in [0, 3] {
            let path = try folder.write(Data(model(nodesBefore: nodesBefore).bytes), to: "a.onnx")
            let copy = folder.file("b.onnx")
            let isSeeded = try SeededNoise.copy(path, to: copy)
            #expect(isSeeded)
            plain.append(try noise(path))
            seeded.append(try noise(copy))
        }
        #expect(plain[0] != plain[1])
        #expect(seeded[0] == seeded[1] && seeded[0].count == 80)
    }

    @Test("a model without noise, or with a seed of its own, is not copied")
    func nothing() throws {
        let folder = try TemporaryFolder()
        var silent = TinyModel()
        silent.output(silent.add("Identity", [silent.input("input", .float32, rank: 3)], as: "output"))
        for bytes in [silent.bytes, model(nodesBefore: 0, ["seed": .float(5)]).bytes] {
            let path = try folder.write(Data(bytes), to: "a.onnx")
            let isSeeded = try SeededNoise.copy(path, to: folder.file("b.onnx"))
            #expect(!isSeeded)
            #expect(!FileManager.default.fileExists(atPath: folder.file("b.onnx")))
        }
    }
}
