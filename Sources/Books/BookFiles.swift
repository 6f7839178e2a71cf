import Glibc
import SynthAudio
import System

/// The files of sound that a book becomes, made of parts that were spoken. Any thread, one file at a time each.
struct BookFiles: Sendable {
    private let plan: BookPlan
    private let folder: BookWorkFolder
    private let inUse: FilesInUse
    private let isCancelled: @Sendable () -> Bool

    /// The silence before a chapter in one file, in seconds.
    private static let chapterPause = 1.5
    /// The record of the file that is the whole book.
    private static let bookKey = 0

    init(
        _ plan: BookPlan, _ folder: BookWorkFolder, sparing inUse: FilesInUse,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.plan = plan
        self.folder = folder
        self.inUse = inUse
        self.isCancelled = isCancelled
    }

    private var target: BookTarget { plan.target }

    /// Nothing that was not made for this book is replaced.
    ///
    /// - Throws: `foreignFile`.
    func check() throws(BookFailure) {
        guard target.form == .folder else { return }
        for chapter in plan.chapters {
            if folder.record(ofFile: chapter.number)?.name == name(of: chapter) { continue }
            let path = path(of: chapter)
            let subtitles = target.subtitles.map { Self.subtitlePath(path, $0) }
            for path in [path, subtitles] {
                if let path, access(path, F_OK) == 0 { throw .foreignFile(path: path) }
            }
        }
    }

    /// The file of a chapter that is whole, or the book's; nil = it has to be made.
    func kept(_ chapter: BookChapter) -> BookFile? {
        switch target.form {
        case .folder:
            return kept(
                chapter.number, recipe([chapter], tags(of: chapter)), path(of: chapter), chapter.number, chapter.title)
        case .file:
            return kept(Self.bookKey, recipe(plan.chapters, bookTags), target.path, nil, plan.title)
        }
    }

    private func kept(
        _ key: Int, _ recipe: BookWorkFolder.Recipe, _ path: String, _ chapter: Int?, _ title: String?
    ) -> BookFile? {
        guard let record = folder.record(ofFile: key), record.recipe == recipe, let seconds = record.seconds,
            RegularFile(path: path) != nil
        else { return nil }
        return BookFile(path: path, chapter: chapter, title: title, seconds: seconds, isKept: true)
    }

    /// Writes the file of a chapter.
    ///
    /// - Returns: nil = there was nothing to say in it, or it was cancelled.
    func write(_ chapter: BookChapter) throws(BookFailure) -> BookFile? {
        guard let sound = try sound(of: chapter) else { return nil }
        let path = path(of: chapter)
        let before = folder.record(ofFile: chapter.number)
        var record = BookWorkFolder.FileRecord(
            name: name(of: chapter), recipe: recipe([chapter], tags(of: chapter)))
        try folder.write(record, ofFile: chapter.number)
        guard try write([sound], titles: [], try tags(tags(of: chapter)), to: path) else { return nil }
        record.seconds = sound.seconds
        try folder.write(record, ofFile: chapter.number)
        // What it was called before, by a record of ours. In another format it is another file.
        if let before, before.name != record.name, before.recipe.format == record.recipe.format {
            unlink(target.path.child(before.name))
        }
        folder.remove(chapter.parts)
        return BookFile(
            path: path, chapter: chapter.number, title: chapter.title, seconds: sound.seconds, isKept: false)
    }

    /// Writes the file that is the whole book, unless it is there.
    func whole() throws(BookFailure) -> BookFile? {
        if let first = plan.chapters.first, let kept = kept(first) { return kept }
        var sounds: [BookSound] = []
        var titles: [String] = []
        for chapter in plan.chapters {
            guard let sound = try sound(of: chapter) else { continue }
            if let first = sounds.first, first.format != sound.format {
                throw .formatsDiffer(first.format, sound.format)
            }
            sounds.append(sound)
            titles.append(chapter.shownTitle)
        }
        guard !sounds.isEmpty else { throw .empty }
        var record = BookWorkFolder.FileRecord(
            name: target.path, recipe: recipe(plan.chapters, bookTags))
        try folder.write(record, ofFile: Self.bookKey)
        guard try write(sounds, titles: titles, try tags(bookTags), to: target.path) else { return nil }
        let seconds = sounds.reduce(Self.chapterPause * Double(sounds.count - 1)) { $0 + $1.seconds }
        record.seconds = seconds
        try folder.write(record, ofFile: Self.bookKey)
        folder.remove(plan.chapters.flatMap(\.parts))
        return BookFile(path: target.path, chapter: nil, title: plan.title, seconds: seconds, isKept: false)
    }

    /// A playlist of all files of a folder that are whole, if it is no folder with a playlist of somebody else.
    func finish() throws(BookFailure) {
        guard target.form == .folder else { return }
        var lines = ["#EXTM3U", Self.playlistMark]
        if let title = plan.title { lines.append("#PLAYLIST:\(Self.line(title))") }
        let head = lines.count
        for number in 1...max(1, plan.chapterCount) {
            guard let record = folder.record(ofFile: number), let seconds = record.seconds,
                RegularFile(path: target.path.child(record.name)) != nil
            else { continue }
            lines.append("#EXTINF:\(Int(seconds.rounded())),\(Self.line(record.recipe.tags.first ?? record.name))")
            lines.append(record.name)
        }
        guard lines.count > head + 2 else { return }
        let path = target.path.child(Self.playlist)
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        if access(path, F_OK) == 0 {
            let there = (try? readWholeFile(path, limit: 1 << 24)) ?? []
            let isOurs = String(decoding: there, as: UTF8.self).split(separator: "\n").contains(Self.playlistMark[...])
            if there == bytes || !isOurs { return }
        }
        try write(bytes, to: path)
    }

    private static let playlist = "playlist.m3u8"
    private static let playlistMark = "# Made by synthhost book"

    private static func line(_ text: String) -> String {
        text.split { $0.isNewline }.joined(separator: " ")
    }

    // MARK: What a file is made of

    private func name(of chapter: BookChapter) -> String {
        BookNames.file(of: chapter.number, count: plan.chapterCount, title: chapter.title, target.format)
    }

    private func path(of chapter: BookChapter) -> String { target.path.child(name(of: chapter)) }

    /// What a file says of itself, in an order that the record keeps.
    private struct Tags {
        var title: String?
        var author: String?
        var album: String?
        var track: SoundFileTags.Track?

        var words: [String] {
            [title ?? "", author ?? "", album ?? "", track.map { "\($0.number)/\($0.count)" } ?? ""]
        }
    }

    private var author: String? { plan.authors.isEmpty ? nil : plan.authors.joined(separator: ", ") }

    private var bookTags: Tags { Tags(title: plan.title, author: author, album: plan.title) }

    private func tags(of chapter: BookChapter) -> Tags {
        Tags(
            title: chapter.shownTitle, author: author, album: plan.title,
            track: SoundFileTags.Track(number: chapter.number, count: plan.chapterCount))
    }

    private func tags(_ tags: Tags) throws(BookFailure) -> SoundFileTags {
        do throws(AudioError) {
            var made = try SoundFileTags(title: tags.title, author: tags.author, album: tags.album)
            made.track = tags.track
            made.cover = plan.cover
            return made
        } catch {
            throw .audio(error, path: target.path)
        }
    }

    private func recipe(_ chapters: [BookChapter], _ tags: Tags) -> BookWorkFolder.Recipe {
        BookWorkFolder.Recipe(
            texts: chapters.flatMap(\.parts).map(\.text), voice: plan.voice, format: target.format.rawValue,
            quality: target.quality, loudness: target.loudness, subtitles: target.subtitles?.rawValue,
            tags: tags.words + [plan.cover.map { "\($0.type) \($0.bytes.count)" } ?? ""]
                + (target.form == .file ? chapters.map(\.shownTitle) : []))
    }

    /// nil = it has none.
    private func sound(of chapter: BookChapter) throws(BookFailure) -> BookSound? {
        var pieces: [BookSound.Piece] = []
        var format: AudioFormat?
        for part in chapter.parts {
            guard let record = folder.wholePart(part, plan.voice) else {
                throw .missing(count: 1, firstChapter: chapter.number)
            }
            guard record.frames > 0 else { continue }
            if let format, format != record.format { throw .formatsDiffer(format, record.format) }
            format = record.format
            pieces.append(
                BookSound.Piece(
                    path: folder.soundPath(part), frames: record.frames,
                    subtitles: target.subtitles.map { folder.subtitlePath(part, $0) }))
        }
        guard let format else { return nil }
        return try BookSound(pieces, format)
    }

    /// - Returns: false = it was cancelled, and there is no new file.
    private func write(
        _ sounds: [BookSound], titles: [String], _ tags: SoundFileTags, to path: String
    ) throws(BookFailure) -> Bool {
        guard let format = sounds.first?.format else { return false }
        var tags = tags
        let pause = Int(Self.chapterPause * Double(format.sampleRate))
        var start = 0
        for (sound, title) in zip(sounds, titles) {
            let end = start + sound.frames + (tags.chapters.count + 1 < sounds.count ? pause : 0)
            let rate = Double(format.sampleRate)
            tags.chapters.append(
                SoundFileTags.Chapter(title: title, start: Double(start) / rate, end: Double(end) / rate))
            start = end
        }
        // The converter gets all, and says in the end what is small.
        let written = target.converter == nil ? path : folder.path.child("whole.\(target.format.rawValue)")
        let sink: any AudioSink
        do throws(AudioError) {
            sink = try SoundFileOptions(target.format, quality: target.quality, tags: tags)
                .sink(path: written, sparing: inUse)
            try sink.begin(format)
        } catch {
            throw .audio(error, path: path)
        }
        func take(_ samples: [Float]) throws(BookFailure) -> Bool {
            do throws(AudioError) { try sink.write(samples[...]) } catch { throw .audio(error, path: path) }
            return !isCancelled()
        }
        for (index, sound) in sounds.enumerated() {
            if index > 0 { _ = try take(Array(repeating: 0, count: pause * format.channels)) }
            let gain = try target.loudness.value.map { loudness throws(BookFailure) in
                try sound.gain(for: loudness, isCancelled)
            }
            try sound.read(gain ?? Gain(factor: 1), take)
        }
        // A sink that is let go leaves what was there.
        if isCancelled() { return false }
        do throws(AudioError) { try sink.finish() } catch { throw .audio(error, path: path) }
        if let program = target.converter {
            guard try convert(written, by: AudiobookConverter(program: program, quality: target.quality), to: path)
            else {
                return false
            }
        }
        try writeSubtitles(of: sounds, pause: pause, beside: path)
        return true
    }

    /// - Returns: false = it was cancelled.
    private func convert(
        _ source: String, by converter: AudiobookConverter, to path: String
    ) throws(BookFailure) -> Bool {
        let made = folder.path.child("whole.m4b")
        let log = folder.path.child("ffmpeg.log")
        defer { for file in [source, made, log] { unlink(file) } }
        guard try converter.convert(source, to: made, log: log, isCancelled) else { return false }
        if let use = inUse.use(ofPath: path) { throw .audio(.outputInUse(path: path, use, kept: nil), path: path) }
        guard rename(made, LinkTarget.of(path) ?? path) == 0 else { throw .file(path: path, .last) }
        return true
    }

    /// A file of the same name with another ending, if subtitles are asked for.
    private func writeSubtitles(of sounds: [BookSound], pause: Int, beside path: String) throws(BookFailure) {
        guard let format = target.subtitles else { return }
        var subtitles = Subtitles(format)
        var start = 0
        for sound in sounds {
            for part in sound.subtitles {
                let bytes: [UInt8]
                do throws(Errno) { bytes = try readWholeFile(part.path, limit: 64 << 20) } catch {
                    throw .file(path: part.path, error)
                }
                subtitles.add(
                    String(decoding: bytes, as: UTF8.self),
                    at: (start + part.frame) * 1000 / max(1, sound.format.sampleRate))
            }
            start += sound.frames + pause
        }
        try write(Array(subtitles.text.utf8), to: Self.subtitlePath(path, format))
    }

    private static func subtitlePath(_ path: String, _ format: SubtitleFormat) -> String {
        let ending = SoundFileFormat.ending(of: path).map { $0.utf8.count + 1 } ?? 0
        return path.dropLast(ending) + ".\(format.rawValue)"
    }

    private func write(_ bytes: [UInt8], to path: String) throws(BookFailure) {
        if let use = inUse.use(ofPath: path) { throw .audio(.outputInUse(path: path, use, kept: nil), path: path) }
        do throws(Errno) {
            let file = try ReplacementFile(at: path)
            try file.file.writeAll(bytes)
            try file.publish()
        } catch {
            throw .file(path: path, error)
        }
    }
}
