import Foundation
import ONNXInference
import Testing

@Suite struct GraphCacheTests {
    /// A cache with the entry of a voice, and what the voice says without one.
    private func filledCache() throws -> (cache: Scratch, entry: String, expected: [Float]) {
        let cache = try Scratch()
        let expected = try speak(cache, fromCache: false)
        let record = try #require(try cache.files().first { $0.hasSuffix("/record") })
        return (cache, cache.path + "/" + URL(filePath: record).deletingLastPathComponent().lastPathComponent, expected)
    }

    /// Ends with the session, so the entry is written when this returns.
    private func speak(_ cache: Scratch, fromCache: Bool, model: String = TestVoice.tern) throws -> [Float] {
        let session = try InferenceSession(model: model, exposing: "Ceil", threads: 2, cacheDirectory: cache.path)
        #expect(session.isFromCache == fromCache)
        let exposed = try #require(session.exposed)
        let outputs = try session.run(TestVoice.inputs(), outputs: ["output", exposed], as: try InferenceRun())
        #expect(outputs[1].count == TestVoice.ids.count)
        return outputs[0].withFloats { Array($0) } ?? []
    }

    @Test("the second session comes from the cache and says the same, bit for bit")
    func identical() throws {
        let plain = try InferenceSession(model: TestVoice.tern, threads: 2)
        let (cache, _, first) = try filledCache()
        #expect(isSame(first, try TestVoice.speak(plain)))
        #expect(isSame(try speak(cache, fromCache: true), first))
    }

    @Test("an entry is the graph, the weights and their record, and nothing is left over")
    func files() throws {
        let (cache, entry, _) = try filledCache()
        let name = URL(filePath: entry).lastPathComponent
        #expect(try cache.files() == [name, name + "/graph.onnx", name + "/record", name + "/weights"])
        let weights = try FileManager.default.attributesOfItem(atPath: entry + "/weights")[.size] as? Int
        #expect(try #require(weights) > 4_000_000)
    }

    enum Damage: String, CaseIterable {
        case graphByte, graphCut, weightsByte, weightsCut, weightsMissing, recordByte, recordCut, recordEmpty, foreign
    }

    @Test("a damaged entry is not used and is replaced by a sound one", arguments: Damage.allCases)
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
            let other = try Scratch()
            _ = try InferenceSession(model: TestVoice.flock, exposing: "Ceil", threads: 1, cacheDirectory: other.path)
            let folder = try #require(try other.files().first)
            try FileManager.default.removeItem(atPath: entry)
            try FileManager.default.copyItem(atPath: other.path + "/" + folder, toPath: entry)
        }
        #expect(isSame(try speak(cache, fromCache: false), expected))
        #expect(isSame(try speak(cache, fromCache: true), expected))
    }

    @Test("an entry is whole once it was waited for, while the session that made it lives on")
    func finished() throws {
        let cache = try Scratch()
        let session = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: cache.path)
        let expected = try TestVoice.speak(session)
        session.finishCache()
        #expect(try cache.files().contains { $0.hasSuffix("/record") })
        let second = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: cache.path)
        #expect(second.isFromCache)
        #expect(isSame(try TestVoice.speak(second), expected))
    }

    @Test("runs beside each other say what one says alone", arguments: [true, false])
    func crowd(isCached: Bool) async throws {
        let cache = try Scratch()
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

    @Test("a copied cache with the same content is still used")
    func copied() throws {
        let (cache, entry, expected) = try filledCache()
        try FileManager.default.copyItem(atPath: entry, toPath: entry + "-copy")
        try FileManager.default.removeItem(atPath: entry)
        try FileManager.default.moveItem(atPath: entry + "-copy", toPath: entry)
        #expect(isSame(try speak(cache, fromCache: true), expected))
    }

    @Test("waits for no pipe in the place of one of its files", arguments: ["graph.onnx", "record", "weights"])
    func pipe(name: String) throws {
        let (cache, entry, expected) = try filledCache()
        try FileManager.default.removeItem(atPath: "\(entry)/\(name)")
        try #require(mkfifo("\(entry)/\(name)", 0o600) == 0)
        #expect(isSame(try speak(cache, fromCache: false), expected))
    }

    @Test("another model at the same place replaces the entry")
    func exchangedModel() throws {
        let cache = try Scratch()
        let models = try Scratch()
        let path = try models.file("voice.onnx", try Data(contentsOf: URL(filePath: TestVoice.tern)))
        let expected = try speak(cache, fromCache: false, model: path)
        #expect(isSame(try speak(cache, fromCache: true, model: path), expected))
        _ = try models.file("voice.onnx", try Data(contentsOf: URL(filePath: TestVoice.flock)))
        let session = try InferenceSession(model: path, exposing: "Ceil", threads: 1, cacheDirectory: cache.path)
        #expect(!session.isFromCache)
        #expect(session.inputs.map(\.name).contains("sid"))
    }

    @Test("the entry of a model that is gone is removed when another one is made")
    func goneModel() throws {
        let cache = try Scratch()
        let models = try Scratch()
        let path = try models.file("voice.onnx", try Data(contentsOf: URL(filePath: TestVoice.tern)))
        _ = try speak(cache, fromCache: false, model: path)
        let gone = try #require(try cache.files().first)
        try FileManager.default.removeItem(atPath: path)
        _ = try speak(cache, fromCache: false)
        #expect(try !cache.files().contains(gone))
        #expect(try cache.files().count == 4)
    }

    @Test("a model that is abandoned leaves nothing in the cache")
    func abandonedModel() throws {
        let cache = try Scratch()
        do {
            let session = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: cache.path)
            session.abandonCache()
        }
        #expect(try cache.files().isEmpty)
    }

    @Test("a cache that cannot be written changes nothing but the time", arguments: ["missing", "a file"])
    func unwritable(kind: String) throws {
        let scratch = try Scratch()
        let folder = kind == "missing" ? scratch.path + "/missing" : try scratch.file("file", Data("x".utf8))
        let plain = try InferenceSession(model: TestVoice.tern, threads: 1)
        let session = try InferenceSession(model: TestVoice.tern, threads: 1, cacheDirectory: folder)
        #expect(isSame(try TestVoice.speak(session), try TestVoice.speak(plain)))
    }

    @Test("several sessions that fill one cache at once leave one sound entry")
    func race() async throws {
        let cache = try Scratch()
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
        #expect(try cache.files().count == 4)
        #expect(isSame(try speak(cache, fromCache: true), all[0]))
    }

    @Test("what a killed process left unfinished is removed, what a living one works on is not")
    func abandoned() throws {
        let cache = try Scratch()
        let dead = Process()
        dead.executableURL = URL(filePath: "/bin/true")
        try dead.run()
        dead.waitUntilExit()
        for process in [dead.processIdentifier, getppid()] {
            let folder = cache.path + "/abc.unfinished-\(process)-0"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(filePath: folder + "/weights"))
        }
        _ = try speak(cache, fromCache: false)
        #expect(!FileManager.default.fileExists(atPath: cache.path + "/abc.unfinished-\(dead.processIdentifier)-0"))
        #expect(FileManager.default.fileExists(atPath: cache.path + "/abc.unfinished-\(getppid())-0"))
    }
}
