import Testing
import TestNumbers

@testable import SynthAudio

@Suite("Pauses without clicks")
struct PauseFadeTests {
    private static let format = AudioFormat(sampleRate: 24_000, channels: 2)

    @Test("Audio without pauses is bit-identical")
    func passThrough() {
        let samples = Signals.noise(20_000, amplitude: 1, seed: 21)
        var fade = PauseFade(format: Self.format)
        var output: [Float] = []
        for piece in Signals.pieces(samples, channels: 2) { fade.process(piece, into: &output) }
        fade.finish(into: &output)
        #expect(output == samples)
    }

    @Test(
        "A pause ends in silence, playback resumes from silence, and no frame is lost", arguments: [2, 100, 144, 5000])
    func pause(count: Int) {
        let level = Array(repeating: Float(0.8), count: count)
        var fade = PauseFade(format: Self.format)
        var before: [Float] = []
        fade.process(level[...], into: &before)
        fade.pause(into: &before)
        #expect(before.count == count)
        #expect(before.suffix(2) == [0, 0])
        var after: [Float] = []
        for piece in Signals.pieces(Array(repeating: 0.8, count: 8000), channels: 2) {
            fade.process(piece, into: &after)
        }
        fade.pause(into: &after)
        #expect(after.count == 8000)
        #expect(after.prefix(2) == [0, 0])
        let joined = before + after + [0, 0]
        let steps = joined.indices.dropFirst(4).map { abs(joined[$0] - joined[$0 - 2]) }
        if count >= 144 { #expect(steps.allSatisfy { $0 < 0.02 }) }
        #expect(after[4000] == 0.8)
    }
}
