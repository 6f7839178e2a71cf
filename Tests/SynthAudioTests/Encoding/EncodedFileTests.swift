import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Encoded audio files", .ownThreads)
struct EncodedFileTests {
    static let encoded: [SoundFileFormat] = [.flac, .mp3, .opus, .ogg]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(
        _ samples: [Float], _ sound: AudioFormat, to name: String, _ options: SoundFileOptions
    ) throws {
        let sink = try options.sink(path: folder.file(name))
        try sink.begin(sound)
        for piece in Signals.pieces(samples, channels: sound.channels) { try sink.write(piece) }
        try sink.finish()
    }

    @Test(
        "An encoded file has the same duration as the audio and a similar signal", arguments: encoded,
        [8000, 16_000, 22_050, 24_000, 44_100, 48_000])
    func contents(format: SoundFileFormat, sampleRate: Int) throws {
        for channels in [1, 2] {
            let sound = AudioFormat(sampleRate: sampleRate, channels: channels)
            let samples = Speechlike.samples(seconds: 1.5, sound)
            try write(samples, sound, to: "a.\(format)", SoundFileOptions(format))
            let decoded = try DecodedSound(path: folder.file("a.\(format)"))
            #expect(decoded.channels == channels)
            #expect(abs(decoded.seconds - 1.5) <= 0.03, "\(decoded.seconds)")
            if format == .flac {
                #expect(decoded.sampleRate == sampleRate)
                #expect(decoded.samples == samples.map { FloatPCM.int16($0) })
                continue
            }
            // Converts to the decoder's rate, which is always 48,000 Hz for Opus.
            let converter = try FormatConverter(
                from: sound, to: AudioFormat(sampleRate: decoded.sampleRate, channels: channels))
            var expected: [Float] = []
            try converter.process(samples[...], into: &expected)
            try converter.finish(into: &expected)
            let heard = decoded.samples.map { Float($0) / 32_768 }
            for start in [0.3, 1.2] {
                let likeness = Speechlike.likeness(
                    expected, heard, channels: channels, sampleRate: decoded.sampleRate, at: start)
                #expect(likeness > 0.97, "at \(start) s")
            }
        }
    }

    @Test("The nearest sample rate and channel count that the format supports are used")
    func nearest() {
        func nearest(_ format: SoundFileFormat, _ sampleRate: Int, _ channels: Int = 1) -> AudioFormat {
            format.nearest(to: AudioFormat(sampleRate: sampleRate, channels: channels))
        }
        #expect(nearest(.opus, 22_050) == AudioFormat(sampleRate: 24_000, channels: 1))
        #expect(nearest(.opus, 44_100, 2) == AudioFormat(sampleRate: 48_000, channels: 2))
        #expect(nearest(.opus, 96_000) == AudioFormat(sampleRate: 48_000, channels: 1))
        #expect(nearest(.opus, 1000) == AudioFormat(sampleRate: 8000, channels: 1))
        #expect(nearest(.mp3, 22_050) == AudioFormat(sampleRate: 22_050, channels: 1))
        #expect(nearest(.mp3, 20_000, 3) == AudioFormat(sampleRate: 22_050, channels: 1))
        #expect(nearest(.ogg, 384_000, 8) == AudioFormat(sampleRate: 192_000, channels: 1))
        #expect(nearest(.flac, 384_000, 8) == AudioFormat(sampleRate: 384_000, channels: 8))
        #expect(nearest(.wav, 1000, 3) == AudioFormat(sampleRate: 1000, channels: 3))
    }

    @Test("Files can be written at any sample rate and with any number of channels", arguments: encoded)
    func extremes(format: SoundFileFormat) throws {
        for (sampleRate, channels) in [(1000, 1), (5000, 2), (11_025, 3), (96_000, 2), (192_000, 1), (384_000, 8)] {
            let sound = AudioFormat(sampleRate: sampleRate, channels: channels)
            let samples = Speechlike.samples(seconds: 0.5, sound)
            try write(samples, sound, to: "a.\(format)", SoundFileOptions(format))
            let decoded = try DecodedSound(path: folder.file("a.\(format)"))
            #expect(abs(decoded.seconds - 0.5) <= 0.03, "\(sampleRate) Hz, \(channels): \(decoded.seconds)")
        }
    }

    @Test("A higher quality yields a larger and more accurate file", arguments: [SoundFileFormat.mp3, .opus, .ogg])
    func quality(format: SoundFileFormat) throws {
        let sound = AudioFormat(sampleRate: 24_000, channels: 1)
        let noise = Signals.noise(24_000, amplitude: 0.2, seed: 3)
        let samples = zip(Speechlike.samples(seconds: 1, sound), noise).map { $0 + $1 }
        var sizes: [Int] = []
        for quality in [-5, 0, 5, 10, 99] {
            try write(samples, sound, to: "a", SoundFileOptions(format, quality: quality))
            sizes.append(try folder.data("a").count)
        }
        #expect(sizes[0] == sizes[1] && sizes[3] == sizes[4])
        #expect(Double(sizes[1]) * 1.2 < Double(sizes[2]) && Double(sizes[2]) * 1.2 < Double(sizes[3]), "\(sizes)")
    }

    @Test("No file is created without audio", arguments: encoded)
    func empty(format: SoundFileFormat) throws {
        let sink = try SoundFileOptions(format).sink(path: folder.file("a"))
        try sink.finish()
        #expect(try folder.entries().isEmpty)
    }

    @Test("Samples beyond full scale are clamped")
    func clamping() throws {
        let sound = AudioFormat(sampleRate: 24_000, channels: 1)
        try write([2, -2, 0.5, 1], sound, to: "a", SoundFileOptions(.flac))
        #expect(try DecodedSound(path: folder.file("a")).samples == [32_767, -32_768, 16_384, 32_767])
    }
}
