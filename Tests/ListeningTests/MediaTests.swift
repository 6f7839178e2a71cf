import Foundation
import SynthAudio
import SynthListening
import SynthEngineProcesses
import SynthSystem
import TestNumbers
import TestSupport
import Testing

@Suite(
    "Recordings that libsndfile cannot read", .ownThreads,
    .enabled(if: GeneratedMedia.isPossible, "\(GeneratedMedia.missing)")
)
struct MediaTests {
    private static let reader = "\(BuildFolder.path)/synthhost-read"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// One second of a tone, one second of silence, and one second of the tone, at 48 kHz.
    private func tones(_ channels: Int = 1) throws -> String {
        let tone = Signals.tone(500, seconds: 1, sampleRate: 48_000)
        let sink = try SoundFileOptions(.wav).sink(path: folder.file("tones.wav"))
        try sink.begin(AudioFormat(sampleRate: 48_000, channels: channels))
        try sink.write(
            Signals.spread(tone + [Float](repeating: 0, count: 48_000) + tone, channels: channels)[...])
        try sink.finish()
        return folder.file("tones.wav")
    }

    private func read(
        _ path: String, longest: Duration = .seconds(60), media: MediaProgram = MediaProgram(path: reader)
    ) -> (samples: [Float], reason: ClipFlaw.Reason?) {
        do throws(AudioError) {
            let sound = try FileAudio(ClipFile(path: path), rate: 16_000, longest: longest, by: media)
            var samples: [Float] = []
            while case .frames(let more) = sound.next(most: 4096) { samples += more }
            return (samples, sound.failure?.clip?.reason)
        } catch {
            return ([], error.clip?.reason)
        }
    }

    @Test("Each format is decoded by ffmpeg to the same frames on every run", arguments: GeneratedMedia.allCases)
    func formats(media: GeneratedMedia) throws {
        let path = try media.make(of: try tones())
        let (samples, reason) = read(path)
        #expect(reason == nil && abs(samples.count - 48_000) < 4000, "\(String(describing: reason)) \(samples.count)")
        let levels = Signals.levels(of: samples, each: 1600)
        #expect(
            levels[3..<7].allSatisfy { abs($0 - 0.35) < 0.05 } && levels[23..<27].allSatisfy { abs($0 - 0.35) < 0.05 })
        #expect(levels[13..<17].allSatisfy { $0 < 0.02 })
        #expect(abs(Signals.frequency(of: Array(samples[3200..<12_800]), sampleRate: 16_000) - 500) < 5)
        let seconds = try ClipReader(
            ClipFile(path: path), as: AudioFormat(sampleRate: 16_000, channels: 1), by: MediaProgram(path: Self.reader)
        ).statedSeconds
        // The duration that a video declares is the duration of its video track, so it is not checked.
        if ![.mp4, .webmVideo].contains(media) { #expect(seconds.map { abs($0 - 3) < 0.2 } ?? true) }
        #expect(read(path).samples == samples)
    }

    @Test("AMR recordings, and recordings without a file extension, are recognized by content")
    func raw() throws {
        // Fifty 20 ms frames.
        let frames = (0..<50).flatMap { _ in [0x3C] + [UInt8](repeating: 0x55, count: 31) }
        let path = try folder.write(Array("#!AMR\n".utf8) + frames, to: "memo")
        let (samples, reason) = read(path)
        #expect(reason == nil && abs(samples.count - 16_000) < 400, "\(String(describing: reason)) \(samples.count)")
    }

    @Test("If there are several tracks, the default track is read, and the number of tracks is reported")
    func tracks() throws {
        let (path, quiet) = (folder.file("two.mkv"), folder.file("quiet.wav"))
        try GeneratedMedia.run(["-i", try tones(), "-af", "volume=0.1", quiet])
        try GeneratedMedia.run([
            "-i", quiet, "-i", folder.file("tones.wav"), "-map", "0", "-map", "1", "-c:a", "flac", "-disposition:a:0",
            "0",
            "-disposition:a:1", "default", path,
        ])
        let reader = try ClipReader(
            ClipFile(path: path), as: AudioFormat(sampleRate: 16_000, channels: 1), by: MediaProgram(path: Self.reader))
        #expect(reader.tracks == 2)
        #expect((read(path).samples.map(abs).max() ?? 0) > 0.4)
    }

    @Test("Audio after a gap keeps its timestamp")
    func gap() throws {
        let path = folder.file("gap.mkv")
        try GeneratedMedia.run([
            "-i", try tones(), "-af", "asetpts=PTS+gte(T\\,1)*2/TB", "-c:a", "libopus", path,
        ])
        let levels = Signals.levels(of: read(path).samples, each: 1600)
        #expect(abs(levels.count - 50) <= 1 && levels[23..<37].allSatisfy { $0 < 0.02 })
        #expect(levels.dropFirst(43).prefix(4).allSatisfy { abs($0 - 0.35) < 0.05 })
    }

    @Test("Unreadable recordings always cause the same error")
    func unreadable() throws {
        #expect(read(try folder.write([], to: "empty.m4a")).reason == .empty)
        for (name, text) in [
            ("text.mp4", "This is a text.\n"), ("page.webm", "<html><body>404</body></html>"),
            ("brand.mp4", "\0\0\0\u{18}ftypM4A "),
        ] {
            #expect(read(try folder.write(Array(text.utf8), to: name)).reason == .unknownFormat, "\(name)")
        }
        for (name, options) in [("picture.png", ["-frames:v", "1"]), ("picture.jpg", ["-frames:v", "1"])] {
            try GeneratedMedia.run(["-f", "lavfi", "-i", "testsrc=size=64x48"] + options + [folder.file(name)])
            #expect(read(folder.file(name)).reason == .unknownFormat, "\(name)")
        }
        let silent = folder.file("silent.mp4")
        try GeneratedMedia.run(["-f", "lavfi", "-i", "testsrc=size=64x48:rate=5", "-t", "1", "-c:v", "mpeg4", silent])
        #expect(read(silent).reason == .withoutSound)
        let none = MediaProgram(path: Self.reader, environment: ["PATH": "/none"])
        #expect(none.decoder == nil && MediaProgram(path: Self.reader).decoder != nil)
        #expect(read(silent, media: none).reason == .converterMissing)
        let absent = read(folder.file("absent.m4a")).reason
        #expect(absent == .notOpened(Errno(2)))
    }

    @Test("A recording's references to other files and URLs are not followed")
    func references() throws {
        let sound = try tones()
        let server = try LoopbackServer { request, _ in LoopbackServer.Answer([], to: request) }
        let address = "http://127.0.0.1:\(server.port)/talk.mp3"
        for target in [sound, "file:\(sound)", "tones.wav", address] {
            for text in [
                "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n\(target)\n#EXT-X-ENDLIST\n",
                "ffconcat version 1.0\nfile '\(target)'\n",
                "[playlist]\nFile1=\(target)\nNumberOfEntries=1\n", "v=0\nm=audio 5004 RTP/AVP 0\nc=IN IP4 127.0.0.1\n",
                "<?xml version=\"1.0\"?><MPD><Period><AdaptationSet><Representation><BaseURL>\(target)</BaseURL></Representation></AdaptationSet></Period></MPD>",
                "[Script Info]\n; \(target)\n[Events]\n", "# mkvmerge\n\(target)\n",
            ] {
                let path = try folder.write(Array(text.utf8), to: "list.m4a")
                #expect(read(path).reason == .unknownFormat, "\(text)")
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A truncated recording yields the available audio and, if its format declares the duration, an error",
        arguments: [GeneratedMedia.fastM4A, .webm, .mkv, .mp4, .aac, .wma])
    func cut(media: GeneratedMedia) throws {
        let whole = try Data(contentsOf: URL(filePath: try media.make(of: try tones())))
        try folder.write(whole.prefix(whole.count * 3 / 5), to: "cut.\(media.ending)")
        let (samples, reason) = read(folder.file("cut.\(media.ending)"))
        switch media {
        // In MP4, the index is at the end of the file.
        case .mp4: #expect(reason == .cutShort(frame: 0))
        case .fastM4A, .webm, .mkv, .wma:
            #expect((8000..<47_000).contains(samples.count), "\(samples.count)")
            if case .cutShort? = reason {} else { Issue.record("\(String(describing: reason))") }
        // These formats do not declare the duration.
        default: #expect((8000..<47_000).contains(samples.count) && reason == nil, "\(samples.count)")
        }
    }

    @Test(
        "If a recording is shorter than its header states, its audio is followed by an error",
        arguments: [
            ("wav", []), ("w64", []), ("aiff", []), ("caf", []), ("rf64.wav", ["-rf64", "always"]), ("flac", []),
            ("opus", []),
            ("avi", []), ("wma", []), ("m4a", ["-movflags", "faststart"]),
            ("mp4", ["-movflags", "frag_keyframe+empty_moov"]),
        ] as [(String, [String])])
    func shorter(ending: String, options: [String]) throws {
        let path = folder.file("whole.\(ending)")
        try GeneratedMedia.run(["-i", try tones()] + options + [path])
        #expect(read(path).reason == nil && abs(read(path).samples.count - 48_000) < 4000)
        let whole = try Data(contentsOf: URL(filePath: path))
        try folder.write(whole.prefix(whole.count * 3 / 5), to: "cut.\(ending)")
        let (samples, reason) = read(folder.file("cut.\(ending)"))
        #expect((8000..<47_000).contains(samples.count), "\(samples.count)")
        if case .cutShort? = reason {} else { Issue.record("\(String(describing: reason))") }
    }

    @Test("A recording is read completely even if its header does not state its size")
    func unknownSize() throws {
        var bytes = Array(try Data(contentsOf: URL(filePath: try tones())))
        for size in [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x24, 0xF0, 0xFF, 0x7F]] as [[UInt8]] {
            bytes.replaceSubrange(4..<8, with: size)
            #expect(read(try folder.write(bytes, to: "stream.wav")).reason == nil, "\(size)")
        }
    }

    @Test(
        "A recording that is damaged in the middle yields audio of limited length or an error but never causes a hang",
        arguments: GeneratedMedia.allCases)
    func damaged(media: GeneratedMedia) throws {
        var bytes = Array(try Data(contentsOf: URL(filePath: try media.make(of: try tones()))))
        var random = SeededRandom(UInt64(media.rawValue.utf8.reduce(0) { $0 + Int($1) }))
        for place in bytes.indices.dropFirst(bytes.count / 3).prefix(bytes.count / 3) where place % 7 == 0 {
            bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        let (samples, reason) = read(try folder.write(bytes, to: "damaged.\(media.ending)"))
        #expect(samples.count <= 60 * 16_000 && (reason != nil || !samples.isEmpty))
    }

    @Test("The duration limit applies even if the header contains an incorrect duration or none")
    func bombs() throws {
        let silence = ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "7200", "-c:a", "wavpack"]
        try GeneratedMedia.run(silence + [folder.file("long.mkv")])
        #expect(read(folder.file("long.mkv"), longest: .seconds(600)).reason == .tooLong(limit: .seconds(600)))
        // A live stream declares no duration.
        try GeneratedMedia.run(silence + ["-live", "1", "-f", "matroska", folder.file("live.mkv")])
        let (samples, reason) = read(folder.file("live.mkv"), longest: .seconds(600))
        #expect(reason == .tooLong(limit: .seconds(600)) && samples.count <= 601 * 16_000)
        // Two segments of audio, first an hour apart and then ten days apart, which indicates an incorrect clock.
        for gap in [3600, 864_000] {
            try GeneratedMedia.run([
                "-i", try tones(), "-af", "asetpts=PTS+gte(T\\,1)*\(gap)/TB", "-c:a", "libopus", "-live", "1",
                folder.file("gap.mkv"),
            ])
            let far = read(folder.file("gap.mkv"), longest: .seconds(600))
            #expect(far.reason == (gap == 3600 ? .tooLong(limit: .seconds(600)) : nil), "\(gap)")
            #expect(far.samples.count <= 601 * 16_000 && far.samples.count > 47_000)
        }
    }

    @Test(
        "The decoding program cannot open files or start other programs", .enabled(if: Confinement.landlockVersion > 0))
    func confined() throws {
        let path = try GeneratedMedia.m4a.make(of: try tones())
        try folder.write(Array("secret".utf8), to: "secret")
        try GeneratedProgram.write(
            "#!/bin/sh\nprintf 'stream|index=0|codec_type=audio|sample_rate=16000|channels=1|disposition:default=1\\n'\n",
            to: folder.file("ffprobe"))
        let media = MediaProgram(
            path: Self.reader, environment: ["PATH": "\(folder.path):/usr/bin:/bin"], silence: .seconds(1))
        // Each script's output is treated as audio, with four bytes per frame.
        for (script, frames) in [
            ("printf 'aaaaaaaa'", 2), ("if read line < \(folder.file("secret")); then printf 'aaaa'; fi", 0),
            ("if echo x > \(folder.file("written")); then printf 'aaaa'; fi", 0), ("(printf 'aaaa')", 0),
            ("/bin/cat \(folder.file("secret"))", 0), ("read line < /proc/self/fd/0; printf 'aaaa'", 1),
        ] {
            try GeneratedProgram.write("#!/bin/sh\n\(script)\n", to: folder.file("ffmpeg"))
            #expect(read(path, media: media).samples.count == frames, "\(script)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("written")))
        try GeneratedProgram.write("#!/bin/sh\nwhile :; do :; done\n", to: folder.file("ffmpeg"))
        #expect(read(path, media: media).reason == .undecodable)
        try GeneratedProgram.write("#!/bin/sh\nprintf 'aaaaaaaa'\nkill -SEGV $$\n", to: folder.file("ffmpeg"))
        guard case .damaged(let words, _)? = read(path, media: media).reason else {
            Issue.record("The audio should have ended because of damage.")
            return
        }
        #expect(words.contains("SIGSEGV"))
        try GeneratedProgram.write(
            "#!/bin/sh\nwhile :; do printf 'aaaabbbbccccdddd'; done\n", to: folder.file("ffmpeg"))
        #expect(read(path, longest: .seconds(2), media: media).reason == .tooLong(limit: .seconds(2)))
        try GeneratedProgram.write("#!/bin/sh\nwhile :; do :; done\n", to: folder.file("ffprobe"))
        #expect(read(path, media: media).reason == .undecodable)
    }
}
