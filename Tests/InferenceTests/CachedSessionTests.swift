import Dispatch
import Foundation
import Synchronization
import Testing
import TestSupport
import TinyModels

@testable import SynthInference

@Suite(.ownThreads) struct CachedSessionTests {
    private let folder: TemporaryFolder
    private let cache: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        cache = try TemporaryFolder()
        path = try folder.write(Data(TinyVoice.model(hasFlow: true).bytes), to: "a.onnx")
    }

    private func model(cacheDirectory: String?) throws -> CachedSession {
        let model = try CachedSession(
            model: path, exposing: "Ceil", threads: 2, cacheDirectory: cacheDirectory, rewrittenAs: .vits)
        model.session.rewrite(checkedBy: RewriteCheck(TinyVoice.inputs([1, 5, 9]), output: "output")) { _ in }
        return model
    }

    private func speak(_ session: InferenceSession) throws -> [Float] {
        try TestVoice.speak(session, [1, 5, 9, 3, 7, 20, 31, 2])
    }

    private func finish(_ model: CachedSession, _ session: InferenceSession) {
        model.finishCache(session, until: DispatchSemaphore(value: 0))
    }

    @Test("After its first use, a model runs from the cache with the same outputs")
    func renewed() throws {
        let model = try model(cacheDirectory: cache.path)
        let first = model.session
        let expected = try speak(first)
        finish(model, first)
        let second = model.session
        #expect(!first.isFromCache && second.isFromCache && second.runsInParts)
        #expect(second.outputs.map(\.name) == first.outputs.map(\.name))
        #expect(relativeDifference(expected, try speak(second)) <= 1e-5)
        finish(model, second)
        #expect(model.session === second)
    }

    @Test("Requests that hold the first session keep using it, even in parallel")
    func oldSession() throws {
        let model = try model(cacheDirectory: cache.path)
        let first = model.session
        let expected = try speak(first)
        finish(model, first)
        let differences = Mutex<[Float]>([])
        // There are more runs than necessary to create a second session.
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            let found = (try? speak(first)) ?? []
            differences.withLock { $0.append(relativeDifference(expected, found)) }
        }
        #expect(differences.withLock { $0.count } == 12)
        #expect(differences.withLock { $0.allSatisfy { $0 <= 1e-5 } })
    }

    @Test("Many concurrent requests use the split session")
    func concurrentHalves() throws {
        let model = try model(cacheDirectory: cache.path)
        let expected = try speak(model.session)
        finish(model, model.session)
        let session = model.session
        let differences = Mutex<[Float]>([])
        DispatchQueue.concurrentPerform(iterations: 24) { _ in
            let found = (try? speak(session)) ?? []
            differences.withLock { $0.append(relativeDifference(expected, found)) }
        }
        #expect(differences.withLock { $0.count == 24 && $0.allSatisfy { $0 <= 1e-5 } })
    }

    @Test("Without a cache, or with a read-only one, the session does not change", arguments: [true, false])
    func noCache(hasFolder: Bool) throws {
        let missing = folder.path + "/missing"
        let model = try model(cacheDirectory: hasFolder ? missing : nil)
        let first = model.session
        for _ in 0..<2 {
            _ = try speak(first)
            finish(model, first)
            #expect(model.session === first)
        }
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test("If the cached variant disappears, the first session remains in use")
    func gone() throws {
        let model = try model(cacheDirectory: cache.path)
        let first = model.session
        let expected = try speak(first)
        finish(model, first)
        let entry = try #require(try cache.entries().first)
        try FileManager.default.moveItem(atPath: cache.path + "/" + entry, toPath: cache.path + "/away")
        #expect(model.session === first)
        #expect(isSame(try speak(model.session), expected))
        try FileManager.default.moveItem(atPath: cache.path + "/away", toPath: cache.path + "/" + entry)
        #expect(model.session.isFromCache)
    }

    @Test("Waiting for the cache can be interrupted, and the variant is still written")
    func interrupted() throws {
        let model = try model(cacheDirectory: cache.path)
        let first = model.session
        let over = DispatchSemaphore(value: 0)
        over.signal()
        model.finishCache(first, until: over)
        finish(model, first)
        #expect(model.session.isFromCache)
    }

    @Test("A session writes nothing to the cache if its rewritten model has not been checked")
    func unchecked() throws {
        do {
            let session = try InferenceSession(
                model: path, threads: 1, cacheDirectory: cache.path, rewrittenAs: .vits)
            _ = try speak(session)
        }
        #expect(try cache.entries().isEmpty)
    }
}
