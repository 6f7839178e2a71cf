import Glibc
import SynthAudio
import System

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
    ) throws(BookFailure) -> Bool {
        guard let format = sounds.first?.format else { return false }
        var tags = tags
        tags.chapters = chapters(sounds, titles)
        // The converter gets all, and says in the end what is small.
        let ffmpeg: String? = if case .audiobook(let path) = target.container { path } else { nil }
        let isConverted = ffmpeg != nil
        let written = isConverted ? work.path.child("whole.\(target.format.rawValue)") : path
        let wasThere = !isConverted && WholeFile.isThere(written)
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
        try WholeFile.sync(path)
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
    ) throws(BookFailure) -> Bool {
        let sink: any AudioSink
        do {
            sink = try SoundFileOptions(target.format, quality: target.quality, tags: tags)
                .sink(path: path, sparing: inUse)
            try sink.begin(format)
        } catch {
            throw .audio(error, path: path)
        }
        func take(_ samples: [Float]) throws(BookFailure) -> Bool {
            do { try sink.write(samples[...]) } catch { throw .audio(error, path: path) }
            return !isCancelled()
        }
        for (index, sound) in sounds.enumerated() {
            if index > 0 { _ = try take(Array(repeating: 0, count: silence(format) * format.channels)) }
            let gain = try target.loudness.value(channels: format.channels).map { loudness throws(BookFailure) in
                try sound.gain(for: loudness, isCancelled)
            }
            try sound.read(gain ?? Gain(factor: 1), take)
        }
        // A sink that is let go leaves what was there.
        if isCancelled() { return false }
        do { try sink.finish() } catch { throw .audio(error, path: path) }
        return true
    }

    /// - Returns: false = it was cancelled.
    private func convert(
        _ source: String, by converter: AudiobookConverter, to path: String
    ) throws(BookFailure) -> Bool {
        let made = work.path.child("whole.m4b")
        let log = work.path.child("ffmpeg.log")
        defer { for file in [source, made, log] { unlink(file) } }
        guard try converter.convert(source, to: made, log: log, isCancelled) else { return false }
        if let use = inUse.use(ofPath: path) { throw .audio(.outputInUse(path: path, use, kept: nil), path: path) }
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
            throw .file(path: path, error)
        }
        return true
    }

    /// A file of the same name with another ending, if subtitles are asked for.
    private func writeSubtitles(of sounds: [BookSound], beside path: String) throws(BookFailure) {
        guard let format = target.subtitles else { return }
        var subtitles = Subtitles(format)
        var start = 0
        for sound in sounds {
            for (piece, frame) in sound.starts {
                guard let path = piece.timings else { continue }
                let bytes: [UInt8]
                do { bytes = try readWholeFile(path, limit: 64 << 20) } catch {
                    throw .file(path: path, error)
                }
                subtitles.add(
                    String(decoding: bytes, as: UTF8.self),
                    at: (start + frame) * 1000 / max(1, sound.format.sampleRate))
            }
            start += sound.frames + silence(sound.format)
        }
        let path = Self.subtitlePath(path, format)
        if let use = inUse.use(ofPath: path) { throw .audio(.outputInUse(path: path, use, kept: nil), path: path) }
        try WholeFile.write(Array(subtitles.text.utf8), to: path)
    }
}
