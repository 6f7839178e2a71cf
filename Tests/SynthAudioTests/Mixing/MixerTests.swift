import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Mixing channels")
struct MixerTests {
    private static let stereo = AudioFormat(sampleRate: 48_000, channels: 2)

    /// The complete mix of inputs that start together, in blocks of varying length.
    private func mix(_ sounds: [(samples: [Float], level: Float)], _ format: AudioFormat = stereo) -> [Float] {
        var mixer = Mixer(format: format)
        var random = SeededRandom(7)
        var mixed: [Float] = []
        let frames = (sounds.map(\.samples.count).max() ?? 0) / format.channels
        var start = 0
        while start < frames {
            let count = min(Int.random(in: 1...700, using: &random), frames - start)
            let inputs = sounds.map { sound in
                let samples = sound.samples
                let range = start * format.channels..<(start + count) * format.channels
                return MixerInput(samples[range.clamped(to: 0..<samples.count)], level: sound.level)
            }
            mixer.mix(inputs, frames: count, into: &mixed)
            start += count
        }
        mixer.finish(into: &mixed)
        return mixed
    }

    @Test("A single channel at level 1 is unchanged")
    func alone() {
        let samples = Signals.noise(20_000, amplitude: 1, seed: 1).map { max(-0.999, min(0.999, $0)) }
        #expect(isSame(mix([(samples, 1)]), samples))
    }

    @Test("Channels are added up sample by sample, each at its own level")
    func sums() {
        let first = Signals.noise(9000, amplitude: 0.3, seed: 1)
        let second = Signals.noise(5000, amplitude: 0.3, seed: 2)
        let mixed = mix([(first, 0.5), (second, 2), (first, 0)])
        let expected = first.indices.map { first[$0] * 0.5 + ($0 < second.count ? second[$0] * 2 : 0) }
        #expect(isSame(mixed, expected))
    }

    @Test("The mix never exceeds full scale even if the sum does, and its length stays the same")
    func limited() {
        let loud = Signals.tone(300, seconds: 0.5, sampleRate: 48_000, amplitude: 0.9)
        let mono = AudioFormat(sampleRate: 48_000, channels: 1)
        let mixed = mix([(loud, 1), (loud, 1), (loud, 4)], mono)
        #expect(mixed.count == loud.count)
        #expect(mixed.allSatisfy { abs($0) <= Limiter.threshold })
        #expect(mixed.contains { abs($0) > 0.9 })
        #expect(abs(Signals.frequency(of: mixed, sampleRate: 48_000) - 300) < 2)
    }

    @Test("A level changes linearly within a block")
    func ramp() {
        var mixer = Mixer(format: Self.stereo)
        var mixed: [Float] = []
        let ones = [Float](repeating: 0.5, count: 8)
        mixer.mix([MixerInput(ones[...], level: 0, from: 1)], frames: 4, into: &mixed)
        mixer.mix([MixerInput(ones[...], level: 0)], frames: 4, into: &mixed)
        mixer.finish(into: &mixed)
        #expect(isSame(mixed, [0.375, 0.375, 0.25, 0.25, 0.125, 0.125, 0, 0] + [Float](repeating: 0, count: 8)))
    }

    @Test("Without input, the mix is silent, and the mixer never reads more of an input than a block needs")
    func bounds() {
        var mixer = Mixer(format: Self.stereo)
        var mixed: [Float] = []
        mixer.mix([], frames: 3, into: &mixed)
        mixer.mix([MixerInput([1, 1, 0.5, 0.5].map { $0 / 2 }[...])], frames: 1, into: &mixed)
        mixer.finish(into: &mixed)
        #expect(isSame(mixed, [0, 0, 0, 0, 0, 0, 0.5, 0.5]))
    }
}
