import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("The model store")
struct StoreTests {
    private struct Fixture {
        let folder: TemporaryFolder
        let server: LoopbackServer
        let store: ModelStore
        let first: Voice
        let second: Voice
        let contents: [String: [UInt8]]

        init() throws {
            folder = try TemporaryFolder()
            let contents = [
                "/big": Noise.bytes(200_000, seed: 1), "/a.style": Noise.bytes(3_000, seed: 2),
                "/b.style": Noise.bytes(3_000, seed: 3),
            ]
            self.contents = contents
            server = try LoopbackServer.good(contents)
            let base = server.base
            func file(_ role: String, _ name: String) throws -> ModelFile {
                try TestVoice.file(role, name, contents["/" + name] ?? [], base)
            }
            let model = TestVoice.model("shared", [try file("model", "big")])
            first = TestVoice.voice("a", [try file("style", "a.style")], model: model)
            second = TestVoice.voice("b", [try file("style", "b.style")], model: model)
            store = TestVoice.store(folder.path)
        }

        func path(_ entry: String, _ name: String) throws -> String {
            let files = Tree(folder.path).entries.keys
            return folder.path + "/"
                + (try require(files.first { $0.hasPrefix(entry + "/") && $0.hasSuffix("/" + name) }))
        }
    }

    @Test("A shared model is downloaded once, and its files are found by role")
    func shared() async throws {
        let fixture = try Fixture()
        #expect(fixture.store.state(of: fixture.first) == .notDownloaded(because: nil))
        try await fixture.store.pull([fixture.first, fixture.second])
        #expect(fixture.server.requests.filter { $0.path == "/big" }.count == 1)
        for voice in [fixture.first, fixture.second] {
            #expect(fixture.store.state(of: voice) == .ready)
            let installed = try require(TestVoice.store(fixture.folder.path).installedVoice(id: voice.id))
            #expect(installed.modelFiles.map(\.role) == ["model"])
            #expect(installed.files.map(\.role) == ["style"])
            #expect(installed.voice.model?.id == "shared")
            let style = try require(FileManager.default.contents(atPath: installed.files[0].path))
            #expect(Array(style) == fixture.contents["/\(voice.id).style"])
        }
        #expect(fixture.store.installedVoices().map(\.voice.id) == ["a", "b"])
    }

    @Test("Concurrent pulls in one process succeed and download each file only once")
    func twoPulls() async throws {
        let fixture = try Fixture()
        async let one: Void = fixture.store.pull([fixture.first])
        async let two: Void = fixture.store.pull([fixture.first, fixture.second])
        async let three: Void = TestVoice.store(fixture.folder.path).pull([fixture.second])
        _ = try await (one, two, three)
        #expect(fixture.server.requests.count == 3)
    }

    @Test("Each step is reported, and the number of bytes never decreases")
    func states() async throws {
        let fixture = try Fixture()
        let seen = Monitor([DownloadState]())
        try await fixture.store.pull([fixture.first]) { state in seen.update { $0.append(state) } }
        let states = seen.read { $0 }
        #expect(fixture.store.state(of: fixture.first) == .ready)
        #expect(states.allSatisfy(\.isBusy) && states.contains(.verifying))
        let bytes = states.compactMap { if case .downloading(let progress) = $0 { progress.bytes } else { nil } }
        #expect(bytes == bytes.sorted() && bytes.last == fixture.first.downloadSize)
        #expect(bytes.allSatisfy { $0 <= fixture.first.downloadSize })
    }

    @Test("Several voices are reported as a single download that includes a shared model only once")
    func statesTogether() async throws {
        let fixture = try Fixture()
        let seen = Monitor([DownloadProgress]())
        try await fixture.store.pull([fixture.first, fixture.second]) { state in
            if case .downloading(let progress) = state { seen.update { $0.append(progress) } }
        }
        let states = seen.read { $0 }
        #expect(!states.isEmpty && states.allSatisfy { $0.total == 206_000 })
        #expect(states.map(\.bytes) == states.map(\.bytes).sorted())
    }

    enum Damage: CaseIterable { case missing, shorter, longer, folder, link }

    @Test(
        "A missing, short, long or non-regular file is detected and named, and a pull repairs it",
        arguments: Damage.allCases)
    func damaged(_ damage: Damage) async throws {
        let fixture = try Fixture()
        try await fixture.store.pull([fixture.first])
        let right = Tree(fixture.folder.path)
        let path = try fixture.path("shared", "big")
        try FileManager.default.removeItem(atPath: path)
        let bytes = try require(fixture.contents["/big"])
        switch damage {
        case .missing: break
        case .shorter: try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: path))
        case .longer: try Data(bytes + [0]).write(to: URL(fileURLWithPath: path))
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        }
        guard case .notDownloaded(because: let reason?) = fixture.store.state(of: fixture.first) else {
            Issue.record("\(fixture.store.state(of: fixture.first))")
            return
        }
        #expect(reason.contains("big"))
        #expect(fixture.store.installedVoice(id: "a") == nil)
        try await fixture.store.pull([fixture.first])
        #expect(Tree(fixture.folder.path) == right)
    }

    @Test("Verification finds a file with incorrect content, and a pull repairs it")
    func verify() async throws {
        let fixture = try Fixture()
        try await fixture.store.pull([fixture.first, fixture.second])
        let right = Tree(fixture.folder.path)
        #expect(try await fixture.store.verify().isEmpty)
        let path = try fixture.path("shared", "big")
        var bytes = try require(fixture.contents["/big"])
        bytes[100_000] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(fixture.store.state(of: fixture.first) == .ready)
        let damages = try await fixture.store.verify(fixture.store.entries(of: [fixture.first]))
        #expect(damages.map(\.path) == [path])
        #expect(fixture.store.state(of: fixture.first) != .ready)
        #expect(fixture.store.state(of: fixture.second) != .ready)
        try await fixture.store.pull([fixture.second])
        #expect(fixture.store.state(of: fixture.first) == .ready)
        #expect(Tree(fixture.folder.path) == right)
    }

    @Test("Removing the last voice also removes the shared model")
    func remove() async throws {
        let fixture = try Fixture()
        try await fixture.store.pull([fixture.first, fixture.second])
        #expect(try fixture.store.remove(fixture.first) == StoreRemoval(freed: 3_000))
        #expect(fixture.store.state(of: fixture.second) == .ready)
        guard case .notDownloaded = fixture.store.state(of: fixture.first) else {
            Issue.record("The voice should have been removed.")
            return
        }
        #expect(try fixture.store.remove(fixture.second) == StoreRemoval(freed: 203_000))
        #expect(Tree(fixture.folder.path).entries.isEmpty)
        #expect(throws: StoreError.self) { try fixture.store.remove(fixture.second) }
    }

    @Test("Only unused files are pruned")
    func prune() async throws {
        let fixture = try Fixture()
        try await fixture.store.pull([fixture.first])
        let right = Tree(fixture.folder.path)
        let revision = try require(right.entries.keys.first { $0.hasSuffix("/a.style") })
            .split(separator: "/").map(String.init)
        try fixture.folder.write([1, 2], to: "unknown/0123/file.part")
        try fixture.folder.write([1, 2], to: "a/0123/a.style")
        try fixture.folder.write([1, 2], to: "b/0123/b.style.part")
        var registry = Registry()
        registry.add([fixture.first, fixture.second])
        let found = fixture.store.pruneCandidates(registry)
        #expect(found.map(\.path).sorted() == ["a/0123", "b/0123", "unknown"].map { fixture.folder.path + "/" + $0 })
        #expect(revision.count == 3)
        #expect(try await fixture.store.prune(fixture.store.pruneCandidates(registry), registry).count == 3)
        #expect(fixture.store.state(of: fixture.first) == .ready)
        #expect(Tree(fixture.folder.path).finalFiles == right.finalFiles)
    }

    @Test("An older revision is used until the newer one is complete")
    func revisions() async throws {
        let fixture = try Fixture()
        try await fixture.store.pull([fixture.first])
        let newer = Noise.bytes(4_000, seed: 9)
        let other = try LoopbackServer.good(["/a.style": newer])
        let updated = TestVoice.voice(
            "a", [try TestVoice.file("style", "a.style", newer, other.base)], model: fixture.first.model)
        #expect(fixture.store.state(of: updated) == .ready)
        try await fixture.store.pull([updated])
        let installed = try require(fixture.store.installedVoice(id: "a"))
        #expect(FileManager.default.contents(atPath: installed.files[0].path) == Data(newer))
        var registry = Registry()
        registry.add([updated])
        #expect(try await fixture.store.prune(fixture.store.pruneCandidates(registry), registry).count == 1)
        #expect(fixture.store.installedVoice(id: "a") == installed)
    }

    @Test("If the first source fails, the second is used, and only the files that the voice needs are kept")
    func alternative() async throws {
        let folder = try TemporaryFolder()
        let model = Noise.bytes(50_000, seed: 4)
        var tar = TarBytes()
        tar.add("v/model.onnx", model)
        tar.add("v/model.onnx.json", Array("{}".utf8))
        tar.add("v/README", Array("read me".utf8))
        let archive = tar.compressed(.bzip2)
        let server = try LoopbackServer.good(["/v.tar.bz2": archive])
        let roles = ["model": "v/model.onnx", "config": "v/model.onnx.json"]
        let voice = TestVoice.voice(
            "v",
            [
                try TestVoice.file("model", "m", [1, 2, 3], server.base),
                try TestVoice.file("config", "c", [1, 2, 4], server.base),
            ],
            alternative: [
                try TestVoice.file(
                    "archive", "v.tar.bz2", archive, server.base, archive: ArchiveContents(roles: roles))
            ])
        let store = TestVoice.store(folder.path)
        try await store.pull([voice])
        #expect(store.state(of: voice) == .ready)
        let installed = try require(store.installedVoice(id: "v"))
        #expect(Set(installed.files.map(\.role)) == ["model", "config"])
        let path = try require(installed.files.first { $0.role == "model" }?.path)
        #expect(FileManager.default.contents(atPath: path) == Data(model))
        #expect(Tree(folder.path).finalFiles.count == 2)
    }

    @Test("A malicious or incomplete archive is rejected, and nothing is kept")
    func badArchive() async throws {
        for name in ["v/other", "../evil"] {
            let folder = try TemporaryFolder()
            var tar = TarBytes()
            tar.add(name, [1])
            let archive = tar.compressed(.gzip)
            let server = try LoopbackServer.good(["/v.tar.gz": archive])
            let contents = ArchiveContents(roles: ["model": "v/model"])
            let voice = TestVoice.voice(
                "v", [try TestVoice.file("archive", "v.tar.gz", archive, server.base, archive: contents)])
            let store = TestVoice.store(folder.path + "/store")
            #expect(await TestVoice.failure(store, [voice])?.kind == .wrongContent)
            #expect(store.state(of: voice) != .ready)
            let kept = Tree(folder.path).finalFiles.keys.map { ($0 as NSString).lastPathComponent }
            #expect(kept == ["v.tar.gz"] || kept.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/evil"))
        }
    }

    @Test("If a pull does not wait for a lock, the error names the process that holds the lock")
    func locked() async throws {
        let fixture = try Fixture()
        guard case .taken(let lock) = try StoreLock.take(fixture.folder.path + "/a", waiting: false, SystemFiles())
        else {
            Issue.record("The lock is free but cannot be acquired.")
            return
        }
        do throws(StoreError) {
            try await fixture.store.pull([fixture.first], waits: false)
            Issue.record("The pull should have failed.")
        } catch {
            #expect(error == .busy(entry: "a", process: ProcessInfo.processInfo.processIdentifier))
        }
        withExtendedLifetime(lock) {}
    }

    @Test("Waiting for a model is reported again after the other files have arrived")
    func waiting() async throws {
        let fixture = try Fixture()
        guard
            case .taken(let lock) = try StoreLock.take(
                fixture.folder.path + "/shared", waiting: false, SystemFiles())
        else {
            Issue.record("The lock is free but cannot be acquired.")
            return
        }
        let seen = Monitor([DownloadState]())
        let pull = Task {
            await TestVoice.failure(fixture.store, [fixture.first]) { state in seen.update { $0.append(state) } }
        }
        // The voice's own small file arrives along with the model.
        let isSeen: @Sendable ([DownloadState]) -> Bool? = { states in
            let arrived = states.contains { if case .downloading = $0 { true } else { false } }
            return arrived && states.last == .waiting(process: nil) ? true : nil
        }
        #expect(await onThread("waiting") { seen.wait(timeout: .seconds(60)) { isSeen($0) } } == true)
        pull.cancel()
        #expect(await pull.value?.kind == .cancelled)
        withExtendedLifetime(lock) {}
    }

    @Test("Cancelling the task ends the wait for a lock")
    func cancelledWaiting() async throws {
        let fixture = try Fixture()
        guard case .taken(let lock) = try StoreLock.take(fixture.folder.path + "/a", waiting: false, SystemFiles())
        else {
            Issue.record("The lock is free but cannot be acquired.")
            return
        }
        let isWaiting = Monitor(false)
        let pull = Task {
            await TestVoice.failure(fixture.store, [fixture.first]) { state in
                // This process holds the lock, so no other process is named.
                if state == .waiting(process: nil) { isWaiting.update { $0 = true } }
            }
        }
        #expect(await onThread("waiting") { isWaiting.wait(timeout: .seconds(60)) { $0 ? true : nil } } == true)
        pull.cancel()
        #expect(await pull.value?.kind == .cancelled)
        withExtendedLifetime(lock) {}
    }

    @Test("Without write access, the store can be read, and the error states why it cannot be written")
    func notWritable() async throws {
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "m", [1], "http://127.0.0.1:1/")])
        // Not even root can create a folder here.
        let error = await TestVoice.failure(TestVoice.store("/proc/self/nowhere"), [voice])
        #expect(error?.kind == .file)
        guard case .file(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.path.hasPrefix("/proc/self"))
    }

    @Test(
        "Several of the user's files can be added, from a folder or from an archive",
        arguments: ["file", "folder", "archive"])
    func add(_ way: String) async throws {
        let folder = try TemporaryFolder()
        let model = Noise.bytes(40_000, seed: 5)
        try folder.write(model, to: "mine/voice.onnx")
        try folder.write(Array("{}".utf8), to: "mine/voice.onnx.json")
        var tar = TarBytes()
        tar.add("x/voice.onnx", model)
        tar.add("x/voice.onnx.json", Array("{}".utf8))
        try folder.write(tar.compressed(.gzip), to: "mine.tar.gz")
        let paths = ["file": "/mine/voice.onnx", "folder": "/mine", "archive": "/mine.tar.gz"]
        let store = TestVoice.store(folder.path + "/store")
        let voice = VoiceDocument(own: "mine", engine: "piper", name: "Mine", language: "en", speakers: ["x"])
        let added = try store.add(folder.path + (paths[way] ?? ""), as: voice)
        #expect(added.isUsersOwn)
        #expect(added.voice.speakers == ["x"])
        #expect(Set(added.files.map(\.role)) == ["model", "config"])
        let path = try require(added.files.first { $0.role == "model" }?.path)
        #expect(FileManager.default.contents(atPath: path) == Data(model))
        #expect(Tree(folder.path + "/store").finalFiles.count == 2)
        #expect(store.pruneCandidates(Registry()).isEmpty)
        _ = try store.add(folder.path + "/mine", as: voice)
        #expect(Tree(folder.path + "/store").finalFiles.count == 2)
    }

    @Test("Files that do not form a voice are not added, and a registry voice is not replaced")
    func addWrong() async throws {
        let fixture = try Fixture()
        try await fixture.store.pull([fixture.first])
        let mine = try TemporaryFolder()
        try mine.write([1], to: "voice.onnx")
        for (path, id) in [
            (mine.path, "x"), (mine.path + "/voice.onnx", "x"), (mine.path + "/none", "x"), (mine.path, "../x"),
            (mine.path, "a"),
        ] {
            let voice = VoiceDocument(own: id, engine: "piper", name: "X", language: "en")
            #expect(throws: StoreError.self, "\(path) \(id)") { _ = try fixture.store.add(path, as: voice) }
        }
        #expect(fixture.store.installedVoices().map(\.voice.id) == ["a"])
    }

    @Test("Disk usage is reported, along with the time of last use")
    func diskUse() async throws {
        let fixture = try Fixture()
        try await fixture.store.pull([fixture.first, fixture.second])
        #expect(fixture.store.bytesOnDisk == 206_000)
        #expect(fixture.store.diskUse(of: fixture.first)?.size == 203_000)
        let record = try fixture.path("a", "installed.json")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: record)
        #expect(fixture.store.diskUse(of: fixture.first)?.lastUsed == 1_000)
        fixture.store.recordUse(of: try require(fixture.store.installedVoice(id: "a")))
        #expect((fixture.store.diskUse(of: fixture.first)?.lastUsed ?? 0) > 1_000)
    }

    @Test("The store can handle any damage to its records", arguments: 0..<60)
    func damagedRecords(_ seed: Int) async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(500, seed: 1)
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "m", bytes, "http://127.0.0.1:1/")])
        let store = ModelStore(
            root: folder.path, fetcher: FakeFetcher(contents: ["http://127.0.0.1:1/m": bytes]))
        try await store.pull([voice])
        let record = folder.path + "/v/" + voice.entries[0].revision + "/installed.json"
        var text = Array(try require(FileManager.default.contents(atPath: record)))
        var noise = SeededRandom(UInt64(seed))
        for _ in 0..<3 {
            text[Int.random(in: 0..<text.count, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
        }
        try Data(text).write(to: URL(fileURLWithPath: record))
        for file in store.installedVoice(id: "v")?.files ?? [] { #expect(file.path.hasPrefix(folder.path + "/v/")) }
        try await store.pull([voice])
        #expect(store.state(of: voice) == .ready)
    }
}
