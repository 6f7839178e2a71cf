import Foundation
import VoiceCatalogue
import Testing
import TestSupport

@testable import ModelStore

@Suite("Pruning")
struct PruneTests {
    @Test("lists nothing that a process is working on, and everything after it has ended")
    func running() async throws {
        let folder = try TemporaryFolder()
        let store = TestVoice.store(folder.path)
        try folder.write([1, 2], to: "v/0123/m.part")
        try folder.write([1, 2], to: "w/0123/m.part")
        let addition = try store.beginAdding()
        guard case .taken(let lock) = try StoreLock.take(folder.path + "/v", waiting: false, SystemFiles()) else {
            Issue.record("the lock is free and cannot be taken")
            return
        }
        #expect(store.pruneCandidates(Registry()).map(\.path) == [folder.path + "/w"])
        withExtendedLifetime((lock, addition)) {}
        addition.discard()
        _ = consume lock
        let expected = ["/v", "/w"].map { folder.path + $0 }
        var found = store.pruneCandidates(Registry()).map(\.path)
        // A process that another test just starts has the open file, too, until it runs its own program.
        for _ in 0..<100 where found != expected {
            _ = try StoreLock.take(folder.path + "/v", waiting: true, SystemFiles())
            found = store.pruneCandidates(Registry()).map(\.path)
        }
        #expect(found == expected)
    }

    @Test("and removing never take the shared model from a voice that is being added")
    func sharedModel() async throws {
        let folder = try TemporaryFolder()
        let store = TestVoice.store(folder.path + "/store")
        let model = AddedFile(role: "model", path: try folder.write(Noise.bytes(900, seed: 1), to: "model"))
        func take(_ id: String, _ addition: Addition) throws {
            let style = AddedFile(role: "style", path: try folder.write(Noise.bytes(90, seed: 2), to: id + ".style"))
            let voice = AddedVoice(id: id, engine: "e", name: id, language: "en")
            _ = try addition.take(model: [model], [(voice, [style])])
        }
        let first = try store.beginAdding()
        try take("a", first)
        let added = try first.commit()
        first.discard()

        let second = try store.beginAdding()
        try take("b", second)
        // The last voice that uses the model.
        #expect(try await store.remove(require(added.first?.voice)) > 900)
        #expect(throws: StoreError.notWhole(voice: "b")) { try second.commit() }
        second.discard()
        #expect(store.installedVoices().isEmpty)
        #expect(store.damagedVoices().isEmpty)
    }
}
