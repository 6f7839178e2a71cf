import Testing
import TestNumbers

@testable import SynthAudio

@Suite("The limiter")
struct LimiterTests {
    private static let format = AudioFormat(sampleRate: 24_000, channels: 2)

    private func limited(_ samples: [Float], _ format: AudioFormat = Self.format, seed: UInt64 = 1) -> [Float] {
        var limiter = Limiter(format: format)
        var output: [Float] = []
        for piece in Signals.pieces(samples, channels: format.channels, seed: seed) {
            limiter.process(piece, into: &output)
        }
        limiter.finish(into: &output)
        return output
    }

    private func limited(_ samples: [Float], pieceSize: Int) -> [Float] {
        var limiter = Limiter(format: Self.format)
        var output: [Float] = []
        for start in stride(from: 0, to: samples.count, by: pieceSize) {
            limiter.process(samples[start..<min(start + pieceSize, samples.count)], into: &output)
        }
        limiter.finish(into: &output)
        return output
    }

    @Test("Audio below the threshold is bit-identical", arguments: [0, 2, 10, 238, 240, 242, 20_000])
    func passThrough(count: Int) {
        let samples = Signals.noise(count, amplitude: Limiter.threshold, seed: 7)
        #expect(limited(samples).map(\.bitPattern) == samples.map(\.bitPattern))
    }

    @Test("No sample exceeds the threshold, and the length stays the same", arguments: 1...20 as ClosedRange<UInt64>)
    func ceiling(seed: UInt64) {
        var generator = SeededRandom(seed)
        let amplitude = Float.random(in: 0.5...20, using: &generator)
        var samples = Signals.noise(30_000, amplitude: amplitude, seed: seed)
        // Between peaks, quiet intervals of various lengths let the gain recover.
        for _ in 0..<10 {
            let start = Int.random(in: 0..<29_000, using: &generator)
            for index in start..<start + Int.random(in: 1...1000, using: &generator) { samples[index] *= 0.01 }
        }
        let output = limited(samples, seed: seed)
        #expect(output.count == samples.count)
        #expect(output.allSatisfy { abs($0) <= Limiter.threshold })
    }

    @Test("Only the gain changes: peaks keep their shape, and the ratio between the channels is unchanged")
    func linked() {
        var samples = Signals.noise(48_000, amplitude: 0.2, seed: 5)
        for frame in 10_000..<10_050 {
            samples[frame * 2] = 3
            samples[frame * 2 + 1] = -0.75
        }
        let output = limited(samples)
        for frame in 10_000..<10_050 {
            #expect(output[frame * 2] > 0.9)
            #expect(abs(output[frame * 2 + 1] / output[frame * 2] + 0.25) < 1e-5)
        }
    }

    @Test("Audio before the look-ahead and long after a peak is bit-identical")
    func recovery() {
        var samples = Signals.noise(96_000, amplitude: 0.9, seed: 9)
        samples[20_000] = 4
        let output = limited(samples)
        let lookAhead = 24_000 / 200 * 2
        #expect(output[..<(20_000 - lookAhead)] == samples[..<(20_000 - lookAhead)])
        #expect(output[19_990] != samples[19_990])
        let lastChange = output.indices.last { output[$0] != samples[$0] }
        #expect(lastChange.map { $0 > 20_000 && $0 < 96_000 } == true)
    }

    @Test("The output does not depend on input after the look-ahead or on the chunk size")
    func causality() {
        let samples = Signals.noise(20_000, amplitude: 2, seed: 11)
        let whole = limited(samples, seed: 1)
        #expect(limited(samples, seed: 2) == whole)
        // The audio is quiet with a few peaks, so that some chunks pass unchanged and some are limited.
        var quiet = Signals.noise(200_000, amplitude: 0.9, seed: 12)
        for index in stride(from: 20_000, to: quiet.count, by: 50_001) { quiet[index] = 3 }
        let oneByOne = limited(quiet, pieceSize: 2)
        for size in [1000, 4096, 60_000, quiet.count] { #expect((limited(quiet, pieceSize: size) == oneByOne) == true) }
        var limiter = Limiter(format: Self.format)
        var output: [Float] = []
        limiter.process(samples[..<10_000], into: &output)
        #expect(output.count == 10_000 - 24_000 / 200 * 2)
        #expect(output[...] == whole[..<output.count])
    }

    @Test("A finished limiter can be reused")
    func reuse() {
        let samples = Signals.noise(5000, amplitude: 3, seed: 13)
        var limiter = Limiter(format: Self.format)
        var first: [Float] = []
        limiter.process(samples[...], into: &first)
        limiter.finish(into: &first)
        var second: [Float] = []
        limiter.process(samples[...], into: &second)
        limiter.finish(into: &second)
        #expect(first == second)
    }
}
