import Foundation
import SynthInference
import Testing
import TestSupport

@Suite struct GraphCacheTests {
    /// A cache that contains a voice, and the voice's audio without a cache.
    private func filledCache() throws -> (cache: TemporaryFolder, entry: String, expected: [Float]) {
        let cache = try TemporaryFolder()
        let expected = try speak(cache, fromCache: false)
        let record = try #require(try cache.entries().first { $0.hasSuffix("/record") })
        return (cache, cache.path + "/" + URL(filePath: record).deletingLastPathComponent().lastPathComponent, expected)
    }

    /// Speaks once. The session ends on return, so the entry has been written by then.
    private func speak(_ cache: TemporaryFolder, fromCache: Bool, model: String = TestVoice.tern) throws -> [Float] {
        let session = try InferenceSession(model: model, exposing: "Ceil", threads: 2, cacheDirectory: cache.path)
        #expect(session.isFromCache == fromCache)
        let exposed = try #require(session.exposed)
        let outputs = try session.run(TestVoice.inputs(), outputs: ["output", exposed], as: try InferenceRun())
        #expect(outputs[1].count == TestVoice.ids.count)
        return outputs[0].withFloats { Array($0) } ?? []
    }

    @Test("The second session is loaded from the cache and produces bit-identical audio")
    func identical() throws {
        let plain = try InferenceSession(model: TestVoice.tern, threads: 2)
        let (cache, _, first) = try filledCache()
        #expect(isSame(first, try TestVoice.speak(plain)))
        #expect(isSame(try speak(cache, fromCache: true), first))
    }

    @Test("An entry consists of the graph, the weights and the record, without any other files")
    func files() throws {
        let (cache, entry, _) = try filledCache()
        let name = URL(filePath: entry).lastPathComponent
        #expect(try cache.entries() == [name, name + "/graph.onnx", name + "/record", name + "/weights"])
        let weights = try FileManager.default.attributesOfItem(atPath: entry + "/weights")[.size] as? Int
        #expect(try #require(weights) > 4_000_000)
    }

    enum Damage: String, CaseIterable {
        case graphByte, graphCut, weightsByte, weightsCut, weightsMissing, recordByte, recordCut, recordEmpty, foreign
    }

    @Test("A damaged entry is not used and is replaced with a valid one", arguments: Damage.allCases)
    func damage(_ damage: Damage) throws {
        let (cache, entry, expected) = try filledCache()
        func change(_ name: String, _ body: (inout Data) -> Void) throws {
            let url = URL(filePath: entry).appending(path: name)
            var data = try Data(contentsOf: url)
            body(&data)
            try data.write(to: url)
        }
        switch damage {
        case .graphByte: try change("graph.onnx") { $0[$0.count / 2] ^= 1 }
        case .graphCut: try change("graph.onnx") { $0.removeLast(1000) }
        case .weightsByte: try change("weights") { $0[$0.count / 2] ^= 1 }
        case .weightsCut: try change("weights") { $0.removeLast(1000) }
        case .weightsMissing: try FileManager.default.removeItem(atPath: entry + "/weights")
        case .recordByte: try change("record") { $0[20] ^= 1 }
        case .recordCut: try change("record") { $0.removeLast(12) }
        case .recordEmpty: try change("record") { $0.removeAll() }
        case .foreign:
            let other = try TemporaryFolder()
            _ = try InferenceSession(model: TestVoice.flock, exposing: "Ceil", threads: 1, cacheDirectory: other.path)
            let folder = try #require(try other.entries().first)
            try FileManager.default.removeItem(atPath: entry)
            try FileManager.default.copyItem(atPath: other.path + "/" + folder, toPath: entry)
        }
        #expect(isSame(try speak(cache, fromCache: false), expected))
        #expect(isSame(try speak(cache, fromCache: true), expected))
    }

    @Test("Waiting for the cache completes the entry, even while the session is still in use")
    func finished() throws {
        let cache = try TemporaryFolder()
        let session = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: cache.path)
        let expected = try TestVoice.speak(session)
        session.finishCache()
        #expect(try cache.entries().contains { $0.hasSuffix("/record") })
        let second = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: cache.path)
        #expect(second.isFromCache)
        #expect(isSame(try TestVoice.speak(second), expected))
    }

    @Test("Concurrent runs produce the same audio as a single run", arguments: [true, false])
    func concurrentRuns(isCached: Bool) async throws {
        let cache = try TemporaryFolder()
        let expected = try speak(cache, fromCache: false)
        let session = try InferenceSession(
            model: TestVoice.tern, exposing: "Ceil", threads: 2, cacheDirectory: isCached ? cache.path : nil)
        #expect(session.isFromCache == isCached)
        let all = try await withThrowingTaskGroup(of: [Float].self) { group in
            for _ in 0..<16 { group.addTask { try TestVoice.speak(session) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all.allSatisfy { isSame($0, expected) })
    }

    @Test("A copy of the cache with identical content is used")
    func copied() throws {
        let (cache, entry, expected) = try filledCache()
        try FileManager.default.copyItem(atPath: entry, toPath: entry + "-copy")
        try FileManager.default.removeItem(atPath: entry)
        try FileManager.default.moveItem(atPath: entry + "-copy", toPath: entry)
        #expect(isSame(try speak(cache, fromCache: true), expected))
    }

    @Test("A pipe at a cache file's path does not block", arguments: ["graph.onnx", "record", "weights"])
    func pipe(name: String) throws {
        let (cache, entry, expected) = try filledCache()
        try FileManager.default.removeItem(atPath: "\(entry)/\(name)")
        try #require(mkfifo("\(entry)/\(name)", 0o600) == 0)
        #expect(isSame(try speak(cache, fromCache: false), expected))
    }

    @Test("A different model at the same path replaces the entry")
    func exchangedModel() throws {
        let cache = try TemporaryFolder()
        let models = try TemporaryFolder()
        let path = try models.write(try Data(contentsOf: URL(filePath: TestVoice.tern)), to: "voice.onnx")
        let expected = try speak(cache, fromCache: false, model: path)
        #expect(isSame(try speak(cache, fromCache: true, model: path), expected))
        _ = try models.write(try Data(contentsOf: URL(filePath: TestVoice.flock)), to: "voice.onnx")
        let session = try InferenceSession(model: path, exposing: "Ceil", threads: 1, cacheDirectory: cache.path)
        #expect(!session.isFromCache)
        #expect(session.inputs.map(\.name).contains("sid"))
    }

    @Test("When an entry is written, the entries of deleted models are removed")
    func goneModel() throws {
        let cache = try TemporaryFolder()
        let models = try TemporaryFolder()
        let path = try models.write(try Data(contentsOf: URL(filePath: TestVoice.tern)), to: "voice.onnx")
        _ = try speak(cache, fromCache: false, model: path)
        let gone = try #require(try cache.entries().first)
        try FileManager.default.removeItem(atPath: path)
        _ = try speak(cache, fromCache: false)
        #expect(try !cache.entries().contains(gone))
        #expect(try cache.entries().count == 4)
    }

    @Test("An abandoned model leaves no files in the cache")
    func abandonedModel() throws {
        let cache = try TemporaryFolder()
        do {
            let session = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: cache.path)
            session.abandonCache()
        }
        #expect(try cache.entries().isEmpty)
    }

    @Test("A session without a writable cache folder produces the same audio", arguments: ["missing", "a file"])
    func unwritable(kind: String) throws {
        let parent = try TemporaryFolder()
        let folder = kind == "missing" ? parent.path + "/missing" : try parent.write(Data("x".utf8), to: "file")
        let plain = try InferenceSession(model: TestVoice.tern, threads: 1)
        let session = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: folder)
        #expect(isSame(try TestVoice.speak(session), try TestVoice.speak(plain)))
    }

    @Test("Several sessions that fill a cache concurrently leave behind one valid entry")
    func race() async throws {
        let cache = try TemporaryFolder()
        let path = cache.path
        let all = try await withThrowingTaskGroup(of: [Float].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let session = try InferenceSession(
                        model: TestVoice.tern, exposing: "Ceil", threads: 1, cacheDirectory: path)
                    return try TestVoice.speak(session)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(all).count == 1)
        #expect(try cache.entries().count == 4)
        #expect(isSame(try speak(cache, fromCache: true), all[0]))
    }

    @Test("Loading a model removes the unfinished entries of killed processes, but not those of running processes")
    func abandoned() throws {
        let (cache, _, _) = try filledCache()
        let dead = try ChildProcess.ended()
        func make(_ name: String, _ process: pid_t, locked: Bool) throws -> String {
            let folder = "\(name).unfinished-\(process)-0"
            try cache.write([1], to: "\(folder)/weights")
            if locked { try cache.write([], to: "\(folder)/lock") }
            return cache.file(folder)
        }
        // Entries left behind by an earlier version, which identified them by process ID.
        let left = try [make("old", dead, locked: false), make("reused", getpid(), locked: true)]
        // This entry's process is not visible, but holds the lock.
        let held = try make("held", dead, locked: true)
        let working = try [make("old", getppid(), locked: false), held]
        let lock = try HeldRecordLock(held + "/lock")
        _ = try speak(cache, fromCache: true)
        for folder in left { #expect(!FileManager.default.fileExists(atPath: folder), "\(folder)") }
        for folder in working { #expect(FileManager.default.fileExists(atPath: folder), "\(folder)") }
        lock.release()
        _ = try speak(cache, fromCache: true)
        #expect(!FileManager.default.fileExists(atPath: held))
    }

    @Test("An entry is locked until it is complete and has no lock afterward")
    func lock() throws {
        let cache = try TemporaryFolder()
        let session = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: cache.path)
        let folder = try #require(try cache.entries().first { $0.contains(".unfinished-") && !$0.contains("/") })
        #expect(throws: HeldRecordLock.Busy.self) { try HeldRecordLock(cache.file("\(folder)/lock")) }
        // Meanwhile, another session looks for abandoned entries.
        _ = try InferenceSession(model: TestVoice.flock, threads: 1, cacheDirectory: cache.path)
        #expect(FileManager.default.fileExists(atPath: cache.file(folder)))
        _ = try TestVoice.speak(session)
        session.finishCache()
        #expect(!(try cache.entries().contains { $0.hasSuffix("/lock") }))
    }
}
