import Foundation
import SynthSystem
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Loudness in voice records")
struct LoudnessRecordTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let store: ModelStore
    private let voice: Voice
    private let loudness: VoiceLoudness

    init() throws {
        folder = try TemporaryFolder()
        let contents = ["/model": Noise.bytes(900, seed: 1), "/half": Noise.bytes(500, seed: 2), "/style": [7, 8, 9]]
        server = try LoopbackServer.good(contents)
        let model = TestVoice.model(
            "shared", [try TestVoice.file("model", "model", contents["/model"] ?? [], server.base)])
        voice = TestVoice.voice(
            "a", [try TestVoice.file("style", "style", contents["/style"] ?? [], server.base)], model: model)
        store = TestVoice.store(folder.path)
        loudness = try require(VoiceLoudness(lufs: -25.5, peak: -3.25))
    }

    private func installed() throws -> InstalledVoice { try require(store.installedVoice(id: "a")) }

    private func text(of installed: InstalledVoice) throws -> String {
        try String(contentsOfFile: installed.folder + "/installed.json", encoding: .utf8)
    }

    @Test("A record that cannot be replaced leaves no temporary file")
    func temporaryFile() throws {
        let folder = try TemporaryFolder()
        // A file cannot replace a folder.
        try folder.write([1], to: "installed.json/file")
        #expect(throws: FileFailure.self) { try SystemFiles().replace(folder.path + "/installed.json", with: [2]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["installed.json"])
    }

    @Test("A recorded loudness can be read by every store")
    func remember() async throws {
        try await store.pull([voice])
        let before = try installed()
        #expect(before.loudness == nil)
        #expect(try !text(of: before).contains("loudness"))
        try store.remember(loudness, of: before)
        #expect(TestVoice.store(folder.path).installedVoice(id: "a")?.loudness == loudness)
        #expect(try text(of: before).contains(#""loudness":{"lufs":-25.5,"peak":-3.25}"#))
        #expect(try installed().files == before.files)
        // There is a lock file, but the write left no other files behind.
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix("a/") && !$0.contains("/.")
            }.count == 3)
    }

    @Test(
        "If a process was killed while it was replacing a record, the next use of the voice removes the temporary file")
    func leftover() async throws {
        try await store.pull([voice])
        let voice = try installed()
        let part = voice.folder + "/installed.json.part"
        try Data("{".utf8).write(to: URL(filePath: part))
        let lock = try store.lock("a")
        store.recordUse(of: voice)
        // The file belongs to the process that holds the lock.
        #expect(FileManager.default.fileExists(atPath: part))
        withExtendedLifetime(lock) {}
        _ = consume lock
        store.recordUse(of: voice)
        #expect(!FileManager.default.fileExists(atPath: part))
        #expect(try installed().files == voice.files)
    }

    @Test("The loudness is kept if the registry changes the voice but is removed along with the voice's model")
    func pulledAgain() async throws {
        try await store.pull([voice])
        try store.remember(loudness, of: try installed())
        try await store.pull([voice])
        #expect(try installed().loudness == loudness)
        let renamed = Voice(
            voice.document.renamed("B"), model: voice.model, files: voice.files, alternative: [], sources: [:])
        try await store.pull([renamed])
        #expect(try installed().voice.name == "B")
        #expect(try installed().loudness == loudness)
        let half = TestVoice.model(
            "half", [try TestVoice.file("model", "half", Noise.bytes(500, seed: 2), server.base)])
        try await store.pull([voice.using(half)])
        #expect(try installed().voice.model?.id == "half")
        #expect(try installed().loudness == nil)
    }

    @Test("The loudness is removed along with the voice")
    func removed() async throws {
        try await store.pull([voice])
        let before = try installed()
        try store.remember(loudness, of: before)
        _ = try store.remove(voice)
        #expect(throws: StoreError.removedMeanwhile(voice: "a")) { try store.remember(loudness, of: before) }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("a") }.isEmpty)
        try await store.pull([voice])
        #expect(try installed().loudness == nil)
    }

    @Test("The loudness is not recorded for a voice that has replaced the measured one")
    func replaced() throws {
        try folder.write([1, 2], to: "mine/v.onnx")
        try folder.write([3], to: "mine/v.onnx.json")
        let store = TestVoice.store(folder.path + "/store")
        let added = VoiceDocument(own: "v", engine: "test", name: "V", language: "en")
        let first = try store.add(folder.path + "/mine", as: added)
        let second = try store.add(folder.path + "/mine", as: added)
        #expect(throws: StoreError.removedMeanwhile(voice: "v")) { try store.remember(loudness, of: first) }
        #expect(store.installedVoice(id: "v")?.loudness == nil)
        try store.remember(loudness, of: second)
        #expect(store.installedVoice(id: "v")?.loudness == loudness)
    }

    @Test("The loudness is recorded neither while another process is changing the voice nor outside the store")
    func busy() async throws {
        try await store.pull([voice])
        let before = try installed()
        guard case .taken(let lock) = try StoreLock.take(folder.path + "/a", waiting: false, SystemFiles()) else {
            Issue.record("The lock is free but cannot be acquired.")
            return
        }
        #expect(throws: StoreError.busy(entry: "a", process: getpid())) { try store.remember(loudness, of: before) }
        withExtendedLifetime(lock) {}
        let elsewhere = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: elsewhere.path + "/a", withDestinationPath: folder.path + "/a")
        try FileManager.default.createSymbolicLink(
            atPath: elsewhere.path + "/shared", withDestinationPath: folder.path + "/shared")
        let linked = TestVoice.store(elsewhere.path)
        let seen = try require(linked.installedVoice(id: "a"))
        #expect(throws: StoreError.notOurs(path: elsewhere.path + "/a")) { try linked.remember(loudness, of: seen) }
        #expect(try installed().loudness == nil)
    }

    @Test(
        "Whichever call fails, the loudness is recorded completely or not at all",
        arguments: FailingFiles.Fault.allCases)
    func faults(_ fault: FailingFiles.Fault) async throws {
        try await store.pull([voice])
        let before = try installed()
        let counting = FailingFiles(fault, at: 0, root: folder.path)
        let counted = ModelStore(root: folder.path, fetcher: FakeFetcher(contents: [:]), files: counting)
        #expect(failure(of: counted, remembering: loudness, of: before) == nil)
        var failures = 0
        for number in 1...counting.calls {
            let failing = FailingFiles(fault, at: number, root: folder.path)
            let trying = ModelStore(root: folder.path, fetcher: FakeFetcher(contents: [:]), files: failing)
            let next = try require(VoiceLoudness(lufs: -20 - Double(number), peak: -1))
            let old = try installed().loudness
            let error = failure(of: trying, remembering: next, of: before)
            if error != nil { failures += 1 }
            let place = "\(failing.failed ?? "nothing"), call \(number)"
            let now = try installed()
            #expect(now.loudness == next || error != nil && now.loudness == old, "after \(place)")
            #expect(now.files == before.files && store.state(of: voice) == .ready, "after \(place)")
            #expect(failing.openDescriptors.isEmpty, "after \(place)")
        }
        // After a short write, the remaining bytes are written. After a signal, some calls are retried and some fail.
        if fault != .interrupted { #expect((failures > 0) == (fault != .shortWrite), "\(failures)") }
        let last = try require(VoiceLoudness(lufs: -19, peak: -1))
        #expect(failure(of: store, remembering: last, of: before) == nil)
        #expect(try installed().loudness == last)
    }

    /// Records the loudness and returns the error; nil on success. Retries while the lock is held, because a process
    /// that another test has just started holds a copy of the lock until it calls `exec`.
    private func failure(
        of store: ModelStore, remembering loudness: VoiceLoudness, of voice: InstalledVoice
    ) -> StoreError? {
        while true {
            do throws(StoreError) {
                try store.remember(loudness, of: voice)
                return nil
            } catch {
                guard case .busy = error else { return error }
                sched_yield()
            }
        }
    }
}

extension VoiceDocument {
    fileprivate func renamed(_ name: String) -> VoiceDocument {
        var document = self
        document.name = name
        return document
    }
}
