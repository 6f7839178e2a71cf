import Foundation
import Testing
import TestSupport

@testable import SynthAudio

@Suite("WAV files")
struct WAVFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a file holds the format, the samples and sizes that agree", arguments: [1, 2])
    func contents(channels: Int) throws {
        let samples = Signals.noise(40_000, amplitude: 1, seed: 4)
        let sink = WAVFileSink(path: folder.file("a.wav"))
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

    @Test("a file without sound has no frames")
    func empty() throws {
        let sink = WAVFileSink(path: folder.file("a.wav"))
        try sink.finish()
        let data = try folder.data("a.wav")
        let wav = try ParsedWAV(data)
        #expect(wav.agrees(fileSize: data.count))
        #expect(wav.samples.isEmpty && wav.sampleRate == 22_050 && wav.channels == 1)
    }

    @Test("an existing file is replaced only when the first sound is written")
    func truncation() throws {
        let old = Data(repeating: 65, count: 100_000)
        try old.write(to: URL(fileURLWithPath: folder.file("a.wav")))
        let sink = WAVFileSink(path: folder.file("a.wav"))
        #expect(try folder.data("a.wav") == old)
        try sink.begin(.silent)
        try sink.write([0.5])
        try sink.finish()
        #expect(try ParsedWAV(folder.data("a.wav")).agrees(fileSize: 46))
    }

    @Test("a stop before the first sound does not change an existing file")
    func stopFirst() throws {
        let old = Data(repeating: 65, count: 100)
        try old.write(to: URL(fileURLWithPath: folder.file("a.wav")))
        let sink = WAVFileSink(path: folder.file("a.wav"))
        sink.stop()
        try sink.begin(.silent)
        try sink.write([0.5])
        try sink.finish()
        #expect(try folder.data("a.wav") == old)
    }

    @Test("a stop leaves a valid, shorter file")
    func stop() throws {
        let sink = WAVFileSink(path: folder.file("a.wav"))
        try sink.begin(.silent)
        try sink.write(Signals.noise(1000, amplitude: 1, seed: 1)[...])
        sink.stop()
        sink.stop()
        try sink.write(Signals.noise(1000, amplitude: 1, seed: 2)[...])
        try sink.finish()
        let data = try folder.data("a.wav")
        let wav = try ParsedWAV(data)
        #expect(wav.agrees(fileSize: data.count))
        #expect(wav.samples.count == 1000)
    }

    @Test("the header of an unfinished file covers all but the last second")
    func killed() throws {
        let sink = WAVFileSink(path: folder.file("a.wav"))
        try sink.begin(.silent)
        for _ in 0..<35 { try sink.write(Array(repeating: 0.25, count: 2205)[...]) }
        let wav = try ParsedWAV(folder.data("a.wav"))
        #expect(wav.samples.count >= 35 * 2205 - 22_050 - 2205)
        #expect(Int(wav.statedRIFFSize) == Int(wav.statedDataSize) + 36)
        try sink.finish()
        #expect(try ParsedWAV(folder.data("a.wav")).samples.count == 35 * 2205)
    }

    @Test("reaching the size limit is an error, and the file stays valid")
    func limit() throws {
        let sink = WAVFileSink(path: folder.file("a.wav"), dataLimit: 10_000)
        try sink.begin(.silent)
        try sink.write(Array(repeating: 0.25, count: 4000)[...])
        let error = #expect(throws: AudioError.self) {
            try sink.write(Array(repeating: 0.25, count: 2000)[...])
        }
        #expect(error == .outputTooLong(name: .file(folder.file("a.wav"))))
        #expect(error?.kind == .deviceOrDiskIO)
        try sink.write([0.5])
        try sink.finish()
        let data = try folder.data("a.wav")
        let wav = try ParsedWAV(data)
        #expect(wav.agrees(fileSize: data.count))
        #expect(wav.samples.count == 4000)
    }

    @Test("the largest WAV file is that of a 32-bit size")
    func largest() {
        #expect(WAVHeader.largestDataSize + WAVHeader.size - 8 == 0xFFFF_FFFF)
        let header = WAVHeader(format: .silent, dataSize: WAVHeader.largestDataSize).bytes
        #expect(Array(header[4..<8]) == [255, 255, 255, 255])
    }

    @Test("a full disk is an error, and the file stays valid")
    func fileSizeLimit() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var limit = rlimit(rlim_cur: 20_001, rlim_max: 20_001)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let sink = WAVFileSink(path: folder.file("a.wav"))
            try sink.begin(.silent)
            let error = #expect(throws: AudioError.self) {
                for _ in 0..<10 { try sink.write(Array(repeating: 0.25, count: 3000)[...]) }
            }
            #expect(error == .outputNotWritten(name: .file(folder.file("a.wav")), code: EFBIG))
            try sink.finish()
            let data = try folder.data("a.wav")
            let wav = try ParsedWAV(data)
            #expect(wav.agrees(fileSize: data.count))
            #expect(wav.samples.count == (20_001 - 44) / 2)
        }
    }

    @Test("the errors for a folder, a missing folder and a path through a file differ")
    func unusablePaths() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("plain")))
        for (name, code) in [("", EISDIR), ("none/a.wav", ENOENT), ("plain/a.wav", ENOTDIR)] {
            let path = folder.file(name)
            let sink = WAVFileSink(path: path)
            let error = #expect(throws: AudioError.self) { try sink.begin(.silent) }
            #expect(error == .outputNotCreated(path: path, code: code))
            #expect(error?.kind == .cannotCreateOutput)
            try sink.finish()
        }
    }

    @Test("the error for a dangling link names its target")
    func danglingLink() throws {
        symlink("it's gone/b.wav", folder.file("a.wav"))
        symlink("no folder", folder.file("d"))
        let file = #expect(throws: AudioError.self) { try WAVFileSink(path: folder.file("a.wav")).begin(.silent) }
        #expect(
            file
                == .outputLinkLeadsNowhere(
                    link: folder.file("a.wav"), target: folder.file("it's gone/b.wav"), folder: folder.file("it's gone")
                ))
        #expect(file?.kind == .cannotCreateOutput)
        let inFolder = #expect(throws: AudioError.self) { try WAVFileSink(path: folder.file("d/a.wav")).begin(.silent) }
        #expect(
            inFolder
                == .outputLinkLeadsNowhere(
                    link: folder.file("d"), target: folder.file("no folder"), folder: folder.file("no folder")))
    }

    @Test("a file without permission is an error and keeps its contents", .enabled(if: geteuid() != 0))
    func permission() throws {
        let path = folder.file("a.wav")
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o444)
        #expect(throws: AudioError.outputNotCreated(path: path, code: EACCES)) {
            try WAVFileSink(path: path).begin(.silent)
        }
        #expect(try folder.data("a.wav") == Data("old".utf8))
    }
}
