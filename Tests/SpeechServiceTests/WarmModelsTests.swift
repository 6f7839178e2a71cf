import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSpeech
import Testing
import TestSupport

@testable import SynthService

@Suite("The models that a service keeps loaded")
struct WarmModelsTests {
    @Test("A model is unloaded if another program has removed its files")
    func removed() throws {
        let folder = try TemporaryFolder()
        let models = WarmModels()
        for name in ["a", "b"] {
            let path = "\(folder.path)/\(name).onnx"
            #expect(FileManager.default.createFile(atPath: path, contents: Data()))
            let load = LoadRequest(id: name, files: [HandedFile(role: "model", path: path)])
            _ = models.lanes(of: ModelKey(plugin: "libtest.so", load), limit: 1) { _ throws(EngineFailure) in
                throw EngineFailure(engine: "test", reason: .unspeakableText)
            }
        }
        #expect(models.dropIdle() != nil && models.count == 2)
        try FileManager.default.removeItem(atPath: "\(folder.path)/a.onnx")
        #expect(models.dropIdle() != nil && models.kept.map(\.load.id) == ["b"])
        try FileManager.default.removeItem(atPath: "\(folder.path)/b.onnx")
        #expect(models.dropIdle() == nil && models.count == 0)
    }
}
