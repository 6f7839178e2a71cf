import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Reading audio clips", .ownThreads)
struct ClipReaderTests {
    private static let output = AudioFormat(sampleRate: 48_000, channels: 2)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a tone to a file in any format.
    private func write(_ name: String, _ sound: AudioFormat, seconds: Double = 1, frequency: Double = 440) throws
        -> ClipFile
    {
        let tone = Signals.tone(frequency, seconds: seconds, sampleRate: sound.sampleRate)
        var samples: [Float] = []
        ChannelConversion(from: 1, to: sound.channels).process(tone[...], into: &samples)
        let sink = try SoundFileOptions(try SoundFileFormat.of(path: name)).sink(path: folder.file(name))
        try sink.begin(sound)
        try sink.write(samples[...])
        try sink.finish()
        return ClipFile(path: folder.file(name))
    }

    private func read(_ file: ClipFile, as format: AudioFormat = output, gain: Decibels = Decibels(0)) throws
        -> [Float]
    {
        let reader = try ClipReader(file, as: format, gain: gain)
        var samples: [Float] = []
        while let block = try reader.next() {
            #expect(!block.isEmpty && block.count % format.channels == 0)
            samples += block
        }
        #expect(try reader.next() == nil)
        return samples
    }

    private func reason(_ body: () throws -> some Any) -> ClipFlaw.Reason? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? AudioError)?.clip?.reason
        }
    }

    @Test(
        "Clips in any format have the correct length and pitch", arguments: SoundFileFormat.allCases,
        [8000, 22_050, 44_100, 48_000])
    func formats(format: SoundFileFormat, sampleRate: Int) throws {
        for channels in [1, 2] {
            let file = try write("a.\(format)", AudioFormat(sampleRate: sampleRate, channels: channels))
            let samples = try read(file)
            let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
            // Lossy formats pad their last block.
            #expect(abs(left.count - 48_000) <= (format.isLossless ? 4 : 1500), "\(left.count)")
            #expect(abs(Signals.frequency(of: left, sampleRate: 48_000) - 440) < 1)
            #expect(abs((left.max() ?? 0) - 0.5) < 0.05)
            #expect(stride(from: 0, to: samples.count, by: 2).allSatisfy { abs(samples[$0] - samples[$0 + 1]) < 0.05 })
        }
    }

    @Test("A clip that is already in the requested format keeps all its samples")
    func exact() throws {
        let file = try write("a.wav", AudioFormat(sampleRate: 44_100, channels: 1))
        let samples = try read(file, as: AudioFormat(sampleRate: 44_100, channels: 1))
        let tone = Signals.tone(440, seconds: 1, sampleRate: 44_100)
        #expect(isSame(samples, tone.map { Float(FloatPCM.int16($0)) / 32_768 }))
    }

    @Test("The gain sets the level of a clip", arguments: [-120.0, -6, 0, 12, 60, 500, .infinity, -.infinity, .nan])
    func gain(decibels: Double) throws {
        let format = AudioFormat(sampleRate: 8000, channels: 1)
        let peak = try read(try write("a.wav", format), as: format, gain: Decibels(decibels)).map(abs).max() ?? -1
        let factor = pow(10, (decibels.isNaN ? 0 : min(decibels, 60)) / 20)
        #expect(abs(Double(peak) - 0.5 * factor) <= 0.001 * factor)
    }

    @Test("A streamed clip, whose length is undeclared, is read to the end")
    func streamed() throws {
        let file = try write("a.flac", .silent)
        try forgetLength("a.flac")
        #expect(try read(file, as: .silent).count == 22_050)
    }

    /// Sets the length to unknown, as in a FLAC file that was written to a pipe. The number of frames is stored in 36
    /// bits that start at bit 108 of the first block.
    private func forgetLength(_ name: String) throws {
        var bytes = [UInt8](try folder.data(name))
        bytes[21] &= 0xF0
        for index in 22...25 { bytes[index] = 0 }
        try folder.write(bytes, to: name)
    }

    /// Damage to the bytes of a valid file.
    enum Damage: CaseIterable {
        case half, head, noise, empty
    }

    @Test(
        "Reading a truncated or damaged clip ends with an error", arguments: SoundFileFormat.allCases, Damage.allCases)
    func damaged(format: SoundFileFormat, damage: Damage) throws {
        let file = try write("a.\(format)", AudioFormat(sampleRate: 48_000, channels: 1), seconds: 2)
        var bytes = [UInt8](try folder.data("a.\(format)"))
        switch damage {
        case .half: bytes.removeLast(bytes.count / 2)
        case .head: bytes.removeLast(bytes.count - 30)
        case .noise:
            let middle = bytes.count / 2
            bytes.replaceSubrange(
                middle..<min(middle + 4000, bytes.count),
                with: (0..<min(4000, bytes.count - middle)).map { UInt8(truncatingIfNeeded: $0 &* 73 ^ $0 >> 3) })
        case .empty: bytes = []
        }
        try folder.write(bytes, to: "a.\(format)")
        switch (damage, reason { try read(file) }) {
        case (.head, .notDecodable), (.empty, .empty): break
        // An Opus file may have only two pages of audio, so damage can make it impossible to decode.
        case (_, .notDecodable) where format == .opus: break
        // Every bit pattern is a valid sample, and the available part of a truncated file is played.
        case (.half, nil) where format == .wav || format == .mp3: break
        case (.noise, nil) where format == .wav || format == .mp3: break
        case (.half, .cutShort(let frame)), (.noise, .cutShort(let frame)): #expect(frame < 96_000)
        case (.noise, .damaged(let words, _)): #expect(!words.isEmpty)
        case (_, let other): Issue.record("\(format) \(damage): \(String(describing: other))")
        }
    }

    @Test("Decoding an unreadable clip does not close the caller's descriptor", arguments: SoundFileFormat.allCases)
    func descriptor(format: SoundFileFormat) throws {
        let path = try folder.write("no sound at all".utf8, to: "a.\(format)")
        let file = try Descriptor.openRegular(path).file
        var (before, after) = (stat(), stat())
        #expect(fstat(file.raw, &before) == 0)
        #expect(reason { try ClipDecoder(file, path: path) } != nil)
        #expect(fstat(file.raw, &after) == 0 && after.st_ino == before.st_ino && after.st_dev == before.st_dev)
    }

    @Test("A NaN or infinite sample causes an error", arguments: [Float.nan, .infinity, -.infinity])
    func notFinite(sample: Float) throws {
        var samples = [Float](repeating: 0.25, count: 3000)
        samples[1234] = sample
        let path = try folder.write(Self.floats(samples), to: "a.wav")
        #expect(reason { try read(ClipFile(path: path)) } == .notFinite(frame: 1234))
    }

    @Test("Enormous samples stay finite whatever the gain")
    func enormous() throws {
        let path = try folder.write(Self.floats([3e38, -3e38, 0.5, .leastNonzeroMagnitude]), to: "a.wav")
        let samples = try read(
            ClipFile(path: path), as: AudioFormat(sampleRate: 8000, channels: 1), gain: Decibels(60))
        #expect(samples == [1e6, -1e6, 500, .leastNonzeroMagnitude * 1000])
    }

    @Test("A clip that is longer than the limit causes an error, regardless of its declared length")
    func tooLong() throws {
        let file = try write("a.wav", AudioFormat(sampleRate: 8000, channels: 1), seconds: 2)
        #expect(
            reason { try ClipReader(file, as: Self.output, longest: .seconds(1)) } == .tooLong(limit: .seconds(1)))
        let streamed = try write("a.flac", AudioFormat(sampleRate: 8000, channels: 1), seconds: 2)
        try forgetLength("a.flac")
        let reader = try ClipReader(streamed, as: Self.output, longest: .seconds(1))
        #expect(reason { while try reader.next() != nil {} } == .tooLong(limit: .seconds(1)))
    }

    @Test("Only regular files are read; pipes and devices are not opened")
    func notRegular() throws {
        mkfifo(folder.file("pipe.wav"), 0o600)
        let missing: [(String, Errno)] = [
            (folder.file("pipe.wav"), .invalid), ("/dev/zero", .invalid), (folder.path, .isFolder),
            (folder.file("nothing.wav"), Errno(ENOENT)), ("", Errno(ENOENT)),
        ]
        for (path, code) in missing {
            #expect(reason { try read(ClipFile(path: path)) } == .notOpened(code), "\(path)")
        }
    }

    @Test("A link or `..` does not lead out of the folder")
    func links() throws {
        let format = AudioFormat(sampleRate: 8000, channels: 1)
        _ = try write("secret.wav", format)
        try FileManager.default.createDirectory(atPath: folder.file("book/sounds"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("book/sounds/link.wav"), withDestinationPath: folder.file("secret.wav"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("book/up"), withDestinationPath: folder.path)
        for path in ["book/sounds/link.wav", "book/up/secret.wav", "book/../secret.wav"] {
            let file = ClipFile(path: folder.file(path), below: folder.file("book"))
            guard case .notOpened = reason({ try read(file) }) else {
                Issue.record("\(path) should not have been opened.")
                continue
            }
        }
        try FileManager.default.copyItem(
            atPath: folder.file("secret.wav"), toPath: folder.file("book/sounds/open.wav"))
        let file = ClipFile(path: folder.file("book/sounds/open.wav"), below: folder.file("book"))
        #expect(try read(file, as: format).count == 8000)
    }

    /// A WAV file with 32-bit floats at 8 kHz.
    private static func floats(_ samples: [Float]) -> [UInt8] {
        func number(_ value: UInt32, _ size: Int = 4) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let data = samples.flatMap { number($0.bitPattern) }
        return Array("RIFF".utf8) + number(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8) + number(16)
            + number(3, 2) + number(1, 2) + number(8000) + number(32_000) + number(4, 2) + number(32, 2)
            + Array("data".utf8) + number(UInt32(data.count)) + data
    }
}
