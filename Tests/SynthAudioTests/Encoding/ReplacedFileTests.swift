import Foundation
import Testing
import TestSupport

@testable import SynthAudio

@Suite("A file of encoded sound", .ownThreads)
struct ReplacedFileTests {
    private static let sound = AudioFormat(sampleRate: 24_000, channels: 1)
    private let folder: TemporaryFolder
    private let old = Data("what was there".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func sink(_ name: String, _ format: SoundFileFormat = .flac) throws -> any AudioSink {
        try SoundFileOptions(format).sink(path: folder.file(name))
    }

    @Test("gets its name when it is complete, and nothing else is ever in its folder")
    func replacement() throws {
        try folder.write(old, to: "a.flac")
        let sink = try sink("a.flac")
        try sink.begin(Self.sound)
        try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        #expect(try folder.data("a.flac") == old)
        #expect(try folder.entries() == ["a.flac"])
        try sink.finish()
        #expect(try DecodedSound(path: folder.file("a.flac")).seconds == 1)
        #expect(try folder.entries() == ["a.flac"])
    }

    @Test("leaves nothing if it is given up")
    func abandoned() throws {
        try folder.write(old, to: "a.flac")
        for name in ["a.flac", "b.flac"] {
            let sink = try sink(name)
            try sink.begin(Self.sound)
            try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        }
        #expect(try folder.data("a.flac") == old)
        #expect(try folder.entries() == ["a.flac"])
    }

    @Test("holds after a stop what came before it", arguments: EncodedFileTests.encoded)
    func stop(format: SoundFileFormat) throws {
        let sink = try sink("a", format)
        try sink.begin(Self.sound)
        try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        sink.stop()
        try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        try sink.finish()
        #expect(abs(try DecodedSound(path: folder.file("a")).seconds - 1) < 0.03)
    }

    @Test("stays as it was if it was stopped before the first sound")
    func stopFirst() throws {
        try folder.write(old, to: "a.flac")
        let sink = try sink("a.flac")
        sink.stop()
        try sink.begin(Self.sound)
        try sink.write([0.5])
        try sink.finish()
        #expect(try folder.data("a.flac") == old)
    }

    @Test("keeps its mode, and a link to it stays a link")
    func modeAndLink() throws {
        try folder.write(old, to: "real.flac")
        chmod(folder.file("real.flac"), 0o640)
        symlink("real.flac", folder.file("a.flac"))
        symlink("new.flac", folder.file("b.flac"))
        for name in ["a.flac", "b.flac"] {
            let sink = try sink(name)
            try sink.begin(Self.sound)
            try sink.write(Speechlike.samples(seconds: 0.5, Self.sound)[...])
            try sink.finish()
        }
        #expect(try folder.entries() == ["a.flac", "b.flac", "new.flac", "real.flac"])
        var status = stat()
        #expect(lstat(folder.file("a.flac"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(folder.file("real.flac"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        let mask = umask(0)
        umask(mask)
        #expect(stat(folder.file("new.flac"), &status) == 0 && status.st_mode & 0o777 == 0o666 & ~mask)
        #expect(try DecodedSound(path: folder.file("real.flac")).seconds == 0.5)
    }

    @Test("that cannot be made is an error that says why")
    func unusablePaths() throws {
        try folder.write(old, to: "plain")
        let long = String(repeating: "n", count: 300)
        for (name, code) in [("", EISDIR), ("none/a", ENOENT), ("plain/a", ENOTDIR), (long, ENAMETOOLONG)] {
            let path = folder.file(name)
            let sink = try sink(name)
            #expect(throws: AudioError.outputNotCreated(path: path, code: code)) { try sink.begin(Self.sound) }
            try sink.finish()
        }
        #expect(try folder.entries() == ["plain"])
        symlink("gone/b.flac", folder.file("a.flac"))
        let link = try sink("a.flac")
        #expect(
            throws: AudioError.outputLinkLeadsNowhere(
                link: folder.file("a.flac"), target: folder.file("gone/b.flac"), folder: folder.file("gone"))
        ) { try link.begin(Self.sound) }
    }

    @Test("is written in place in a folder that takes no new file", .enabled(if: geteuid() != 0))
    func lockedFolder() throws {
        try folder.write(old, to: "locked/a.flac")
        chmod(folder.file("locked"), 0o500)
        defer { chmod(folder.file("locked"), 0o700) }
        let sink = try sink("locked/a.flac")
        try sink.begin(Self.sound)
        try sink.write(Speechlike.samples(seconds: 0.5, Self.sound)[...])
        try sink.finish()
        #expect(try DecodedSound(path: folder.file("locked/a.flac")).seconds == 0.5)
        let new = try self.sink("locked/b.flac")
        #expect(throws: AudioError.outputNotCreated(path: folder.file("locked/b.flac"), code: EACCES)) {
            try new.begin(Self.sound)
        }
    }

    @Test("on a full disk is an error, and holds what came before")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let limit = 20_001
            var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            let sound = AudioFormat(sampleRate: 24_000, channels: 1)
            let samples = Speechlike.samples(seconds: 1, sound)
            for format in EncodedFileTests.encoded {
                let path = folder.file("a.\(format)")
                let sink = try SoundFileOptions(format).sink(path: path)
                try sink.begin(sound)
                let error = #expect(throws: AudioError.self) { for _ in 0..<60 { try sink.write(samples[...]) } }
                #expect(error == .outputNotWritten(name: .file(path), code: EFBIG))
                try sink.write(samples[...])
                try sink.finish()
            }
            #expect(try folder.entries() == EncodedFileTests.encoded.map { "a.\($0)" }.sorted())
            // ffmpeg's own pipe has no limit.
            for format in EncodedFileTests.encoded {
                let decoded = try DecodedSound(path: folder.file("a.\(format)"), isCut: true)
                #expect(decoded.seconds > 0.2 && decoded.seconds < 60, "\(format): \(decoded.seconds)")
            }
        }
    }

    @Test("replaces nothing if there is no room for any of it", arguments: EncodedFileTests.encoded)
    func noRoom(format: SoundFileFormat) throws {
        let error = #expect(throws: AudioError.self) {
            let sink = try SoundFileOptions(format).sink(path: "/dev/full")
            try sink.begin(Self.sound)
            try sink.write(Speechlike.samples(seconds: 3, Self.sound)[...])
            try sink.finish()
        }
        #expect(error == .outputNotWritten(name: .file("/dev/full"), code: ENOSPC))
    }
}
