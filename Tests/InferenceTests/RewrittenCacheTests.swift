import Foundation
import Synchronization
import Testing
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthInference

@Suite struct RewrittenCacheTests {
    private let cache: TemporaryFolder
    private let outcomes = Outcomes()

    init() throws {
        cache = try TemporaryFolder()
    }

    private func session(
        _ path: String, threads: Int, check: [Int64] = [1, 5, 9, 3, 7], _ precision: ModelPrecision = .exact,
        sampleRate: Int? = nil
    ) throws -> InferenceSession {
        let session = try InferenceSession(
            model: path, threads: threads, cacheDirectory: cache.path, rewrittenAs: .vits, precision: precision)
        let check = RewriteCheck(TinyVoice.inputs(check), output: "output", sampleRate: sampleRate)
        session.rewrite(checkedBy: check) { [outcomes] outcome in outcomes.all.withLock { $0.append(outcome) } }
        return session
    }

    @Test("The cache returns the rewritten voice, which produces the same samples", arguments: [1, 2])
    func sameSamples(threads: Int) throws {
        let models = try TemporaryFolder()
        let path = try models.write(
            Data(TinyVoice.model(.init(strides: [2, 16])).bytes), to: "a.onnx")
        let plain = try InferenceSession(model: path, threads: threads)
        _ = try TestVoice.speak(try session(path, threads: threads), [1, 2])
        let block = try #require(BlockSize.probe(try KernelDomain.runtime))
        let expected = RewriteOutcome(
            .rewritten, "in 2 parts, the vocoder in blocks of \(block) channels")
        #expect(outcomes.all.withLock { $0 } == [expected])
        let rewritten = try session(path, threads: threads)
        #expect(rewritten.isFromCache && rewritten.rewriting == expected)
        for text in TinyVoice.texts() {
            let difference = relativeDifference(
                try TestVoice.speak(plain, text), try TestVoice.speak(rewritten, text))
            #expect(difference <= 1e-5, "\(text.count) ids")
        }
        let names = try cache.entries().compactMap { $0.split(separator: "/").dropFirst().first.map { String($0) } }
        #expect(names == ["graph-1.onnx", "graph.onnx", "record", "weights", "weights-1", "weights-2"])
    }

    @Test("The fast variant has an integer vocoder if the processor supports it")
    func fast() throws {
        let models = try TemporaryFolder()
        let path = try models.write(Data(TinyVoice.model(.init(strides: [2, 16])).bytes), to: "a.onnx")
        let plain = try InferenceSession(model: path, threads: 1)
        _ = try TestVoice.speak(try session(path, threads: 1, .fast), [1, 2])
        let block = try #require(BlockSize.probe(try KernelDomain.runtime))
        let hasIntegers = BlockedConvolution.multipliesIntegers
        let expected = RewriteOutcome(
            .rewritten, "in 2 parts, the vocoder in blocks of \(block) channels\(hasIntegers ? " as int8" : "")")
        #expect(outcomes.all.withLock { $0 } == [expected])
        let fast = try session(path, threads: 1, .fast)
        #expect(fast.isFromCache && fast.rewriting == expected)
        for text in TinyVoice.texts() {
            let difference = relativeDifference(
                try TestVoice.speak(plain, text), try TestVoice.speak(fast, text))
            #expect(difference <= 0.1 && (difference > 1e-5) == hasIntegers, "\(text.count) ids")
        }
    }

    /// At the first sample rate, the audio is so long that any machine is fast enough. At the second, it is so short
    /// that no machine is.
    @Test("The exact vocoder is used unless speech would be slower than real time", arguments: [1, 1_000_000_000_000])
    func automatic(sampleRate: Int) throws {
        let models = try TemporaryFolder()
        let path = try models.write(Data(TinyVoice.model(.init(strides: [2, 16])).bytes), to: "a.onnx")
        _ = try TestVoice.speak(try session(path, threads: 1, .automatic, sampleRate: sampleRate), [1, 2])
        let isFast = BlockedConvolution.multipliesIntegers && sampleRate > 1
        let description = try #require(outcomes.all.withLock { $0.first }).description
        let reason = " as int8, because computing a second of audio with floats takes "
        #expect(description.contains(reason) == isFast, "\(description)")
        let cached = try session(path, threads: 1, .automatic)
        #expect(cached.isFromCache && cached.rewriting?.description == description)
    }

    @Test(
        "Weights that a rewrite added are checked like all other weights", arguments: ["weights-1", "weights-2"],
        [true, false])
    func damagedWeights(file: String, isMissing: Bool) throws {
        let models = try TemporaryFolder()
        let path = try models.write(Data(TinyVoice.model().bytes), to: "a.onnx")
        let expected = try TestVoice.speak(try session(path, threads: 1), [1, 2])
        let entry = try #require(try cache.entries().first { $0.hasSuffix("/\(file)") })
        var data = try cache.data(entry)
        data[data.count / 2] ^= 1
        try FileManager.default.removeItem(atPath: cache.path + "/" + entry)
        if !isMissing { _ = try cache.write(data, to: entry) }
        let again = try session(path, threads: 1)
        #expect(!again.isFromCache)
        #expect(relativeDifference(expected, try TestVoice.speak(again, [1, 2])) <= 1e-5)
    }

    @Test("Models with names that cannot be recorded are not cached", arguments: ["a\nb", "a\r", ""])
    func strangeNames(name: String) throws {
        let models = try TemporaryFolder()
        var model = TinyVoice.model(hasFlow: true)
        let ceil = try #require(model.nodes.firstIndex { $0.operation == "Ceil" })
        let old = model.nodes[ceil].outputs[0]
        for number in model.nodes.indices {
            model.nodes[number].inputs = model.nodes[number].inputs.map { $0 == old && !name.isEmpty ? name : $0 }
        }
        if !name.isEmpty { model.nodes[ceil].outputs = [name] }
        let path = try models.write(Data(model.bytes), to: "a.onnx")
        for _ in 0..<2 {
            let session = try InferenceSession(
                model: path, exposing: "Ceil", threads: 1, cacheDirectory: cache.path, rewrittenAs: .vits)
            session.rewrite(checkedBy: RewriteCheck(TinyVoice.inputs([1, 5]), output: "output")) { _ in }
            #expect(session.exposed == (name.isEmpty ? old : name))
            _ = try TestVoice.speak(session, [1, 2])
        }
        #expect(try cache.entries().isEmpty == !name.isEmpty)
    }

    @Test("The test voices have a different kind of vocoder, so their audio is bit-identical", arguments: [1, 2])
    func testVoices(threads: Int) throws {
        let plain = try InferenceSession(model: TestVoice.tern, threads: threads)
        _ = try TestVoice.speak(try session(TestVoice.tern, threads: threads))
        let cached = try session(TestVoice.tern, threads: threads)
        #expect(cached.isFromCache)
        #expect(cached.rewriting?.kind == .unknown)
        #expect(cached.rewriting?.description.contains("the vocoder contains an unsupported node, Gather") == true)
        for text in TinyVoice.texts(3) {
            let isEqual = isSame(try TestVoice.speak(plain, text), try TestVoice.speak(cached, text))
            #expect(isEqual, "\(text.count) ids")
        }
    }

    @Test("A model that fails its check is cached as published, and the rewrite is not attempted again")
    func failedOnce() throws {
        let models = try TemporaryFolder()
        let path = try models.write(Data(TinyVoice.model().bytes), to: "a.onnx")
        // The ID does not exist, so neither model can speak it.
        _ = try TestVoice.speak(try session(path, threads: 1, check: [1, 1000]), [1, 2])
        #expect(outcomes.all.withLock { $0.map(\.kind) } == [.failed])
        let plain = try TemporaryFolder()
        _ = try TestVoice.speak(try InferenceSession(model: path, threads: 1, cacheDirectory: plain.path), [1, 2])
        for file in ["graph.onnx", "weights"] {
            let (kept, expected) = (try content(of: file, in: cache), try content(of: file, in: plain))
            #expect(!kept.isEmpty && kept == expected, "\(file)")
        }
        let entries = try cache.entries()
        let records = try content(of: "record", in: cache)
        let again = try session(path, threads: 1)
        #expect(again.isFromCache && again.rewriting?.kind == .failed)
        let published = try InferenceSession(model: path, threads: 1)
        let isEqual = isSame(try TestVoice.speak(published, [4, 5, 6]), try TestVoice.speak(again, [4, 5, 6]))
        #expect(isEqual)
        again.finishCache()
        #expect(outcomes.all.withLock { $0.count } == 1)
        #expect(try cache.entries() == entries && content(of: "record", in: cache) == records)
    }

    private func content(of file: String, in cache: TemporaryFolder) throws -> Data {
        let path = try #require(try cache.entries().first { $0.hasSuffix("/\(file)") })
        return try cache.data(path)
    }

    @Test("Audio counts as different if it is shorter, is empty, or contains NaNs")
    func differences() {
        #expect(RewriteCheck.difference([0, 0.5], [0, 0.25]) == 0.25)
        #expect(RewriteCheck.difference([0.5], [0.5]) == 0)
        #expect(RewriteCheck.difference([0.5], [0.5, 0]) == .infinity)
        #expect(RewriteCheck.difference([], []) == .infinity)
        #expect(RewriteCheck.difference([0.5, .nan, 0], [0.5, 0, 0]) == .infinity)
    }

    @Test("Sessions with any number of threads use the same variant of the model")
    func threads() throws {
        let models = try TemporaryFolder()
        let path = try models.write(Data(TinyVoice.model().bytes), to: "a.onnx")
        _ = try TestVoice.speak(try session(path, threads: 1), [1, 2])
        #expect(try session(path, threads: 2).isFromCache)
    }
}
