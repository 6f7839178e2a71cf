import Glibc
import SynthAudio
import SynthSystem

/// Makes one file of sound, with marks of chapters and subtitles beside it. It keeps nothing.
struct BookSoundFile {
    let target: BookTarget
    let work: BookWorkFolder
    let inUse: FilesInUse
    let isCancelled: @Sendable () -> Bool

    /// The silence before a chapter.
    let pause: Duration

    /// How long the chapters are together, in seconds. In an EPUB each is a file of its own.
    func seconds(_ sounds: [BookSound]) -> Double {
        let silences = target.container == .epub ? 0 : max(0, sounds.count - 1)
        return sounds.reduce(pause / .seconds(1) * Double(silences)) { $0 + $1.seconds }
    }

    /// Where subtitles of a file are.
    static func subtitlePath(_ path: String, _ format: SubtitleFormat) -> String {
        let ending = SoundFileFormat.ending(of: path).map { $0.utf8.count + 1 } ?? 0
        return path.dropLast(ending) + ".\(format.rawValue)"
    }

    /// - Parameters:
    ///   - sounds: at least one, all of one format.
    ///   - titles: of the chapters, to be marked; none = there is one.
    /// - Returns: false = it was cancelled, and there is no new file.
    func write(
        _ sounds: [BookSound], titles: [String], _ tags: SoundFileTags, to path: String
    ) throws -> Bool {
        guard let format = sounds.first?.format else { return false }
        var tags = tags
        tags.chapters = chapters(sounds, titles)
        // The converter gets all, and says in the end what is small.
        let ffmpeg: String? = if case .audiobook(let path) = target.container { path } else { nil }
        let isConverted = ffmpeg != nil
        let written = isConverted ? work.path.child("whole.\(target.format.rawValue)") : path
        let wasThere = !isConverted && FinishedFile.isThere(written)
        do {
            guard try encode(sounds, format, tags, to: written) else { return false }
        } catch {
            // A part of a chapter would look like the chapter.
            if !wasThere { unlink(written) }
            throw error
        }
        if let program = ffmpeg {
            guard try convert(written, by: AudiobookConverter(program: program, quality: target.quality), to: path)
            else {
                return false
            }
        }
        try FinishedFile.sync(path)
        try writeSubtitles(of: sounds, beside: path)
        return true
    }

    private func silence(_ format: AudioFormat) -> Int { Int(pause / .seconds(1) * Double(format.sampleRate)) }

    private func chapters(_ sounds: [BookSound], _ titles: [String]) -> [SoundFileTags.Chapter] {
        var start = 0
        return zip(sounds, titles).enumerated().map { index, chapter in
            let (sound, title) = chapter
            let rate = Double(sound.format.sampleRate)
            let end = start + sound.frames + (index + 1 < sounds.count ? silence(sound.format) : 0)
            defer { start = end }
            return SoundFileTags.Chapter(title: title, start: Double(start) / rate, end: Double(end) / rate)
        }
    }

    func encode(
        _ sounds: [BookSound], _ format: AudioFormat, _ tags: SoundFileTags, to path: String
    ) throws -> Bool {
        let sink: any AudioSink
        do {
            sink = try SoundFileOptions(target.format, quality: target.quality, tags: tags)
                .sink(path: path, sparing: inUse)
            try sink.begin(format)
        } catch {
            throw BookFailure.audio(error, path: path)
        }
        func take(_ samples: [Float]) throws -> Bool {
            do { try sink.write(samples[...]) } catch { throw BookFailure.audio(error, path: path) }
            return !isCancelled()
        }
        for (index, sound) in sounds.enumerated() {
            if index > 0 { _ = try take(Array(repeating: 0, count: silence(format) * format.channels)) }
            let gain = try target.loudness.value(channels: format.channels).map { loudness throws in
                try sound.gain(for: loudness, isCancelled)
            }
            try sound.read(gain ?? Gain(factor: 1), take)
        }
        // A sink that is let go leaves what was there.
        if isCancelled() { return false }
        do { try sink.finish() } catch { throw BookFailure.audio(error, path: path) }
        return true
    }

    /// - Returns: false = it was cancelled.
    private func convert(
        _ source: String, by converter: AudiobookConverter, to path: String
    ) throws -> Bool {
        let made = work.path.child("whole.m4b")
        let log = work.path.child("ffmpeg.log")
        defer { for file in [source, made, log] { unlink(file) } }
        guard try converter.convert(source, to: made, log: log, isCancelled) else { return false }
        if let use = inUse.use(ofPath: path) {
            throw BookFailure.audio(.outputInUse(path: path, use, kept: nil), path: path)
        }
        // The name may be a link to another disk.
        do {
            let whole = try Descriptor.openRegular(made).file
            let file = try ReplacementFile(at: path)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try whole.read(into: buffer)
                if count == 0 { break }
                try file.file.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            try file.publish()
        } catch {
            throw BookFailure.file(path: path, error)
        }
        return true
    }

    /// A file of the same name with another ending, if subtitles are asked for.
    private func writeSubtitles(of sounds: [BookSound], beside path: String) throws {
        guard let format = target.subtitles else { return }
        var subtitles = Subtitles(format)
        var start = 0
        for sound in sounds {
            for (piece, frame) in sound.starts {
                guard let path = piece.timings else { continue }
                let bytes: [UInt8]
                do { bytes = try readWholeFile(path, limit: 64 << 20) } catch {
                    throw BookFailure.file(path: path, error)
                }
                subtitles.add(
                    String(decoding: bytes, as: UTF8.self),
                    at: (start + frame) * 1000 / max(1, sound.format.sampleRate))
            }
            start += sound.frames + silence(sound.format)
        }
        let path = Self.subtitlePath(path, format)
        if let use = inUse.use(ofPath: path) {
            throw BookFailure.audio(.outputInUse(path: path, use, kept: nil), path: path)
        }
        try FinishedFile.write(Array(subtitles.text.utf8), to: path)
    }
}

/// ffmpeg, which makes an M4B, with its chapters and its cover, of a FLAC that has them.
struct AudiobookConverter {
    /// The path of ffmpeg.
    let program: String
    /// From 0 to 10.
    let quality: Int

    /// How often it is looked whether the result is still wanted.
    private static let glance = Duration.milliseconds(200)
    /// Of what it says that is wrong.
    private static let mostWords = 4000

    /// Blocks.
    ///
    /// - Parameters:
    ///   - source: a FLAC.
    ///   - path: where the M4B is made; what is there is replaced.
    ///   - log: a file for what it says.
    /// - Returns: false = it was cancelled.
    func convert(
        _ source: String, to path: String, log: String, _ isCancelled: () -> Bool
    ) throws -> Bool {
        // 32 kb/s for 0, 64 for 5, 128 for 10: what speech of one channel needs.
        let rate = [32, 40, 44, 48, 56, 64, 72, 80, 96, 112, 128][max(0, min(10, quality))]
        let words = [
            "-nostdin", "-v", "error", "-y", "-i", absolutePath(source), "-map", "0", "-map_metadata", "0", "-c:a",
            "aac",
            "-b:a", "\(rate)k", "-c:v", "copy", "-disposition:v", "attached_pic", "-movflags", "+faststart", "-f",
            "ipod",
            absolutePath(path),
        ]
        var running: RunningProgram
        // One that outlived its synthhost may still write there.
        for file in [path, log] { unlink(file) }
        do {
            let said = try Descriptor.open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
            var spawn = Spawn()
            spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
            try spawn.pass(said.raw, as: STDOUT_FILENO)
            try spawn.pass(said.raw, as: STDERR_FILENO)
            running = try RunningProgram(try spawn.start(program, arguments: words.map { Array($0.utf8) }))
        } catch {
            throw BookFailure.converter(reason: "it did not start: \(error).")
        }
        var ending = running.wait(within: Self.glance)
        while ending == nil {
            if isCancelled() { return false }
            ending = running.wait(within: Self.glance)
        }
        if ending?.isGood == true { return true }
        let said = (try? readWholeFile(log, limit: 1 << 20)) ?? []
        let reason = String(decoding: said.prefix(Self.mostWords), as: UTF8.self).split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        throw BookFailure.converter(reason: reason.isEmpty ? "it ended with \(ending?.code ?? 0)." : reason)
    }
}

/// Subtitles of parts, put together.
struct Subtitles {
    private let format: SubtitleFormat
    private var number = 0
    private var hasHead = false
    private(set) var text = ""

    init(_ format: SubtitleFormat) { self.format = format }

    /// Adds those of a part.
    ///
    /// - Parameters:
    ///   - part: a whole file of the format.
    ///   - milliseconds: where the part begins.
    mutating func add(_ part: String, at milliseconds: Int) {
        let cues = part.split(separator: "\n\n").map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        for lines in cues {
            guard let times = lines.firstIndex(where: { $0.contains(" --> ") }) else {
                // What stands before the first cue.
                if format == .vtt, !hasHead {
                    text += lines.joined(separator: "\n") + "\n\n"
                    hasHead = true
                }
                continue
            }
            number += 1
            if format == .srt { text += "\(number)\n" }
            let shown = lines[times].split(separator: " ", omittingEmptySubsequences: false)
                .map { moved($0, by: milliseconds) }.joined(separator: " ")
            let said = lines[(times + 1)...].joined(separator: "\n")
            text += "\(shown)\n\(said)\n\n"
        }
    }

    /// "00:01:02.345", or "01:02.345", later; anything else as it is.
    private func moved(_ word: Substring, by milliseconds: Int) -> String {
        let mark: Character = format == .srt ? "," : "."
        // More than a year is no time.
        let fields = word.split(whereSeparator: { $0 == ":" || $0 == mark }).map {
            Int($0).flatMap { $0 < 10_000 ? $0 : nil }
        }
        guard (3...4).contains(fields.count), word.contains(mark), !fields.contains(nil) else { return String(word) }
        let numbers = fields.compactMap { $0 }
        let whole = numbers.dropLast().reduce(0) { $0 * 60 + $1 } * 1000 + (numbers.last ?? 0) + milliseconds
        let seconds = whole / 1000
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
            + "\(mark)" + padded(whole % 1000, 3)
    }
}
