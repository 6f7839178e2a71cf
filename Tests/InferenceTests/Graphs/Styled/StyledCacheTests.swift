import Foundation
import Synchronization
import Testing
import TestNumbers
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct StyledCacheTests {
    private let cache: TemporaryFolder
    private let models: TemporaryFolder
    private let outcomes = Outcomes()

    init() throws {
        cache = try TemporaryFolder()
        models = try TemporaryFolder()
    }

    private func session(
        _ path: String, _ kind: RewriteKind = .styled, _ precision: ModelPrecision = .exact, sampleRate: Int? = nil
    ) throws -> InferenceSession {
        let session = try InferenceSession(
            model: path, threads: 1, cacheDirectory: cache.path, rewrittenAs: kind, precision: precision)
        let check = RewriteCheck(TinyModel.styled(20, channels: 64), output: "output", sampleRate: sampleRate)
        session.rewrite(checkedBy: check) { [outcomes] outcome in outcomes.all.withLock { $0.append(outcome) } }
        return session
    }

    private func speak(_ session: InferenceSession, frames: Int) throws -> [Float] {
        let outputs = try session.run(
            TinyModel.styled(frames, channels: 64, seed: UInt64(frames)), outputs: ["output"], as: InferenceRun())
        return outputs[0].withFloats { Array($0) } ?? []
    }

    @Test(
        "The cache returns the rewritten voice, which produces the same samples",
        arguments: [TinyModel.NormForm.oneNode, .steps])
    func sameSamples(norms: TinyModel.NormForm) throws {
        let path = try models.write(Data(TinyModel.styledVocoder(.init(norms: norms)).bytes), to: "a.onnx")
        let block = try #require(BlockSize.probe(try KernelDomain.runtime))
        _ = try speak(try session(path), frames: 3)
        let expected = RewriteOutcome(
            .rewritten,
            "8 norms and 8 sines folded, 8 convolutions and 1 upsampling in blocks of \(block) channels")
        #expect(outcomes.all.withLock { $0 } == [expected])
        let rewritten = try session(path)
        #expect(rewritten.isFromCache && rewritten.rewriting == expected)
        let plain = try InferenceSession(model: path, threads: 1)
        for frames in [2, 7, 40, 301] {
            let difference = relativeDifference(
                try speak(plain, frames: frames), try speak(rewritten, frames: frames))
            #expect(difference <= 1e-5, "\(frames) frames")
        }
        #expect(try cache.entries().count == 6)
    }

    @Test("If the processor supports them, the fast variant has 8-bit convolutions and a separate cache entry")
    func fast() throws {
        let path = try models.write(Data(TinyModel.styledVocoder(.init()).bytes), to: "a.onnx")
        let block = try #require(BlockSize.probe(try KernelDomain.runtime))
        let hasIntegers = BlockedConvolution.multipliesIntegers
        _ = try speak(try session(path, .styled, .fast), frames: 3)
        let convolutions =
            "8 convolutions and 1 upsampling in blocks of \(block) channels\(hasIntegers ? " as int8" : "")"
        let expected = RewriteOutcome(.rewritten, "8 norms and 8 sines folded, \(convolutions)")
        #expect(outcomes.all.withLock { $0 } == [expected])
        let fast = try session(path, .styled, .fast)
        #expect(fast.isFromCache && fast.rewriting == expected)
        let plain = try InferenceSession(model: path, threads: 1)
        for frames in [2, 40, 301] {
            let difference = relativeDifference(try speak(plain, frames: frames), try speak(fast, frames: frames))
            #expect(difference <= 0.3 && (difference > 1e-5) == hasIntegers, "\(frames) frames")
        }
        #expect(try session(path).isFromCache == !hasIntegers)
    }

    /// At the first sample rate, the audio is so long that any machine is fast enough. At the second, it is so short
    /// that no machine is.
    @Test("The exact variant is used unless speech would be slower than real time", arguments: [1, 1_000_000_000_000])
    func automatic(sampleRate: Int) throws {
        let path = try models.write(Data(TinyModel.styledVocoder(.init()).bytes), to: "a.onnx")
        let block = try #require(BlockSize.probe(try KernelDomain.runtime))
        let isFast = BlockedConvolution.multipliesIntegers && sampleRate > 1
        _ = try speak(try session(path, .styled, .automatic, sampleRate: sampleRate), frames: 3)
        let form = "8 norms and 8 sines folded, 8 convolutions and 1 upsampling in blocks of \(block) channels"
        let outcome = try #require(outcomes.all.withLock { $0.first })
        #expect(outcome.kind == .rewritten)
        let reason = ", because computing a second of audio with floats takes "
        #expect(isFast ? outcome.description.hasPrefix("\(form) as int8\(reason)") : outcome.description == form)
        let cached = try session(path, .styled, .automatic, sampleRate: sampleRate)
        #expect(cached.isFromCache && cached.rewriting == outcome)
        let plain = try InferenceSession(model: path, threads: 1)
        let difference = relativeDifference(try speak(plain, frames: 40), try speak(cached, frames: 40))
        #expect(difference <= 0.3 && (difference > 1e-5) == isFast)
    }

    @Test("Norms and sines are folded even if no convolution can be computed in blocks of channels")
    func folded() throws {
        let shape = TinyModel.StyledVocoder(channels: 24)
        let path = try models.write(Data(TinyModel.styledVocoder(shape).bytes), to: "a.onnx")
        let check = RewriteCheck(TinyModel.styled(20, channels: 24), output: "output")
        do {
            let first = try InferenceSession(
                model: path, threads: 1, cacheDirectory: cache.path, rewrittenAs: .styled)
            first.rewrite(checkedBy: check) { [outcomes] outcome in outcomes.all.withLock { $0.append(outcome) } }
        }
        #expect(outcomes.all.withLock { $0 } == [RewriteOutcome(.rewritten, "8 norms and 8 sines folded")])
        let rewritten = try InferenceSession(
            model: path, threads: 1, cacheDirectory: cache.path, rewrittenAs: .styled)
        #expect(rewritten.isFromCache)
        let plain = try InferenceSession(model: path, threads: 1)
        #expect(relativeDifference(try check.expected(plain).samples, try check.expected(rewritten).samples) <= 1e-5)
    }

    @Test("A voice with noise is compared using the same noise and then generates its own noise afterward")
    func noise() throws {
        let path = try models.write(Data(TinyModel.styledVocoder(.init(makesNoise: true)).bytes), to: "a.onnx")
        let first = try session(path)
        _ = try speak(first, frames: 3)
        first.finishCache()
        #expect(outcomes.all.withLock { $0.map(\.kind) } == [.rewritten])
        let rewritten = try session(path)
        #expect(rewritten.isFromCache)
        // Neither session lists the noise as an output, and the rewritten session has no additional input.
        #expect([first, rewritten].map { $0.outputs.map(\.name) } == [["output"], ["output"]])
        #expect(rewritten.inputs == first.inputs)
        #expect(try speak(rewritten, frames: 9) != speak(rewritten, frames: 9))
        #expect(try cache.entries().count == 6)
        let graph = try #require(try cache.entries().first { $0.hasSuffix("graph.onnx") })
        try Array(try cache.data(graph)).withUnsafeBytes { memory in
            let noise = try ModelGraph(memory).nodes.filter { $0.operation == "RandomNormalLike" }
            #expect(noise.count == 1 && noise.allSatisfy { $0["seed"] == nil })
        }
    }

    @Test("A model from another family is left unchanged")
    func unknown() throws {
        let path = try models.write(Data(TinyVoice.model().bytes), to: "a.onnx")
        _ = try TestVoice.speak(try session(path), [1, 2])
        let expected = RewriteOutcome(.unknown, "no norm gets its scale and bias from a style vector")
        #expect(outcomes.all.withLock { $0 } == [expected])
    }

    @Test("The variant for one model family is not used for a different family")
    func kinds() throws {
        let path = try models.write(Data(TinyModel.styledVocoder(.init()).bytes), to: "a.onnx")
        _ = try speak(try session(path), frames: 3)
        #expect(try session(path).isFromCache)
        #expect(try !session(path, .vits).isFromCache)
    }
}
