import CSynthHibari
import EngineKit
import SynthSymbols
import TestNumbers
import Testing
import TestSupport

@testable import SynthHibari

@Suite("Running a small voice's model") struct HibariRunTests {
    private static let symbols: [Int32] = [0, 50, 83, 54, 156, 57, 16, 65, 87, 123, 54, 46, 4, 0]

    private func voice(_ small: SmallVoice = SmallVoice()) throws -> HibariWeights {
        let folder = try TemporaryFolder()
        return try HibariWeights(path: try folder.write(small.bytes, to: "voice.onnx"))
    }

    private func samples(_ run: HibariRun, frames: Int) throws -> [Float] {
        var samples: [Float] = []
        while try run.next(frames: frames, into: &samples) {}
        return samples
    }

    @Test("The samples do not depend on the number of frames per call or on the lane")
    func pieces() throws {
        let voice = try voice()
        let run = try HibariRun(voice)
        _ = try run.begin(Self.symbols, seed: 3, pitch: 1)
        let whole = try samples(run, frames: 10_000)
        #expect(whole.count == run.sampleCount && whole.contains { $0 != 0 })
        for frames in [1, 7, 16, 48] {
            let other = try HibariRun(voice)
            _ = try other.begin(Self.symbols, seed: 3, pitch: 1)
            #expect(try samples(other, frames: frames) == whole)
        }
        _ = try run.begin(Self.symbols, seed: 4, pitch: 1)
        #expect(try samples(run, frames: 16) != whole)
    }

    @Test("The plain kernels and the processor's kernels produce nearly the same audio")
    func kernels() throws {
        let voice = try voice()
        #expect(hb_model_select_kernels(voice.pointer, "plain") == 1)
        let run = try HibariRun(voice)
        _ = try run.begin(Self.symbols, seed: 3, pitch: 1)
        let plain = try samples(run, frames: 48)
        let power = plain.reduce(0) { $0 + $1 * $1 }
        for name in ["avx512-vnni", "avx2", "neon-dot", "neon"] where hb_model_select_kernels(voice.pointer, name) == 1
        {
            _ = try run.begin(Self.symbols, seed: 3, pitch: 1)
            let other = try samples(run, frames: 48)
            let error = zip(plain, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
            // If a sum is quantized to a different 8-bit value, the samples differ slightly.
            #expect(other.count == plain.count && error < power * 1e-2, "\(name): \(error / power)")
        }
    }

    @Test("A run has the requested duration", arguments: [0.5, 0.8, 1, 1.1, 1.25] as [Float])
    func rate(rate: Float) throws {
        let run = try HibariRun(voice())
        let own = try run.begin(Self.symbols, seed: 3, pitch: 1)
        let durations = SpokenRate.durations(own, rate: rate)
        try run.set(durations)
        let units = Double(own.reduce(0, +)) / Double(rate)
        #expect(abs(Double(durations.reduce(0, +)) - units) <= 0.5)
        #expect(try samples(run, frames: 16).count == durations.reduce(0, +) * HibariRun.unitLength)
        #expect(rate != 1 || durations == own)
    }

    @Test("Each symbol's end is off by at most half a unit, and no two adjacent symbols both have zero units")
    func ends() {
        var random = SeededRandom(5)
        for _ in 0..<2000 {
            let longest = Int.random(in: 1...9, using: &random)
            let own = (0..<Int.random(in: 2...400, using: &random)).map { _ in
                Int.random(in: 1...longest, using: &random)
            }
            let durations = SpokenRate.durations(own, rate: .random(in: 0.5...1.25, using: &random))
            #expect(durations[0] > 0 && !zip(durations, durations.dropFirst()).contains { $0 == 0 && $1 == 0 })
        }
        let own = (0..<300).map { $0 * 7 % 5 + 1 }
        for rate in [0.5, 0.6, 1.1, 1.25] as [Float] {
            let durations = SpokenRate.durations(own, rate: rate)
            var (sum, end) = (0, 0)
            for (before, after) in zip(own, durations) {
                sum += before
                end += after
                #expect(abs(Double(end) - Double(sum) / Double(rate)) <= 0.51)
            }
        }
    }

    @Test("No symbol lasts longer than the core's limit, even at a slow rate")
    func longest() throws {
        let own = [3, 399, 1, 400, 5]
        #expect(SpokenRate.durations(own, rate: 0.5) == [6, 400, 2, 400, 10])
        let run = try HibariRun(voice())
        let count = try run.begin(Self.symbols, seed: 3, pitch: 1).count
        try run.set(SpokenRate.durations([Int](repeating: 400, count: count), rate: 0.5))
        #expect(run.sampleCount == count * 400 * HibariRun.unitLength)
    }

    @Test("Unknown symbols are rejected")
    func unknownSymbols() throws {
        let run = try HibariRun(voice())
        #expect(throws: (any Error).self) { _ = try run.begin([0, 178, 0], seed: 1, pitch: 1) }
        #expect(throws: (any Error).self) { _ = try run.begin([0], seed: 1, pitch: 1) }
        #expect(throws: (any Error).self) { try run.set([1, 2]) }
    }

    @Test(
        "A model with excessive durations is rejected, and the error includes its role",
        arguments: [
            (SmallVoice.Fault.endless, "Symbol 0 lasts longer than 10 s"),
            (.slow, "A sentence lasts longer than 200 s"),
        ])
    func hostileDurations(fault: SmallVoice.Fault, says: String) throws {
        let run = try HibariRun(voice(SmallVoice(fault: fault)))
        let symbols = [0] + [Int32](repeating: 50, count: 30) + [0]
        let error = #expect(throws: EngineError.self) { _ = try run.begin(symbols, seed: 1, pitch: 1) }
        #expect(error?.status == .badFile && error?.role == "model")
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
        // A run with invalid durations is not computed.
        #expect(run.sampleCount == 0)
        #expect(try samples(run, frames: 16).isEmpty)
    }

    @Test(
        "The noise depends on the symbols and the position, and is random only if the variation exceeds 1"
    )
    func seeds() {
        let seed = NoiseSeed.of(Self.symbols, position: 0, variation: 1)
        #expect(seed == NoiseSeed.of(Self.symbols, position: 0, variation: 0))
        #expect(seed != NoiseSeed.of(Self.symbols, position: 1, variation: 1))
        #expect(
            seed != NoiseSeed.of(Self.symbols.reversed(), position: 0, variation: 1)
                || Self.symbols == Self.symbols.reversed())
        let others = (0..<4).map { _ in NoiseSeed.of(Self.symbols, position: 0, variation: 1.5) }
        #expect(Set(others + [seed]).count == 5)
    }

    @Test("The model's silence is removed from both ends")
    func silence() throws {
        let run = try HibariRun(voice())
        for isAwaited in [true, false] {
            let own = try run.begin(Self.symbols, seed: 3, pitch: 1)
            var sound = RunSound(own, sampleCount: run.sampleCount, rate: 1)
            try sound.begin(run, isAwaited: isAwaited)
            #expect(sound.audible.lowerBound <= own[0] * HibariRun.unitLength)
            sound.keep(until: run.sampleCount - sound.audible.lowerBound - 100)
            var whole: [Float] = []
            while let piece = try sound.next(of: run) { whole += piece }
            #expect((0...100).contains(run.sampleCount - sound.audible.lowerBound - whole.count))
            #expect(try sound.next(of: run) == nil)
        }
    }
}
