import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Encoded audio streams", .ownThreads)
struct EncodedStreamTests {
    private static let sound = AudioFormat(sampleRate: 24_000, channels: 1)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("All formats can be written to a pipe", arguments: EncodedFileTests.encoded)
    func pipe(format: SoundFileFormat) throws {
        let samples = Speechlike.samples(seconds: 4, Self.sound)
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading
        let data = OwnThread { reader.readDataToEndOfFile() }
        let tags = try SoundFileTags(title: "Über")
        let sink = try SoundFileOptions(format, tags: tags).sink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(sink.isAwaited)
        try sink.begin(Self.sound)
        for piece in Signals.pieces(samples) { try sink.write(piece) }
        try sink.finish()
        try pipe.fileHandleForWriting.close()
        try folder.write(try data.result(), to: "a")
        let decoded = try DecodedSound(path: folder.file("a"))
        #expect(try decoded.label().tags["title"] == "Über")
        switch format {
        case .flac: #expect(decoded.samples == samples.map { FloatPCM.int16($0) })
        // The header is written before the number of frames is known, so the silence at both ends is played.
        case .mp3: #expect(decoded.seconds >= 4 && decoded.seconds < 4.12, "\(decoded.seconds)")
        default: #expect(abs(decoded.seconds - 4) <= 0.03, "\(decoded.seconds)")
        }
    }

    @Test("Opus streams start with low latency")
    func latency() throws {
        let pipe = Pipe()
        let sink = try SoundFileOptions(.opus).sink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try sink.begin(Self.sound)
        try sink.write(Speechlike.samples(seconds: 0.25, Self.sound)[...])
        let data = pipe.fileHandleForReading.availableData
        // Two pages are headers, and all others are audio.
        var pages = 0
        var rest = data[...]
        while let page = rest.range(of: Data("OggS".utf8)) {
            pages += 1
            rest = rest[page.upperBound...]
        }
        #expect(pages >= 4)
        sink.stop()
        try sink.finish()
    }

    @Test("If the reader closes the pipe, a broken pipe is reported", arguments: EncodedFileTests.encoded)
    func brokenPipe(format: SoundFileFormat) throws {
        let path = folder.file("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = OwnThread { _ = close(open(path, O_RDONLY)) }
        let sink = try SoundFileOptions(format).sink(path: path)
        try sink.begin(Self.sound)
        try reader.result()
        let samples = Speechlike.samples(seconds: 2, Self.sound)
        #expect(throws: AudioError.brokenPipe) { for _ in 0..<20 { try sink.write(samples[...]) } }
        try sink.write(samples[...])
        try sink.finish()
    }

    @Test("Stopping ends a write to a pipe that is not being read", arguments: EncodedFileTests.encoded)
    func stop(format: SoundFileFormat) throws {
        let pipe = Pipe()
        let sink = try SoundFileOptions(format, quality: 10)
            .sink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try sink.begin(Self.sound)
        let samples = Signals.noise(24_000 * 60, amplitude: 0.5, seed: 2)
        // A pipe cannot buffer this much data, so without the stop, the call would never return.
        let writer = OwnThread {
            try sink.write(samples[...])
            try sink.finish()
        }
        _ = try pipe.fileHandleForReading.read(upToCount: 10)
        sink.stop()
        try writer.result()
    }
}
