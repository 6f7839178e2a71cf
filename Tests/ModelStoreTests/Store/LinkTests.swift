import Foundation
import SynthArchives
import SynthSystem
import Testing

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Links in the store")
struct LinkTests {
    /// The operations that delete or write files.
    enum Way: CaseIterable {
        case remove, prune, add, pull, verify, cancelledPull
    }

    /// The part of the voice "v" that is a link to a target outside the store.
    enum Level: CaseIterable {
        case entry, revision, file, part, unpacked, record, lock
    }

    /// A store with the voice "v", one part of which is a link to files outside the store.
    private struct Fixture {
        static let base = "http://127.0.0.1:1/"
        let folder: TemporaryFolder
        let outside: String
        let voice: Voice
        let store: ModelStore

        init(_ level: Level, own: Bool) async throws {
            folder = try TemporaryFolder()
            outside = folder.path + "/outside"
            let bytes = Noise.bytes(5_000, seed: 1)
            var tar = TarBytes()
            tar.add("x/data", Noise.bytes(900, seed: 2))
            let archive = tar.compressed(.gzip)
            let contents = ArchiveContents(roles: ["config": "x/data"])
            voice = TestVoice.voice(
                "v",
                [
                    try TestVoice.file("model", "m", bytes, Self.base),
                    try TestVoice.file("archive", "r.tar.gz", archive, Self.base, archive: contents),
                ])
            store = ModelStore(
                root: folder.path + "/store",
                fetcher: FakeFetcher(contents: [Self.base + "m": bytes, Self.base + "r.tar.gz": archive]))
            try folder.write(Noise.bytes(100, seed: 7), to: "outside/photo.jpg")
            try folder.write(Noise.bytes(100, seed: 8), to: "outside/album/photo.jpg")
            try folder.write(Array("{}".utf8), to: "outside/installed.json")
            try folder.write([1, 2, 3], to: "outside/m")
            try folder.write([1, 2, 3], to: "outside/.lock")
            try folder.write(bytes, to: "own/v.onnx")
            try folder.write(Array("{}".utf8), to: "own/v.onnx.json")
            if own {
                _ = try store.add(folder.path + "/own", as: Self.added)
            } else {
                try await store.pull([voice])
            }
            try place(level)
        }

        static let added = VoiceDocument(own: "v", engine: "test", name: "V", language: "en")

        private func place(_ level: Level) throws {
            let entry = store.root + "/v"
            let revision = try #require(
                FileManager.default.contentsOfDirectory(atPath: entry).first { !$0.hasPrefix(".") })
            let folder = entry + "/" + revision
            let (path, target) =
                switch level {
                case .entry: (entry, outside)
                case .revision: (folder, outside)
                case .file: (folder + "/m", outside + "/m")
                case .part: (folder + "/m.part", outside + "/m")
                case .unpacked: (folder + "/r.tar.gz.unpacked", outside)
                case .record: (folder + "/installed.json", outside + "/installed.json")
                case .lock: (entry + "/.lock", outside + "/.lock")
                }
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }

        func go(_ way: Way) async {
            switch way {
            case .remove: _ = try? store.remove(voice)
            case .prune: _ = try? await store.prune(store.pruneCandidates(Registry()), Registry())
            case .add: _ = try? store.add(folder.path + "/own", as: Self.added)
            case .pull: try? await store.pull([voice])
            case .verify:
                _ = try? await store.verify()
                try? await store.pull([voice])
            case .cancelledPull:
                let pull = Task { try? await store.pull([voice]) }
                pull.cancel()
                await pull.value
            }
        }
    }

    @Test("No operation changes anything outside the store through a link", arguments: Way.allCases, Level.allCases)
    func outside(_ way: Way, _ level: Level) async throws {
        for own in [false, true] {
            let fixture = try await Fixture(level, own: own)
            let before = Inventory(fixture.outside)
            #expect(before.lines.count == 6)
            await fixture.go(way)
            #expect(Inventory(fixture.outside) == before, "\(own ? "own" : "downloaded")")
        }
    }

    @Test("Operations fail instead of writing through a link", arguments: [Way.add, .pull, .remove])
    func refused(_ way: Way) async throws {
        let fixture = try await Fixture(.entry, own: false)
        func attempt() async throws(StoreError) {
            switch way {
            case .add: _ = try fixture.store.add(fixture.folder.path + "/own", as: Fixture.added)
            case .pull: try await fixture.store.pull([fixture.voice])
            default: _ = try fixture.store.remove(fixture.voice)
            }
        }
        let error = await #expect(throws: StoreError.self) { try await attempt() }
        let path = fixture.store.root + "/v"
        switch error {
        case .notOurs(path): break
        case .file(let failure): #expect(failure.reason == .crossesLinks && failure.path == path)
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("Links, even broken ones, are kept because their target may be on a disk that is not mounted")
    func entries() async throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "photos/one.jpg")
        try folder.write([1], to: "store/notes.txt")
        let store = TestVoice.store(folder.path + "/store")
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: store.root + "/" + name, withDestinationPath: folder.path + "/" + target)
        }
        try link("photos", to: "photos")
        try link("gone", to: "nothing")
        let found = store.pruneCandidates(Registry())
        #expect(found.map(\.kind) == [.foreign, .foreign, .foreign])
        let removed = try await store.prune(found, Registry())
        #expect(removed.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: store.root).sorted()
        #expect(left == ["gone", "notes.txt", "photos"])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/photos/one.jpg"))
    }

    @Test("The store itself may be a link")
    func root() async throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: "disk/x")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/store", withDestinationPath: folder.path + "/disk")
        let bytes = Noise.bytes(500, seed: 1)
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "m", bytes, "http://127.0.0.1:1/")])
        let store = ModelStore(
            root: folder.path + "/store", fetcher: FakeFetcher(contents: ["http://127.0.0.1:1/m": bytes]))
        try await store.pull([voice])
        #expect(store.state(of: voice) == .ready)
        #expect(try store.remove(voice).freed == 500)
    }

    @Test("An archive is not unpacked through a link, and nothing is written outside the store")
    func unpacking() throws {
        let folder = try TemporaryFolder()
        var tar = TarBytes()
        tar.add("x/data", [1])
        let archive = try folder.write(tar.ended, to: "archive")
        try folder.write([1], to: "outside/photo.jpg")
        let root = folder.path + "/store"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: root + "/v", withDestinationPath: folder.path + "/outside")
        let before = Inventory(folder.path + "/outside")
        let job = UnpackJob(archive: archive, folder: root + "/v/new", root: root)
        let error = #expect(throws: FetchFailure.self) { try ArchiveWork().run(job) { _ in } }
        guard case .archive(.file(let failure)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .crossesLinks)
        #expect(Inventory(folder.path + "/outside") == before)
    }

    @Test(
        "Links in the user's paths are followed, as Hugging Face's cache requires", arguments: ["model.onnx", ""])
    func given(_ name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Noise.bytes(900, seed: 1), to: "hub/blobs/0123")
        try folder.write(Array("{}".utf8), to: "hub/blobs/4567")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/hub/snapshots/abc", withIntermediateDirectories: true)
        for (link, blob) in [("model.onnx", "0123"), ("model.onnx.json", "4567")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/hub/snapshots/abc/" + link, withDestinationPath: "../../blobs/" + blob)
        }
        let store = TestVoice.store(folder.path + "/store")
        let added = try store.add(
            folder.path + "/hub/snapshots/abc/" + name,
            as: VoiceDocument(own: "mine", engine: "e", name: "Mine", language: "en"))
        let model = try #require(added.files.first { $0.role == "model" }?.path)
        #expect(model.hasSuffix("/model.onnx"))
        #expect(FileManager.default.contents(atPath: model) == Data(Noise.bytes(900, seed: 1)))
    }

    @Test("Links within a path are not followed, even if Swift combines the slash with an accent")
    func accents() throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "outside/other")
        let photo = folder.path + "/outside/\u{301}photo.jpg"
        try SystemFiles().rename(folder.path + "/outside/other", to: photo)
        try FileManager.default.createDirectory(atPath: folder.path + "/store", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/store/link", withDestinationPath: folder.path + "/outside")
        let files = SystemFiles(root: folder.path + "/store")
        // Swift treats the slash and the accent as one character.
        #expect(throws: FileFailure.self) { try files.removeFile(folder.path + "/store/link/\u{301}photo.jpg") }
        #expect(files.kind(of: photo) == .regular)
    }
}
