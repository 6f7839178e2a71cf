import Glibc
import SynthAudio
import SynthSystem

/// Writes an audio file with chapter marks and, if requested, a subtitle file next to it. Stateless.
struct BookSoundFile {
    let target: BookTarget
    let work: BookWorkFolder
    let inUse: FilesInUse
    let isCancelled: @Sendable () -> Bool

    let pause: Duration

    /// The total duration of the chapters in seconds. In an EPUB, chapters are separate files without silence between them.
    func seconds(_ sounds: [ChapterAudio]) -> Double {
        let silences = target.container == .epub ? 0 : max(0, sounds.count - 1)
        return sounds.reduce(pause / .seconds(1) * Double(silences)) { $0 + $1.seconds }
    }

    static func subtitlePath(_ path: String, _ format: SubtitleFormat) -> String {
        let ending = SoundFileFormat.ending(of: path).map { $0.utf8.count + 1 } ?? 0
        return path.dropLast(ending) + ".\(format.rawValue)"
    }

    /// - Parameters:
    ///   - sounds: the audio of the chapters, all in the same format. Must not be empty.
    ///   - titles: the titles of the chapter marks. Empty for a file with a single chapter.
    /// - Returns: false if the work was cancelled, in which case no file is written.
    func write(
        _ sounds: [ChapterAudio], titles: [String], _ tags: SoundFileTags, to path: String
    ) throws -> Bool {
        guard let format = sounds.first?.format else { return false }
        var tags = tags
        tags.chapters = chapters(sounds, titles)
        // For an M4B file, write a temporary file in the work folder, which ffmpeg then converts.
        let ffmpeg: String? = if case .audiobook(let path) = target.container { path } else { nil }
        let written = ffmpeg != nil ? work.path.child("whole.\(target.format.rawValue)") : path
        guard try encode(sounds, format, tags, to: written) else { return false }
        if let ffmpeg, try !convert(written, by: AudiobookConverter(program: ffmpeg, quality: target.quality), to: path)
        {
            return false
        }
        try FinishedFile.sync(path)
        try writeSubtitles(of: sounds, beside: path)
        return true
    }

    private func silence(_ format: AudioFormat) -> Int { Int(pause / .seconds(1) * Double(format.sampleRate)) }

    private func chapters(_ sounds: [ChapterAudio], _ titles: [String]) -> [SoundFileTags.Chapter] {
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
        _ sounds: [ChapterAudio], _ format: AudioFormat, _ tags: SoundFileTags, to path: String
    ) throws -> Bool {
        let options = SoundFileOptions(target.format, quality: target.quality, tags: tags)
        let sink = try rethrowing(options.sink(path: path, sparing: inUse), as: BookFailure.ofAudio(path))
        try rethrowing(sink.begin(format), as: BookFailure.ofAudio(path))
        func take(_ samples: [Float]) throws -> Bool {
            do {
                try sink.write(samples[...])
            } catch {
                // Delete the incomplete file, because the next run will write it again.
                sink.deleteIncompleteFile()
                throw BookFailure.audio(error, path: path)
            }
            return !isCancelled()
        }
        for (index, sound) in sounds.enumerated() {
            if index > 0 { _ = try take(Array(repeating: 0, count: silence(format) * format.channels)) }
            let gain = try target.loudness.value(channels: format.channels).map { loudness throws in
                try sound.gain(for: loudness, isCancelled)
            }
            try sound.read(gain ?? Gain(factor: 1), take)
        }
        // If the sink is released without a call to `finish`, an existing file is left unchanged.
        if isCancelled() { return false }
        do { try sink.finishOrDelete() } catch { throw BookFailure.audio(error, path: path) }
        return true
    }

    /// - Returns: false if the work was cancelled.
    private func convert(
        _ source: String, by converter: AudiobookConverter, to path: String
    ) throws -> Bool {
        let made = work.path.child("whole.m4b")
        let log = work.path.child("ffmpeg.log")
        defer { for file in [source, made, log] { unlink(file) } }
        guard try converter.convert(source, to: made, log: log, isCancelled) else { return false }
        try inUse.check(path)
        // The path may be a symbolic link to a different file system.
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

    /// Writes the subtitles, if requested, to a file with the same name but a different extension.
    private func writeSubtitles(of sounds: [ChapterAudio], beside path: String) throws {
        guard let format = target.subtitles else { return }
        var subtitles = Subtitles(format)
        var start = 0
        for sound in sounds {
            for (piece, frame) in sound.starts {
                guard let path = piece.timings else { continue }
                let bytes = try rethrowing(readWholeFile(path, limit: 64 << 20), as: BookFailure.ofFile(path))
                subtitles.add(
                    String(decoding: bytes, as: UTF8.self),
                    at: (start + frame) * 1000 / max(1, sound.format.sampleRate))
            }
            start += sound.frames + silence(sound.format)
        }
        let path = Self.subtitlePath(path, format)
        try inUse.check(path)
        try FinishedFile.write(Array(subtitles.text.utf8), to: path)
    }
}

/// Runs ffmpeg to convert a FLAC file with chapters and a cover into an M4B file.
struct AudiobookConverter {
    let program: String
    /// The encoder quality, from 0 to 10.
    let quality: Int

    private static let pollInterval = Duration.milliseconds(200)
    /// The maximum length, in bytes, of the text taken from ffmpeg's error messages.
    private static let maximumWords = 4000

    /// Converts a file. Blocks.
    ///
    /// - Parameters:
    ///   - source: the path of a FLAC file.
    ///   - path: the path of the M4B file. An existing file is replaced.
    ///   - log: the path of a file for ffmpeg's messages.
    /// - Returns: false if the work was cancelled.
    func convert(
        _ source: String, to path: String, log: String, _ isCancelled: () -> Bool
    ) throws -> Bool {
        // The bit rates are suitable for mono speech: 32 kbit/s for quality 0, 64 for 5 and 128 for 10.
        let rate = [32, 40, 44, 48, 56, 64, 72, 80, 96, 112, 128][max(0, min(10, quality))]
        let words = [
            "-nostdin", "-v", "error", "-y", "-i", absolutePath(source), "-map", "0", "-map_metadata", "0", "-c:a",
            "aac",
            "-b:a", "\(rate)k", "-c:v", "copy", "-disposition:v", "attached_pic", "-movflags", "+faststart", "-f",
            "ipod",
            absolutePath(path),
        ]
        var running: RunningProgram
        // An ffmpeg process left over from an earlier run may still be writing to these files.
        for file in [path, log] { unlink(file) }
        do {
            let said = try Descriptor.open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
            var spawn = Spawn()
            try spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
            try spawn.pass(said.raw, as: STDOUT_FILENO)
            try spawn.pass(said.raw, as: STDERR_FILENO)
            running = try RunningProgram(try spawn.start(program, arguments: words.map { Array($0.utf8) }))
        } catch {
            throw BookFailure.converter(reason: "it could not be started (\(error)).")
        }
        var ending = running.wait(within: Self.pollInterval)
        while ending == nil {
            if isCancelled() { return false }
            ending = running.wait(within: Self.pollInterval)
        }
        if ending?.isGood == true { return true }
        let said = (try? readWholeFile(log, limit: 1 << 20)) ?? []
        let reason = String(decoding: said.prefix(Self.maximumWords), as: UTF8.self).split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        throw BookFailure.converter(reason: reason.isEmpty ? "it failed with status \(ending?.code ?? 0)." : reason)
    }
}

/// Joins the subtitles of a book's parts.
struct Subtitles {
    private let format: SubtitleFormat
    private var number = 0
    private var hasHead = false
    private(set) var text = ""

    init(_ format: SubtitleFormat) { self.format = format }

    /// Appends a part's subtitles.
    ///
    /// - Parameters:
    ///   - part: the contents of a complete subtitle file.
    ///   - milliseconds: the part's start time.
    mutating func add(_ part: String, at milliseconds: Int) {
        let cues = part.split(separator: "\n\n").map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        for lines in cues {
            guard let times = lines.firstIndex(where: { $0.contains(" --> ") }) else {
                // Keep the header before the first cue.
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

    /// Shifts a timestamp such as "00:01:02.345" or "01:02.345". Other words are returned unchanged.
    private func moved(_ word: Substring, by milliseconds: Int) -> String {
        let mark: Character = format == .srt ? "," : "."
        // Fields of 10,000 or more do not belong to a timestamp: even 10,000 hours are more than a year.
        let fields = word.split { $0 == ":" || $0 == mark }
        let numbers = fields.compactMap { Int($0) }.filter { $0 < 10_000 }
        guard (3...4).contains(fields.count), word.contains(mark), numbers.count == fields.count else {
            return String(word)
        }
        let whole = numbers.dropLast().reduce(0) { $0 * 60 + $1 } * 1000 + (numbers.last ?? 0) + milliseconds
        let seconds = whole / 1000
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
            + "\(mark)" + padded(whole % 1000, 3)
    }
}
