import Foundation
import SynthCatalogue
import SynthSystem
import Testing
import TestSupport

@testable import SynthModelStore

@Suite("Pruning the store")
struct PruneTests {
    @Test("Files are not listed while a process is using them; once that process has exited, all of them are")
    func running() async throws {
        let folder = try TemporaryFolder()
        let store = TestVoice.store(folder.path)
        try folder.write([1, 2], to: "v/0123/m.part")
        try folder.write([1, 2], to: "w/0123/m.part")
        let addition = try store.beginAdding()
        guard case .taken(let lock) = try StoreLock.take(folder.path + "/v", waiting: false, SystemFiles()) else {
            Issue.record("The lock is free but cannot be acquired.")
            return
        }
        #expect(store.pruneCandidates(Registry()).map(\.path) == [folder.path + "/w"])
        withExtendedLifetime((lock, addition)) {}
        addition.discard()
        _ = consume lock
        let expected = ["/v", "/w"].map { folder.path + $0 }
        var found = store.pruneCandidates(Registry()).map(\.path)
        // A process that another test has just started holds a copy of the lock until it calls `exec`.
        for _ in 0..<100 where found != expected {
            _ = try StoreLock.take(folder.path + "/v", waiting: true, SystemFiles())
            found = store.pruneCandidates(Registry()).map(\.path)
        }
        #expect(found == expected)
    }

    @Test("Adding a voice removes files of abandoned additions, but not those of running additions or of the user")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        let store = TestVoice.store(folder.path)
        try folder.write([], to: ".adding-1-2/" + StoreLayout.lockName)
        try folder.write([1, 2], to: ".adding-1-2/v/model.onnx")
        try folder.write([3], to: ".adding-mine/notes.txt")
        // No process has this number.
        let empty = folder.path + "/.adding-2147483647-3"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
        let running = try store.beginAdding()
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/.adding-1-2"))
        #expect(!FileManager.default.fileExists(atPath: empty))
        let next = try store.beginAdding()
        #expect(FileManager.default.fileExists(atPath: running.folder))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/.adding-mine/notes.txt"))
        next.discard()
        running.discard()
    }

    /// Returns all files below a folder.
    private func files(_ folder: TemporaryFolder) throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Set(
            names.filter { name in
                var isFolder: ObjCBool = false
                let isThere = FileManager.default.fileExists(atPath: folder.path + "/" + name, isDirectory: &isFolder)
                return isThere && !isFolder.boolValue
            })
    }

    @Test("A file is deleted only if its name and record show that the store created it")
    func strangers() async throws {
        let folder = try TemporaryFolder()
        let store = TestVoice.store(folder.path)
        let mine = [
            "photos/p.jpg", "joe/joe.onnx", "hand/0123456789abcdef/voice.onnx", "later/1/installed.json",
            "later/1/v.onnx",
            "half/notes.txt", "half/0123/more.txt", "half/0123/a.unpacked2/x", ".hidden/x", "with space/x",
            "loose.part",
        ]
        let ours = [
            "half/0123/m.part", "half/0123/m.part.tag", "half/0123/t.unpacked/x/y", "half/0123/t.unpacked.part/z",
        ]
        for name in mine { try folder.write(name.contains("json") ? Array("{\"format\": 99}".utf8) : [1], to: name) }
        for name in ours { try folder.write([1, 2], to: name) }
        try folder.write([], to: "half/.lock")
        let found = store.pruneCandidates(Registry())
        let unneeded = found.filter { $0.kind != .foreign }
        #expect(unneeded.map(\.path) == [folder.path + "/half"])
        // The size does not include the .tag file.
        #expect(unneeded.map(\.size) == [6])
        let foreign = [
            ".hidden", "half/0123/a.unpacked2", "half/0123/more.txt", "half/notes.txt", "hand", "joe", "later",
            "loose.part",
            "photos", "with space",
        ]
        #expect(Set(found.filter { $0.kind == .foreign }.map(\.path)) == Set(foreign.map { folder.path + "/" + $0 }))
        #expect(try await store.prune(found, Registry()).map(\.path) == [folder.path + "/half"])
        #expect(try files(folder) == Set(mine))
        #expect(store.pruneCandidates(Registry()).allSatisfy { $0.kind == .foreign })
    }

    @Test("Unknown files inside a user's voice are kept when the voice is replaced or removed")
    func insideVoices() async throws {
        let folder = try TemporaryFolder()
        let store = TestVoice.store(folder.path + "/store")
        let model = AddedFile(role: "model", path: try folder.write(Noise.bytes(900, seed: 1), to: "model"))
        func add() throws -> InstalledVoice {
            let addition = try store.beginAdding()
            defer { addition.discard() }
            let style = AddedFile(role: "style", path: try folder.write(Noise.bytes(90, seed: 2), to: "a.style"))
            let voice = VoiceDocument(own: "a", engine: "e", name: "a", language: "en")
            _ = try addition.take(model: [model], [(voice, [style])])
            return try require(addition.commit().first)
        }
        // A voice with the same name, copied there by the user.
        try folder.write([1], to: "store/a/a.onnx")
        try folder.write([1], to: "store/a/old/a.onnx")
        let first = try add()
        try folder.write([1], to: "store/a/\(first.folder.split(separator: "/").last ?? "")/notes.txt")
        let second = try add()
        #expect(first.folder != second.folder && store.isInstalled(second.voice))
        let removal = try store.remove(second.voice)
        #expect(removal.freed >= 990)
        #expect(removal.foreign.count == 3)
        let left = try files(folder).filter { $0.hasPrefix("store/") }.map { $0.split(separator: "/").last ?? "" }
        #expect(left.sorted() == ["a.onnx", "a.onnx", "notes.txt"])
    }

    @Test("Pruning and removing do not delete a shared model while a voice that needs it is being added")
    func sharedModel() async throws {
        let folder = try TemporaryFolder()
        let store = TestVoice.store(folder.path + "/store")
        let model = AddedFile(role: "model", path: try folder.write(Noise.bytes(900, seed: 1), to: "model"))
        func take(_ id: String, _ addition: Addition) throws {
            let style = AddedFile(role: "style", path: try folder.write(Noise.bytes(90, seed: 2), to: id + ".style"))
            let voice = VoiceDocument(own: id, engine: "e", name: id, language: "en")
            _ = try addition.take(model: [model], [(voice, [style])])
        }
        let first = try store.beginAdding()
        try take("a", first)
        let added = try first.commit()
        first.discard()

        let second = try store.beginAdding()
        try take("b", second)
        // This is the last voice that uses the model.
        #expect(try store.remove(require(added.first?.voice)).freed > 900)
        #expect(throws: StoreError.notWhole(voice: "b")) { try second.commit() }
        second.discard()
        #expect(store.installedVoices().isEmpty)
        #expect(store.damagedVoices().isEmpty)
    }
}
