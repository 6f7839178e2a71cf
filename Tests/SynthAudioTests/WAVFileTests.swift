import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("WAV files")
struct WAVFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("A sink for a new file never replaces an existing file, not even one that appears in the meantime")
    func new() throws {
        let path = folder.file("new.wav")
        func write(_ path: String, meanwhile: () throws -> Void = {}) throws {
            let sink = try SoundFileOptions(.wav).sink(newFile: path)
            try sink.begin(AudioFormat(sampleRate: 16_000, channels: 1))
            try sink.write([Float](repeating: 0.5, count: 100)[...])
            try meanwhile()
            try sink.finish()
        }
        let there = AudioError.outputNotCreated(path: path, code: EEXIST)
        #expect(throws: there) { try write(path) { try folder.write("kept".utf8, to: "new.wav") } }
        #expect(throws: there) { try write(path) }
        #expect(try folder.data("new.wav") == Data("kept".utf8))
        try write(folder.file("other.wav"))
        #expect(try folder.data("other.wav").count >= 244)
        for path in ["/dev/fd/1", "/dev/fd/01", "/dev/fd/+1", "/dev/stdout"] {
            #expect(throws: AudioError.self, "\(path)") { try write(path) }
        }
    }

    @Test("A file contains the format, the samples and consistent sizes", arguments: [1, 2])
    func contents(channels: Int) throws {
        let samples = Signals.noise(40_000, amplitude: 1, seed: 4)
        let sink = try SoundFileOptions(.wav).sink(path: folder.file("a.wav"))
        try sink.begin(AudioFormat(sampleRate: 24_000, channels: channels))
        for piece in Signals.pieces(samples, channels: channels) { try sink.write(piece) }
        try sink.finish()
        let data = try folder.data("a.wav")
        let wav = try ParsedWAV(data)
        #expect(wav.agrees(fileSize: data.count))
        #expect(wav.channels == channels)
        #expect(wav.sampleRate == 24_000)
        #expect(wav.samples.count == samples.count)
        #expect(zip(wav.samples, samples).allSatisfy { abs(Float($0) - $1 * 32_768) <= 1 })
    }

    @Test("Stopping before the first samples does not change an existing file")
    func stopFirst() throws {
        let old = Data(repeating: 65, count: 100)
        try old.write(to: URL(fileURLWithPath: folder.file("a.wav")))
        let sink = try SoundFileOptions(.wav).sink(path: folder.file("a.wav"))
        sink.stop()
        try sink.begin(.silent)
        try sink.write([0.5])
        try sink.finish()
        #expect(try folder.data("a.wav") == old)
    }

    @Test("Stopping leaves a valid, shorter file")
    func stop() throws {
        let sink = try SoundFileOptions(.wav).sink(path: folder.file("a.wav"))
        try sink.begin(.silent)
        try sink.write(Signals.noise(1000, amplitude: 1, seed: 1)[...])
        sink.stop()
        sink.stop()
        try sink.write(Signals.noise(1000, amplitude: 1, seed: 2)[...])
        try sink.finish()
        let data = try folder.data("a (stopped).wav")
        let wav = try ParsedWAV(data)
        #expect(wav.agrees(fileSize: data.count))
        #expect(wav.samples.count == 1000)
    }

    @Test("A file that grows too large for RIFF is converted to RF64")
    func large() throws {
        let sink = SoundFileSink(OutputTarget(path: folder.file("a.wav")), .wav(.none, riffLimit: 10_000))
        try sink.begin(.silent)
        try sink.write(Array(repeating: 0.25, count: 4000)[...])
        try sink.write(Array(repeating: 0.5, count: 2000)[...])
        try sink.finish()
        let data = [UInt8](try folder.data("a.wav"))
        #expect(data.prefix(4) == [82, 70, 54, 52] && data[12..<16] == [100, 115, 54, 52])
        let decoded = try DecodedSound(path: folder.file("a.wav"))
        #expect(decoded.samples == Array(repeating: 8192, count: 4000) + Array(repeating: 16_384, count: 2000))
    }

    @Test(
        "From 4 GiB, a file is in RF64 format with a 64-bit length",
        arguments: [SoundFileTags.none, try SoundFileTags(title: "x")])
    func beyond(tags: SoundFileTags) throws {
        func header(_ dataSize: Int) -> WAVHeader { WAVHeader(format: .silent, dataSize: dataSize, tags: tags) }
        let largest = 0xFFFF_FFFF - (header(0).size - 8)
        #expect(Array(header(largest).bytes[..<8]) == [82, 73, 70, 70, 255, 255, 255, 255])
        #expect(Array(header(largest + 2).bytes[..<8]) == [82, 70, 54, 52, 255, 255, 255, 255])
        #expect(header(largest + 2).bytes.count == header(0).bytes.count)
        // Only the header takes up disk space.
        let size = 6 << 30
        try folder.write(header(size).bytes, to: "a.wav")
        try #require(truncate(folder.file("a.wav"), off_t(header(size).size + size)) == 0)
        let probed = try ChildProcess.run(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", folder.file("a.wav")])
        #expect(probed.text == "\(size / 2)\n" && probed.errors == "")
    }

    @Test("A full disk causes an error, and the file stays valid")
    func fileSizeLimit() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var limit = rlimit(rlim_cur: 20_001, rlim_max: 20_001)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let sink = try SoundFileOptions(.wav).sink(path: folder.file("a.wav"))
            try sink.begin(.silent)
            let error = #expect(throws: AudioError.self) {
                for _ in 0..<10 { try sink.write(Array(repeating: 0.25, count: 3000)[...]) }
            }
            #expect(error == .outputNotWritten(name: .file(folder.file("a.wav")), code: EFBIG))
            try sink.finish()
            let data = try folder.data("a (stopped).wav")
            let wav = try ParsedWAV(data)
            #expect(wav.agrees(fileSize: data.count))
            #expect(wav.samples.count == (20_001 - 80) / 2)
        }
    }

    @Test("A folder, a missing folder, and a path through a file cause different errors")
    func unusablePaths() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("plain")))
        for (name, code) in [("", EISDIR), ("none/a.wav", ENOENT), ("plain/a.wav", ENOTDIR)] {
            let path = folder.file(name)
            let sink = try SoundFileOptions(.wav).sink(path: path)
            let error = #expect(throws: AudioError.self) { try sink.begin(.silent) }
            #expect(error == .outputNotCreated(path: path, code: code))
            #expect(error?.code == (code == ENOENT ? .folderMissing : .fileNotCreated))
            try sink.finish()
        }
    }

    @Test("The error for a dangling link includes the target")
    func danglingLink() throws {
        symlink("it's gone/b.wav", folder.file("a.wav"))
        symlink("no folder", folder.file("d"))
        let file = #expect(throws: AudioError.self) {
            try SoundFileOptions(.wav).sink(path: folder.file("a.wav")).begin(.silent)
        }
        #expect(
            file
                == .outputLinkLeadsNowhere(
                    link: folder.file("a.wav"), target: folder.file("it's gone/b.wav"), folder: folder.file("it's gone")
                ))
        #expect(file?.code == .folderMissing)
        let inFolder = #expect(throws: AudioError.self) {
            try SoundFileOptions(.wav).sink(path: folder.file("d/a.wav")).begin(.silent)
        }
        #expect(
            inFolder
                == .outputLinkLeadsNowhere(
                    link: folder.file("d"), target: folder.file("no folder"), folder: folder.file("no folder")))
    }

    @Test("A file without write permission causes an error and is unchanged", .enabled(if: geteuid() != 0))
    func permission() throws {
        let path = folder.file("a.wav")
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o444)
        #expect(throws: AudioError.outputNotCreated(path: path, code: EACCES)) {
            try SoundFileOptions(.wav).sink(path: path).begin(.silent)
        }
        #expect(try folder.data("a.wav") == Data("old".utf8))
    }
}
