import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Sound as bytes", .ownThreads)
struct SoundEncoderTests {
    private static let sound = AudioFormat(sampleRate: 24_000, channels: 1)

    /// What a pipe gets.
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

    /// Without the number of the stream in each page of Ogg, which is another each time, and the sums over it.
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

    @Test("is what a pipe gets", arguments: SoundFileFormat.allCases, [1, 2])
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

    @Test("comes while the sound comes, and nothing of it stays", arguments: SoundFileFormat.allCases)
    func memory(format: SoundFileFormat) throws {
        let samples = Speechlike.samples(seconds: 1, Self.sound)
        let encoder = try SoundEncoder(SoundFileOptions(format), Self.sound)
        var counts: [Int] = []
        for _ in 0..<30 { counts.append(try encoder.encode(samples[...]).count) }
        let last = try encoder.finish().count
        // A codec may hold back some frames, and a page, but never more with the length of the sound.
        let most = counts.reduce(last, +) / 8
        for start in stride(from: 0, to: 30, by: 3) {
            let bytes = counts[start..<start + 3].reduce(0, +)
            #expect(bytes > 0 && bytes <= most * 2, "\(counts)")
        }
        #expect(last <= most, "\(last) after \(counts)")
    }

    @Test("of Opus begins within a quarter of a second")
    func latency() throws {
        let encoder = try SoundEncoder(SoundFileOptions(.opus), Self.sound)
        let bytes = try encoder.encode(Speechlike.samples(seconds: 0.25, Self.sound)[...])
        // Two pages of headers; each other one is sound.
        let pages = Data(bytes).split(separator: Data("OggS".utf8)).count
        #expect(pages >= 4)
    }

    @Test("has a head before there is sound", arguments: [SoundFileFormat.wav, .mp3])
    func head(format: SoundFileFormat) throws {
        let encoder = try SoundEncoder(SoundFileOptions(format, tags: try SoundFileTags(title: "T")), Self.sound)
        let head = try encoder.encode([])
        #expect(head.starts(with: format == .wav ? "RIFF".utf8 : "ID3".utf8))
        #expect(try encoder.encode([]).isEmpty)
    }

    @Test("without sound is a whole file", arguments: SoundFileFormat.allCases)
    func silence(format: SoundFileFormat) throws {
        let folder = try TemporaryFolder()
        let encoder = try SoundEncoder(SoundFileOptions(format), Self.sound)
        try folder.write(Data(try encoder.finish()), to: "a")
        #expect(try DecodedSound(path: folder.file("a")).seconds < 0.1)
        #expect(try encoder.encode([0.5, 0.5]).isEmpty)
        #expect(try encoder.finish().isEmpty)
    }

    @Test("is none of a format that nothing can be made of")
    func unusable() {
        let sound = AudioFormat(sampleRate: 999, channels: 1)
        for format in SoundFileFormat.allCases {
            #expect(throws: AudioError.formatUnusable(sound)) { try SoundEncoder(SoundFileOptions(format), sound) }
        }
    }
}
