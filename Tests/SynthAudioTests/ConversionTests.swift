import Testing
import TestNumbers

@testable import SynthAudio

@Suite("Converting sample rate, channels and tempo")
struct ConversionTests {
    private func converted(_ samples: [Float], from: AudioFormat, to: AudioFormat) throws -> [Float] {
        let converter = try FormatConverter(from: from, to: to)
        var output: [Float] = []
        for piece in Signals.pieces(samples, channels: from.channels) { try converter.process(piece, into: &output) }
        try converter.finish(into: &output)
        return output
    }

    private func stretched(_ samples: [Float], _ format: AudioFormat, tempo: Double, pitch: Double) throws -> [Float] {
        let stretch = try TempoStretch(format: format, tempo: tempo, pitch: pitch)
        var output: [Float] = []
        for piece in Signals.pieces(samples, channels: format.channels) { try stretch.process(piece, into: &output) }
        try stretch.finish(into: &output)
        return output
    }

    @Test(
        "A tone of 440 Hz stays at 440 Hz at every sample rate",
        arguments: [(22_050, 48_000), (24_000, 16_000), (8000, 44_100)])
    func rate(from: Int, to: Int) throws {
        let tone = Signals.tone(440, seconds: 2, sampleRate: from)
        let output = try converted(
            tone, from: AudioFormat(sampleRate: from, channels: 1), to: AudioFormat(sampleRate: to, channels: 1))
        #expect(abs(output.count - 2 * to) <= 2)
        #expect(abs(Signals.frequency(of: output, sampleRate: to) - 440) < 0.5)
        let peak = output.map(abs).max() ?? 0
        #expect((0.48...0.53).contains(peak))
    }

    @Test("The converter reports the correct output position of a frame")
    func ratePosition() throws {
        var samples = Array(repeating: Float(0), count: 22_050)
        samples[10_000] = 0.9
        let converter = try SampleRateConverter(from: 22_050, to: 48_000, channels: 1)
        var output: [Float] = []
        try converter.process(samples[...], into: &output)
        try converter.finish(into: &output)
        let loudest = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
        #expect(abs(loudest - converter.outputFrame(forInput: 10_000)) <= 1)
    }

    @Test("A converter that has finished accepts a new stream, even a very short one", arguments: [1, 2, 10, 100])
    func shortStreams(count: Int) throws {
        let converter = try SampleRateConverter(from: 16_000, to: 48_000, channels: 1)
        for _ in 0..<2 {
            var output: [Float] = []
            try converter.process(Array(repeating: 0.5, count: count)[...], into: &output)
            try converter.finish(into: &output)
            #expect(abs(output.count - 3 * count) <= 3)
        }
        var nothing: [Float] = []
        try converter.finish(into: &nothing)
        #expect(nothing.isEmpty)
    }

    @Test("Audio that needs no conversion is bit-identical")
    func same() throws {
        let format = AudioFormat(sampleRate: 22_050, channels: 2)
        let samples = Signals.noise(9000, amplitude: 1, seed: 2)
        #expect(try converted(samples, from: format, to: format) == samples)
        #expect(try stretched(samples, format, tempo: 1, pitch: 1) == samples)
    }

    /// Noise that is uncorrelated with the noise for any other seed.
    private static func noise(_ seed: UInt64, seconds: Double = 2) -> [Float] {
        Signals.noise(Int(seconds * 22_050), amplitude: 0.5, seed: seed)
    }

    private static func interleaved(_ channels: [[Float]]) -> [Float] {
        (channels.first ?? []).indices.flatMap { frame in channels.map { $0[frame] } }
    }

    private func mixed(_ channels: [[Float]]) throws -> [Float] {
        try converted(
            Self.interleaved(channels), from: AudioFormat(sampleRate: 22_050, channels: channels.count),
            to: AudioFormat(sampleRate: 22_050, channels: 1))
    }

    @Test("Channels in opposite phase do not cancel each other out, and other channels are averaged")
    func opposite() throws {
        let (one, other) = (Self.noise(1), Self.noise(2))
        let inverted = one.map { -$0 }
        #expect(try mixed([one, inverted]) == one)
        #expect(try mixed([inverted, one]) == inverted)
        #expect(try mixed([one, one]) == one)
        #expect(try mixed([one, other]) == zip(one, other).map { ($0 + $1) / 2 })
        let silent = [Float](repeating: 0, count: one.count)
        #expect(try mixed([silent, one]) == one.map { $0 / 2 })
        // Each additional channel is added in phase with the previous ones.
        let three = try mixed([one, inverted, one])
        #expect(zip(three, one).allSatisfy { abs($0 - $1) < 1e-6 })
        let quiet = one.map { -0.3 * $0 }
        #expect(zip(try mixed([one, quiet]), one).allSatisfy { abs($0 - 0.65 * $1) < 1e-6 })
        // Channels are also added in phase when six channels are converted to stereo.
        let six = try converted(
            Self.interleaved([one, inverted, one, inverted, silent, silent]),
            from: AudioFormat(sampleRate: 22_050, channels: 6), to: AudioFormat(sampleRate: 22_050, channels: 2))
        #expect(zip(Signals.firstChannel(six, of: 2), one).allSatisfy { abs($0 - $1 * 4 / 6) < 1e-6 })
    }

    @Test("If a channel's phase flips in the middle, there is no step in the output, regardless of the chunk size")
    func turning() throws {
        let tone = Signals.tone(200, seconds: 4, sampleRate: 22_050)
        let other = tone.indices.map { $0 < tone.count / 2 ? tone[$0] : -tone[$0] }
        let samples = Self.interleaved([tone, other])
        let output = try mixed([tone, other])
        #expect(output.count == tone.count)
        let steps = zip(output, output.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        let own = zip(tone, tone.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        #expect(steps < own * 1.1)
        let levels = Signals.levels(of: output, each: 2205)
        #expect(levels.dropLast(10).dropFirst(30).allSatisfy { abs($0 - 0.353) < 0.01 }, "\(levels)")
        var whole: [Float] = []
        let converter = try FormatConverter(
            from: AudioFormat(sampleRate: 22_050, channels: 2), to: AudioFormat(sampleRate: 22_050, channels: 1))
        for _ in 0..<2 {
            whole = []
            try converter.process(samples[...], into: &whole)
            try converter.finish(into: &whole)
            #expect(whole == output)
        }
    }

    @Test("Mono is duplicated to stereo, and stereo is averaged to mono")
    func channels() throws {
        let mono = AudioFormat(sampleRate: 22_050, channels: 1)
        let stereo = AudioFormat(sampleRate: 22_050, channels: 2)
        #expect(try converted([0.1, -0.2], from: mono, to: stereo) == [0.1, 0.1, -0.2, -0.2])
        #expect(try converted([0.5, 0.25, -1, -0.5], from: stereo, to: mono) == [0.375, -0.75])
        let up = try converted(
            Signals.tone(440, seconds: 1, sampleRate: 22_050), from: mono,
            to: AudioFormat(sampleRate: 44_100, channels: 2))
        #expect(abs(up.count - 88_200) <= 4)
        #expect(stride(from: 0, to: up.count, by: 2).allSatisfy { up[$0] == up[$0 + 1] })
    }

    @Test("The tempo changes the length but not the pitch", arguments: [0.25, 0.5, 0.8, 1.25, 2, 4])
    func tempo(tempo: Double) throws {
        let format = AudioFormat(sampleRate: 22_050, channels: 1)
        let tone = Signals.tone(200, seconds: 3, sampleRate: 22_050)
        let output = try stretched(tone, format, tempo: tempo, pitch: 1)
        #expect(abs(Double(output.count) / (Double(tone.count) / tempo) - 1) < 0.02)
        #expect(abs(Signals.frequency(of: output, sampleRate: 22_050) - 200) < 4)
    }

    @Test("The pitch changes the frequency but not the length", arguments: [0.5, 0.8, 1.25, 2])
    func pitch(pitch: Double) throws {
        let format = AudioFormat(sampleRate: 22_050, channels: 1)
        let tone = Signals.tone(200, seconds: 3, sampleRate: 22_050)
        let output = try stretched(tone, format, tempo: 1, pitch: pitch)
        let length = Double(output.count) / Double(tone.count)
        #expect(abs(length - 1) < 0.02)
        let height = Signals.frequency(of: output, sampleRate: 22_050) / (200 * pitch)
        #expect(abs(height - 1) < 0.03)
    }

    @Test("The time stretcher reports the correct position of a sound", arguments: [0.5, 1.5, 3])
    func tempoPosition(tempo: Double) throws {
        let format = AudioFormat(sampleRate: 22_050, channels: 1)
        var samples = Array(repeating: Float(0), count: 66_150)
        samples.replaceSubrange(30_000..., with: Signals.tone(200, seconds: 3, sampleRate: 22_050).prefix(36_150))
        let stretch = try TempoStretch(format: format, tempo: tempo)
        var output: [Float] = []
        for piece in Signals.pieces(samples) { try stretch.process(piece, into: &output) }
        try stretch.finish(into: &output)
        let start = output.firstIndex { abs($0) > 0.05 } ?? 0
        #expect(abs(start - stretch.outputFrame(forInput: 30_000)) < 22_050 * 40 / 1000)
    }

    @Test("Samples beyond full scale are clamped, not wrapped around")
    func loud() throws {
        let format = AudioFormat(sampleRate: 22_050, channels: 1)
        let tone = Signals.tone(200, seconds: 1, sampleRate: 22_050, amplitude: 1.5)
        let output = try stretched(tone, format, tempo: 1.5, pitch: 1)
        let jumps = output.indices.dropFirst().filter { abs(output[$0] - output[$0 - 1]) > 0.5 }
        #expect(jumps.isEmpty)
    }

    @Test("An out-of-range tempo, pitch or format causes an error, not a crash")
    func ranges() {
        let format = AudioFormat(sampleRate: 22_050, channels: 1)
        for (tempo, pitch) in [(0.1, 1.0), (5, 1), (1, 0), (.nan, 1), (1, .infinity)] {
            #expect(throws: AudioError.self) { try TempoStretch(format: format, tempo: tempo, pitch: pitch) }
        }
        for format in [AudioFormat(sampleRate: 0, channels: 1), AudioFormat(sampleRate: 22_050, channels: 0)] {
            #expect(throws: AudioError.formatUnusable(format)) { try TempoStretch(format: format, tempo: 2) }
            #expect(throws: AudioError.formatUnusable(format)) { try FormatConverter(from: format, to: .silent) }
            #expect(throws: AudioError.formatUnusable(format)) { try FormatConverter(from: .silent, to: format) }
        }
    }
}
