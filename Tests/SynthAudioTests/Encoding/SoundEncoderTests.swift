import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Encoding audio to bytes", .ownThreads)
struct SoundEncoderTests {
    private static let sound = AudioFormat(sampleRate: 24_000, channels: 1)

    /// The bytes that a pipe receives.
    private func piped(_ samples: [Float], _ sound: AudioFormat, _ options: SoundFileOptions) throws -> [UInt8] {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading
        let data = OwnThread { reader.readDataToEndOfFile() }
        let sink = try options.sink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try sink.begin(sound)
        for piece in Signals.pieces(samples, channels: sound.channels) { try sink.write(piece) }
        try sink.finish()
        try pipe.fileHandleForWriting.close()
        return Array(try data.result())
    }

    /// The bytes without the serial numbers of Ogg pages, which differ on every run, and without the checksums that depend on
    /// the serial numbers.
    private static func comparable(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var page = 0
        while page + 27 <= bytes.count, bytes[page..<page + 4].elementsEqual("OggS".utf8) {
            for index in [14, 15, 16, 17, 22, 23, 24, 25] { bytes[page + index] = 0 }
            let lengths = bytes[page + 27..<min(page + 27 + Int(bytes[page + 26]), bytes.count)]
            page = lengths.endIndex + lengths.reduce(0) { $0 + Int($1) }
        }
        return bytes
    }

    @Test("The bytes are the same as those that a pipe receives", arguments: SoundFileFormat.allCases, [1, 2])
    func bytes(format: SoundFileFormat, channels: Int) throws {
        let sound = AudioFormat(sampleRate: 22_050, channels: channels)
        let samples = Speechlike.samples(seconds: 3, sound)
        let options = SoundFileOptions(format, quality: 6, tags: try SoundFileTags(title: "Über", author: "Jemand"))
        let encoder = try SoundEncoder(options, sound)
        var bytes: [UInt8] = []
        for piece in Signals.pieces(samples, channels: channels) { bytes += try encoder.encode(piece) }
        bytes += try encoder.finish()
        let expected = try piped(samples, sound, options)
        #expect(bytes.count == expected.count)
        #expect(Self.comparable(bytes) == Self.comparable(expected))
        #expect(encoder.sampleRate == (format == .opus ? 24_000 : 22_050))
    }

    @Test(
        "MP3 files have a constant bit rate so that players can compute the duration", arguments: [0, 5, 10],
        [16_000, 22_050, 24_000, 48_000])
    func constantRate(quality: Int, rate: Int) throws {
        // With a variable bit rate, the silence at the end would have a different bit rate than the audio.
        let sound = AudioFormat(sampleRate: rate, channels: 1)
        let samples = Speechlike.samples(seconds: 4, sound) + [Float](repeating: 0, count: 4 * rate)
        let encoder = try SoundEncoder(SoundFileOptions(.mp3, quality: quality), sound)
        let bytes = try encoder.encode(samples[...]) + encoder.finish()
        let frames = try MPEGFrame.all(of: bytes)
        let rates = Set(frames.map(\.bitRate))
        #expect(rates.count == 1, "\(rates)")
        let computed = Double(bytes.count) * 8 / Double(try #require(rates.first))
        #expect(abs(computed - 8) < 0.2, "\(computed) s")
    }

    @Test("Bytes are returned as audio arrives, and no data accumulates", arguments: SoundFileFormat.allCases)
    func memory(format: SoundFileFormat) throws {
        let samples = Speechlike.samples(seconds: 1, Self.sound)
        let encoder = try SoundEncoder(SoundFileOptions(format), Self.sound)
        var counts: [Int] = []
        for _ in 0..<30 { counts.append(try encoder.encode(samples[...]).count) }
        let last = try encoder.finish().count
        // A codec may hold back some frames and a page, but that amount must not grow with the duration of the audio.
        let most = counts.reduce(last, +) / 8
        for start in stride(from: 0, to: 30, by: 3) {
            let bytes = counts[start..<start + 3].reduce(0, +)
            #expect(bytes > 0 && bytes <= most * 2, "\(counts)")
        }
        #expect(last <= most, "\(last) after \(counts)")
    }

    @Test("The first Opus audio is available within a quarter of a second")
    func latency() throws {
        let encoder = try SoundEncoder(SoundFileOptions(.opus), Self.sound)
        let bytes = try encoder.encode(Speechlike.samples(seconds: 0.25, Self.sound)[...])
        // Two pages are headers, and all others are audio.
        let pages = Data(bytes).split(separator: Data("OggS".utf8)).count
        #expect(pages >= 4)
    }

    @Test("The header is written before any audio", arguments: [SoundFileFormat.wav, .mp3])
    func head(format: SoundFileFormat) throws {
        let encoder = try SoundEncoder(SoundFileOptions(format, tags: try SoundFileTags(title: "T")), Self.sound)
        let head = try encoder.encode([])
        #expect(head.starts(with: format == .wav ? "RIFF".utf8 : "ID3".utf8))
        #expect(try encoder.encode([]).isEmpty)
    }

    @Test("Even without audio, the result is a complete file", arguments: SoundFileFormat.allCases, [24_000, 48_000])
    func silence(format: SoundFileFormat, rate: Int) throws {
        let folder = try TemporaryFolder()
        let encoder = try SoundEncoder(SoundFileOptions(format), AudioFormat(sampleRate: rate, channels: 1))
        try folder.write(Data(try encoder.finish()), to: "a")
        #expect(try DecodedSound(path: folder.file("a")).seconds < 0.1)
        #expect(try encoder.encode([0.5, 0.5]).isEmpty)
        #expect(try encoder.finish().isEmpty)
    }

    @Test("An unusable format causes an error")
    func unusable() {
        let sound = AudioFormat(sampleRate: 999, channels: 1)
        for format in SoundFileFormat.allCases {
            #expect(throws: AudioError.formatUnusable(sound)) { try SoundEncoder(SoundFileOptions(format), sound) }
        }
    }
}

/// An MPEG-1 or MPEG-2 layer III frame (ISO 11172-3, 2.4.2.3).
private struct MPEGFrame {
    /// The bit rate in bits per second.
    let bitRate: Int
    let size: Int

    private static let rates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let rates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 4, bytes[bytes.startIndex] == 0xFF, bytes[bytes.startIndex + 1] & 0xE6 == 0xE2 else {
            return nil
        }
        let (version, third) = (bytes[bytes.startIndex + 1] >> 3 & 3, bytes[bytes.startIndex + 2])
        guard third >> 4 < 15, third >> 2 & 3 < 3 else { return nil }
        bitRate = (version == 3 ? Self.rates1 : Self.rates2)[Int(third >> 4)] * 1000
        let rate = [44_100, 48_000, 32_000][Int(third >> 2 & 3)] / (version == 3 ? 1 : version == 2 ? 2 : 4)
        size = (version == 3 ? 144 : 72) * bitRate / rate + Int(third >> 1 & 1)
    }

    static func all(of bytes: [UInt8]) throws -> [MPEGFrame] {
        var rest = bytes[...]
        var frames: [MPEGFrame] = []
        while !rest.isEmpty {
            let frame = try #require(MPEGFrame(rest))
            frames.append(frame)
            rest = rest.dropFirst(frame.size)
        }
        return frames
    }
}
