import SynthAudio
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Audio processing after an engine")
struct UtteranceChainTests {
    private static let mono = AudioFormat(sampleRate: 16_000, channels: 1)

    private func sawtooth(_ count: Int, amplitude: Float = 0.5) -> [Float] {
        (0..<count).map { amplitude * (2 * Float($0 % 128) / 128 - 1) }
    }

    private func run(_ chain: UtteranceChain, _ samples: [Float], piece: Int) throws -> [Float] {
        var chain = chain
        var output: [Float] = []
        for start in stride(from: 0, to: samples.count, by: piece) {
            output += try chain.process(Array(samples[start..<min(start + piece, samples.count)]))
        }
        return try output + chain.finish()
    }

    @Test("A chain that changes nothing passes all samples through", arguments: [1, 100, 4096])
    func identity(piece: Int) throws {
        let samples = sawtooth(5000)
        let chain = try UtteranceChain(from: Self.mono, to: Self.mono, tempo: 1, pitch: 1, gain: Gain(factor: 1))
        #expect(try run(chain, samples, piece: piece) == samples)
        #expect(chain.outputFrame(forInput: 1234) == 1234)
    }

    @Test("The chain changes the tempo, then the sample rate and channels for the sink, and maps frames")
    func formats() throws {
        let stereo = AudioFormat(sampleRate: 48_000, channels: 2)
        let chain = try UtteranceChain(from: Self.mono, to: stereo, tempo: 2, pitch: 1, gain: Gain(factor: 1))
        let output = try run(chain, sawtooth(32_000), piece: 1000)
        // Two seconds become one, and each frame becomes two samples.
        #expect(abs(output.count - 96_000) < 4000)
        #expect(abs(chain.outputFrame(forInput: 16_000) - 24_000) < 50)
    }

    @Test("The pitch changes the frequency but not the duration")
    func pitch() throws {
        let chain = try UtteranceChain(from: Self.mono, to: Self.mono, tempo: 1, pitch: 1.5, gain: Gain(factor: 1))
        let output = try run(chain, sawtooth(32_000), piece: 512)
        #expect(abs(output.count - 32_000) < 1000)
        let frequency = try #require(fundamentalFrequency(output, sampleRate: 16_000))
        #expect(abs(frequency - 187.5) < 8)
    }

    @Test("Samples stay in range even with a high gain")
    func limited() throws {
        let chain = try UtteranceChain(from: Self.mono, to: Self.mono, tempo: 1, pitch: 1, gain: Gain(factor: 4))
        let output = try run(chain, sawtooth(8000), piece: 333)
        #expect(output.count == 8000)
        #expect(output.allSatisfy { abs($0) <= 1 } && output.contains { abs($0) > 0.8 })
    }

    @Test("An invalid format is rejected")
    func refused() {
        #expect(throws: AudioError.self) {
            try UtteranceChain(
                from: AudioFormat(sampleRate: 16_000, channels: 9), to: Self.mono, tempo: 1, pitch: 1,
                gain: Gain(factor: 1))
        }
    }
}
