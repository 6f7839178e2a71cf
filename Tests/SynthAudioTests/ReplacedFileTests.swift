import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Audio files that replace other files", .ownThreads)
struct ReplacedFileTests {
    private static let sound = AudioFormat(sampleRate: 24_000, channels: 1)
    /// `nil` means samples without a header.
    static let formats: [SoundFileFormat?] = SoundFileFormat.allCases + [nil]
    private let folder: TemporaryFolder
    private let old = Data("what was there".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func sink(
        _ name: String, _ format: SoundFileFormat? = .flac, sparing inUse: FilesInUse = FilesInUse()
    ) throws -> any AudioSink {
        let path = folder.file(name)
        return try format.map { try SoundFileOptions($0).sink(path: path, sparing: inUse) }
            ?? SoundFileSink.raw(path: path, sparing: inUse)
    }

    private func seconds(_ name: String, _ format: SoundFileFormat?) throws -> Double {
        guard format == nil else { return try DecodedSound(path: folder.file(name)).seconds }
        return Double(try folder.data(name).count) / 48_000
    }

    @Test(
        "The file gets its name only once it is complete, and no other file ever appears in its folder",
        arguments: formats)
    func replacement(format: SoundFileFormat?) throws {
        try folder.write(old, to: "a")
        let sink = try sink("a", format)
        try sink.begin(Self.sound)
        try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        #expect(try folder.data("a") == old)
        #expect(try folder.entries() == ["a"])
        #expect(sink.storedPath == nil)
        try sink.finish()
        #expect(abs(try seconds("a", format) - 1) < 0.03)
        #expect(try folder.entries() == ["a"])
        #expect(sink.storedPath == folder.file("a"))
    }

    @Test("Nothing is left behind when a file is abandoned", arguments: formats)
    func abandoned(format: SoundFileFormat?) throws {
        try folder.write(old, to: "a")
        for name in ["a", "b"] {
            let sink = try sink(name, format)
            try sink.begin(Self.sound)
            try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        }
        #expect(try folder.data("a") == old)
        #expect(try folder.entries() == ["a"])
    }

    @Test("No file is created if there is no audio", arguments: formats)
    func nothing(format: SoundFileFormat?) throws {
        try folder.write(old, to: "a")
        for name in ["a", "b"] { try sink(name, format).finish() }
        #expect(try folder.data("a") == old)
        #expect(try folder.entries() == ["a"])
    }

    @Test("After writing is stopped, the file contains the audio that had been written", arguments: formats)
    func stop(format: SoundFileFormat?) throws {
        let sink = try sink("a", format)
        try sink.begin(Self.sound)
        try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        sink.stop()
        try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        try sink.finish()
        #expect(abs(try seconds("a (stopped)", format) - 1) < 0.03)
        #expect(sink.storedPath == folder.file("a (stopped)"))
    }

    @Test("If the name is taken, a file that ends early gets an unused name in the same folder", arguments: formats)
    func beside(format: SoundFileFormat?) throws {
        try folder.write(old, to: "good.wav")
        for isStopped in [true, false] {
            let sink = try sink("good.wav", format)
            try sink.begin(Self.sound)
            try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
            if isStopped {
                sink.stop()
                try sink.finish()
            } else {
                try sink.finishEarly()
            }
            #expect(sink.storedPath == folder.file(isStopped ? "good (stopped).wav" : "good (stopped 2).wav"))
        }
        #expect(try folder.data("good.wav") == old)
        #expect(try folder.entries() == ["good (stopped 2).wav", "good (stopped).wav", "good.wav"])
        #expect(abs(try seconds("good (stopped).wav", format) - 1) < 0.03)
    }

    @Test("A file that ends early does not replace an existing one, even an empty one")
    func empty() throws {
        try folder.write([], to: "a.wav")
        let sink = try sink("a.wav", .wav)
        try sink.begin(Self.sound)
        try sink.write(Speechlike.samples(seconds: 1, Self.sound)[...])
        try sink.finishEarly()
        #expect(try folder.entries() == ["a (stopped).wav", "a.wav"])
        #expect(try seconds("a (stopped).wav", .wav) == 1)
        #expect(try folder.data("a.wav").isEmpty)
    }

    @Test(
        "If two files with the same name are written concurrently, the one that is finished last is kept in full",
        arguments: formats)
    func twoWriters(format: SoundFileFormat?) throws {
        let first = try sink("a", format)
        let second = try sink("a", format)
        for sink in [first, second] { try sink.begin(Self.sound) }
        for _ in 0..<3 {
            try first.write(Speechlike.samples(seconds: 1, Self.sound)[...])
            try second.write(Signals.noise(24_000, amplitude: 0.5, seed: 1)[...])
        }
        try second.finish()
        let alone = try folder.data("a")
        try first.finish()
        #expect(try folder.data("a") != alone)
        #expect(abs(try seconds("a", format) - 3) < 0.03)
        #expect(try folder.entries() == ["a"])
    }

    @Test(
        "A file that is being read is never replaced, under any name, even if the conflict is detected only at the end",
        arguments: formats)
    func inUse(format: SoundFileFormat?) throws {
        try folder.write(old, to: "clip")
        link(folder.file("clip"), folder.file("hard"))
        symlink("clip", folder.file("soft"))
        for name in ["clip", "hard", "soft"] {
            let inUse = FilesInUse()
            let early = try sink(name, format, sparing: inUse)
            try early.begin(Self.sound)
            try early.write(Speechlike.samples(seconds: 1, Self.sound)[...])
            inUse.add(path: folder.file("clip"), as: .clip)
            let late = try sink(name, format, sparing: inUse)
            #expect(throws: AudioError.outputInUse(path: folder.file(name), .clip, kept: nil)) {
                try late.begin(Self.sound)
            }
            let error = #expect(throws: AudioError.self) { try early.finish() }
            guard name == "clip" else { continue }
            let kept = folder.file("clip (stopped)")
            #expect(error == .outputInUse(path: folder.file(name), .clip, kept: kept))
            #expect(abs(try seconds("clip (stopped)", format) - 1) < 0.03)
        }
        #expect(try folder.data("clip") == old && folder.data("hard") == old)
    }

    @Test("A file passed as a descriptor is written in place")
    func descriptor() throws {
        try folder.write(old, to: "a")
        let file = try Descriptor.open(folder.file("a"), O_WRONLY | O_APPEND)
        for path in ["/dev/fd/\(file.raw)", "/proc/self/fd/\(file.raw)"] {
            let sink = SoundFileSink.raw(path: path)
            try sink.begin(Self.sound)
            try sink.write([0.5])
            try sink.finish()
        }
        #expect(try folder.data("a") == old + [0, 64, 0, 64])
    }

    @Test("The file is unchanged if writing is stopped before any samples have been written")
    func stopFirst() throws {
        try folder.write(old, to: "a.flac")
        let sink = try sink("a.flac")
        sink.stop()
        try sink.begin(Self.sound)
        try sink.write([0.5])
        try sink.finish()
        #expect(try folder.data("a.flac") == old)
    }

    @Test("The file keeps its mode, and a symbolic link to it is preserved")
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
        // Calling umask(2) would change the mask for the entire process.
        let own = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        let line = try #require(own.first { $0.hasPrefix("Umask:") })
        let mask = try #require(mode_t(line.dropFirst("Umask:".count).drop(while: \.isWhitespace), radix: 8))
        #expect(stat(folder.file("new.flac"), &status) == 0 && status.st_mode & 0o777 == 0o666 & ~mask)
        #expect(try DecodedSound(path: folder.file("real.flac")).seconds == 0.5)
    }

    @Test("If a file cannot be created, the error includes the cause")
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

    @Test("A file in a folder without write permission is replaced only if it is empty", .enabled(if: geteuid() != 0))
    func lockedFolder() throws {
        try folder.write(old, to: "locked/a.flac")
        try folder.write([], to: "locked/empty.flac")
        chmod(folder.file("locked"), 0o500)
        defer { chmod(folder.file("locked"), 0o700) }
        let sink = try sink("locked/a.flac")
        #expect(throws: AudioError.outputNotReplaced(path: folder.file("locked/a.flac"))) {
            try sink.begin(Self.sound)
        }
        #expect(try folder.data("locked/a.flac") == old)
        let empty = try self.sink("locked/empty.flac")
        try empty.begin(Self.sound)
        try empty.write(Speechlike.samples(seconds: 0.5, Self.sound)[...])
        try empty.finish()
        #expect(try DecodedSound(path: folder.file("locked/empty.flac")).seconds == 0.5)
        let new = try self.sink("locked/b.flac")
        #expect(throws: AudioError.outputNotCreated(path: folder.file("locked/b.flac"), code: EACCES)) {
            try new.begin(Self.sound)
        }
    }

    @Test(
        "A full disk causes an error; a new file contains the audio written so far, but an existing file is unchanged")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let limit = 20_001
            var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            let sound = AudioFormat(sampleRate: 24_000, channels: 1)
            let samples = Speechlike.samples(seconds: 1, sound)
            let names = SoundFileFormat.allCases.map { "a.\($0)" } + ["a.raw"]
            let kept = { (name: String) in "a (stopped)" + name.dropFirst() }
            for name in names {
                for isThere in [false, true] {
                    let path = folder.file(isThere ? "old-" + name : name)
                    if isThere { try folder.write(Data("old".utf8), to: "old-" + name) }
                    let format = SoundFileFormat(ending: String(name.dropFirst(2)))
                    let sink =
                        try format.map { try SoundFileOptions($0).sink(path: path) } ?? SoundFileSink.raw(path: path)
                    try sink.begin(sound)
                    let error = #expect(throws: AudioError.self) { for _ in 0..<60 { try sink.write(samples[...]) } }
                    #expect(error == .outputNotWritten(name: .file(path), code: EFBIG))
                    #expect(sink.storedPath == (isThere ? nil : folder.file(kept(name))))
                    try sink.write(samples[...])
                    try sink.finish()
                    if isThere { #expect(try folder.data("old-" + name) == Data("old".utf8)) }
                }
            }
            #expect(try folder.entries() == (names.map(kept) + names.map { "old-" + $0 }).sorted())
            // The file size limit does not apply to ffmpeg, which writes to a pipe.
            for format in SoundFileFormat.allCases {
                let decoded = try DecodedSound(path: folder.file(kept("a.\(format)")), isCut: true)
                #expect(decoded.seconds > 0.2 && decoded.seconds < 60, "\(format): \(decoded.seconds)")
            }
        }
    }

    @Test("A file is not replaced if there is no space for any samples", arguments: EncodedFileTests.encoded)
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
