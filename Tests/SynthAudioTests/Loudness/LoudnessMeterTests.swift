import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Loudness measurement", .ownThreads)
struct LoudnessMeterTests {
    /// A segment of a sine wave in all channels, or of silence, with its level in dBFS.
    struct Stretch: Sendable {
        var level: Double
        var seconds: Double
        var frequency = 1_000.0
    }

    struct Signal: Sendable, CustomTestStringConvertible {
        let name: String
        var format = AudioFormat(sampleRate: 48_000, channels: 2)
        let stretches: [Stretch]
        /// The expected loudness in LUFS; nil if it cannot be measured.
        let expected: Double?

        var testDescription: String { name }

        var samples: [Float] {
            stretches.flatMap { stretch -> [Float] in
                let frames = Signals.tone(
                    stretch.frequency, seconds: stretch.seconds, sampleRate: format.sampleRate,
                    amplitude: Float(Decibels(stretch.level).amplitude))
                return Signals.spread(frames, channels: format.channels)
            }
        }
    }

    /// The first five signals are cases 1 to 5 from EBU Tech 3341, which test the integrated loudness.
    static let signals = [
        Signal(name: "1 kHz at -23 dBFS", stretches: [.init(level: -23, seconds: 20)], expected: -23),
        Signal(name: "1 kHz at -33 dBFS", stretches: [.init(level: -33, seconds: 20)], expected: -33),
        Signal(
            name: "softer before and after, below the relative gate",
            stretches: [
                .init(level: -36, seconds: 10), .init(level: -23, seconds: 60), .init(level: -36, seconds: 10),
            ], expected: -23),
        Signal(
            name: "nearly silent before and after, below the absolute gate",
            stretches: [
                .init(level: -72, seconds: 10), .init(level: -36, seconds: 10), .init(level: -23, seconds: 60),
                .init(level: -36, seconds: 10), .init(level: -72, seconds: 10),
            ], expected: -23),
        Signal(
            name: "louder in the middle",
            stretches: [
                .init(level: -26, seconds: 20), .init(level: -20, seconds: 20.1), .init(level: -26, seconds: 20),
            ], expected: -23),
        Signal(
            name: "997 Hz at 0 dBFS on one channel",
            format: AudioFormat(sampleRate: 48_000, channels: 1),
            stretches: [.init(level: 0, seconds: 5, frequency: 997)], expected: -3.01),
        Signal(
            name: "997 Hz at -20 dBFS at a low rate",
            format: AudioFormat(sampleRate: 22_050, channels: 1),
            stretches: [.init(level: -20, seconds: 5, frequency: 997)], expected: -23.01),
        Signal(
            name: "997 Hz at -20 dBFS at a high rate",
            format: AudioFormat(sampleRate: 192_000, channels: 1),
            stretches: [.init(level: -20, seconds: 2, frequency: 997)], expected: -23.01),
        Signal(name: "silence", stretches: [.init(level: -.infinity, seconds: 5)], expected: nil),
        Signal(name: "below the absolute gate", stretches: [.init(level: -75, seconds: 5)], expected: nil),
        Signal(name: "shorter than a block", stretches: [.init(level: -20, seconds: 0.39)], expected: nil),
        Signal(name: "nothing", stretches: [], expected: nil),
    ]

    private func loudness(_ samples: [Float], _ format: AudioFormat) throws -> Loudness? {
        let meter = try LoudnessMeter(format: format)
        for piece in Signals.pieces(samples, channels: format.channels) { try meter.add(Array(piece)) }
        return meter.loudness
    }

    @Test("Standard signals have the specified loudness", arguments: signals)
    func known(signal: Signal) throws {
        let found = try loudness(signal.samples, signal.format)
        guard let expected = signal.expected else {
            #expect(found == nil)
            return
        }
        let loudness = try #require(found)
        #expect(abs(loudness.integrated - expected) <= 0.1, "\(loudness.integrated)")
        let highest = signal.stretches.map(\.level).max() ?? 0
        #expect(abs(loudness.peak.value - highest) < 0.05, "\(loudness.peak)")
    }

    @Test(
        "The loudness of noise with pauses equals ffmpeg's value at any sample rate and with any number of channels",
        arguments: [8_000, 24_000, 44_100], [1, 2])
    func peer(sampleRate: Int, channels: Int) throws {
        let format = AudioFormat(sampleRate: sampleRate, channels: channels)
        var samples: [Float] = []
        for (seed, amplitude) in [Float(0.02), 0.3, 0, 0.1, 0.5, 0.01].enumerated() {
            samples += Signals.noise(sampleRate * channels * 3 / 2, amplitude: amplitude, seed: UInt64(seed + 1))
        }
        let folder = try TemporaryFolder()
        try folder.write(samples.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }, to: "a")
        let layout = channels == 1 ? "mono" : "stereo"
        let result = try ChildProcess.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-f", "f32le", "-ar", "\(sampleRate)", "-ac",
                "\(channels)", "-channel_layout", layout, "-i", folder.file("a"), "-af", "ebur128=peak=sample", "-f",
                "null", "-",
            ])
        try #require(result.code == 0, "\(result.errors)")
        // The summary, with "I: -20.3 LUFS" and "Peak: -6.0 dBFS", is last.
        func last(_ label: String) throws -> Double {
            let words = result.errors.split(whereSeparator: \.isWhitespace)
            let place = try #require(words.lastIndex(of: Substring(label)))
            return try #require(Double(words[place + 1]))
        }
        let loudness = try #require(try loudness(samples, format))
        #expect(abs(loudness.integrated - (try last("I:"))) <= 0.15, "\(loudness.integrated)")
        #expect(abs(loudness.peak.value - (try last("Peak:"))) <= 0.1, "\(loudness.peak)")
    }

    @Test("The loudness rises by the same amount as the level")
    func gain() throws {
        let format = AudioFormat(sampleRate: 24_000, channels: 1)
        let quiet = Signals.noise(72_000, amplitude: 0.05, seed: 7)
        let before = try #require(try loudness(quiet, format))
        var louder = quiet
        Gain(Decibels(6)).apply(to: &louder)
        let after = try #require(try loudness(louder, format))
        #expect(abs(after.integrated - before.integrated - 6) <= 0.1)
    }

    @Test("NaN and infinite samples are rejected", arguments: [Float.nan, .infinity, -.infinity])
    func notFinite(sample: Float) throws {
        let meter = try LoudnessMeter(format: AudioFormat(sampleRate: 24_000, channels: 1))
        #expect(throws: AudioError.notMeasured(.notFinite)) { try meter.add([0.5, sample, 0.25]) }
    }

    @Test(
        "An unsupported audio format is rejected", arguments: [(2_000, 1), (500_000, 1), (24_000, 0), (24_000, 9)])
    func formats(sampleRate: Int, channels: Int) {
        let format = AudioFormat(sampleRate: sampleRate, channels: channels)
        #expect(throws: AudioError.notMeasured(.formatUnusable(format))) { _ = try LoudnessMeter(format: format) }
    }

    @Test("A missing library causes an error")
    func library() {
        let missing = #expect(throws: AudioError.self) { _ = try LoudnessLibrary(name: "libnowhere.so.1") }
        guard case .notMeasured(.libraryNotLoaded("libnowhere.so.1", let reason?))? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(reason.contains("libnowhere.so.1"))
        #expect(throws: AudioError.notMeasured(.libraryNotLoaded(library: "libm.so.6", reason: nil))) {
            _ = try LoudnessLibrary(name: "libm.so.6")
        }
    }
}
