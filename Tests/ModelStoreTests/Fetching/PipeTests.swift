import Foundation
import Glibc
import SynthSystem
import Testing

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Named pipes at the paths of store files", .timeLimit(.minutes(60)))
struct PipeTests {
    @Test(
        "Pipes do not block the store", arguments: ["m", "m.part", "installed.json", "installed.json.part", ".lock"])
    func inStore(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(500, seed: 1)
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "m", bytes, "http://127.0.0.1:1/")])
        let store = ModelStore(
            root: folder.path, fetcher: FakeFetcher(contents: ["http://127.0.0.1:1/m": bytes]))
        try await store.pull([voice])
        let path = folder.path + "/v/" + (name == ".lock" ? name : voice.entries[0].revision + "/" + name)
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        _ = store.installedVoices()
        _ = try? await store.verify()
        let error = await TestVoice.failure(store, [voice])
        if [".lock", "installed.json.part"].contains(name) {
            // The record is complete, so the pull writes nothing.
            #expect(name != ".lock" || error?.isNoOrdinaryFile == true)
        } else {
            #expect(error == nil)
            #expect(store.state(of: voice) == .ready)
        }
    }

    @Test("A user's file that is a pipe is rejected")
    func given() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/v.onnx"
        #expect(mkfifo(path, 0o600) == 0)
        let store = TestVoice.store(folder.path + "/store")
        let voice = VoiceDocument(own: "v", engine: "e", name: "V", language: "en")
        let error = #expect(throws: StoreError.self) { _ = try store.add(path, as: voice, roles: [".onnx": "model"]) }
        #expect(error?.isNoOrdinaryFile == true)
        #expect(Tree(folder.path + "/store").entries.isEmpty)
    }
}

extension StoreError {
    fileprivate var isNoOrdinaryFile: Bool {
        if case .file(let failure) = self { failure.reason == .notOrdinaryFile } else { false }
    }
}
