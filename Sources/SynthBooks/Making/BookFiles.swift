import Glibc
import SynthAudio
import SynthDocuments
import SynthJSON
import SynthSpeech
import SynthSystem

/// Assembles a book's audio files from its synthesized parts. Can be used from any thread, but two threads must not
/// write the same file concurrently.
struct BookFiles: Sendable {
    let plan: BookPlan
    let work: BookWorkFolder
    let inUse: FilesInUse
    let isCancelled: @Sendable () -> Bool

    private var target: BookTarget { plan.target }
    private var soundFile: BookSoundFile {
        BookSoundFile(
            target: target, work: work, inUse: inUse, isCancelled: isCancelled, pause: plan.pauses.chapter)
    }

    /// Checks that making the book would not overwrite unrelated files.
    ///
    /// - Throws: `otherBook` or `foreignFile`.
    func check() throws {
        switch target.form {
        case .folder:
            try work.claim(plan.identity, by: plan.authors)
            for chapter in plan.chapters { try check(path(of: chapter), name(of: chapter), chapter.number) }
        case .file: try check(target.path, plan.fileName, nil)
        }
    }

    /// - Parameter chapter: the chapter number, or nil for a single-file book. The user named that file, so it may be
    ///   overwritten.
    private func check(_ path: String, _ name: String, _ chapter: Int?) throws {
        let record = work.record(ofFile: chapter, target.format)
        let isOurs = record?.name == name
        if !isOurs, chapter != nil, FinishedFile.isThere(path) { throw BookFailure.foreignFile(path: path) }
        guard let format = target.subtitles else { return }
        let subtitles = BookSoundFile.subtitlePath(path, format)
        if !(isOurs && record?.recipe.subtitles == format.rawValue), FinishedFile.isThere(subtitles) {
            throw BookFailure.foreignFile(path: subtitles)
        }
    }

    /// A chapter's finished file, or nil if it has yet to be made.
    func kept(_ chapter: BookChapter) -> BookFile? {
        kept(
            work.record(ofFile: chapter.number, target.format), recipe([chapter], tags(of: chapter)), path(of: chapter),
            chapter.number, chapter.title)
    }

    /// The finished file of a single-file book, or nil if it has yet to be made.
    func keptBook() -> BookFile? {
        kept(work.record(ofFile: nil, target.format), recipe(plan.chapters, bookTags), target.path, nil, plan.title)
    }

    private func kept(
        _ record: BookWorkFolder.FileRecord?, _ recipe: BookWorkFolder.Recipe, _ path: String, _ chapter: Int?,
        _ title: String?
    ) -> BookFile? {
        guard let record, record.recipe == recipe, let seconds = record.seconds, FinishedFile.holdsSomething(path)
        else {
            return nil
        }
        return BookFile(path: path, chapter: chapter, title: title, seconds: seconds, isKept: true)
    }

    /// Writes a chapter's file.
    ///
    /// - Returns: nil if the chapter contained no speech or the work was cancelled.
    func write(_ chapter: BookChapter) throws -> BookFile? {
        guard let sound = try sounds(of: [chapter]).first else { return nil }
        let before = work.record(ofFile: chapter.number, target.format)
        let record = BookWorkFolder.FileRecord(
            name: name(of: chapter), recipe: recipe([chapter], tags(of: chapter)))
        let file = BookFile(
            path: path(of: chapter), chapter: chapter.number, title: chapter.title, seconds: sound.seconds,
            isKept: false)
        guard try write(file, record, [sound], titles: [], tags(of: chapter)) else { return nil }
        // If the file has a new name, remove the file with the old name.
        if let before, before.name != record.name {
            let old = target.path.child(before.name)
            unlink(old)
            let subtitles = before.recipe.subtitles.flatMap(SubtitleFormat.init(rawValue:))
            if let subtitles { unlink(BookSoundFile.subtitlePath(old, subtitles)) }
        }
        work.removeParts(of: [chapter])
        return file
    }

    /// Writes the file of a single-file book.
    ///
    /// - Returns: nil if the work was cancelled.
    func writeBook() throws -> BookFile? {
        let chapters = plan.chapters
        let sounds = try sounds(of: chapters)
        guard !sounds.isEmpty else { throw BookFailure.empty }
        let titles = chapters.filter { chapter in sounds.contains { $0.chapter == chapter.number } }.map(\.shownTitle)
        let file = BookFile(
            path: target.path, chapter: nil, title: plan.title, seconds: soundFile.seconds(sounds), isKept: false)
        let record = BookWorkFolder.FileRecord(name: plan.fileName, recipe: recipe(chapters, bookTags))
        guard try write(file, record, sounds, titles: titles, bookTags) else { return nil }
        work.removeParts(of: chapters)
        return file
    }

    /// Writes a file of the book. The record is written first so that a later run recognizes an incomplete file as part
    /// of this book.
    private func write(
        _ file: BookFile, _ record: BookWorkFolder.FileRecord, _ sounds: [ChapterAudio], titles: [String], _ tags: Tags
    ) throws -> Bool {
        var record = record
        try work.write(record, ofFile: file.chapter, target.format)
        let isWhole =
            target.container == .epub
            ? try SpokenEPUB(plan: plan, soundFile: soundFile).write(sounds, to: file.path)
            : try soundFile.write(sounds, titles: titles, try self.tags(tags), to: file.path)
        guard isWhole else { return false }
        record.seconds = file.seconds
        try work.write(record, ofFile: file.chapter, target.format)
        return true
    }

    /// Writes a playlist to the output folder.
    func finish() throws {
        guard target.form == .folder else { return }
        var playlist = BookPlaylist(title: plan.title)
        for number in 1...max(1, plan.chapterCount) {
            guard let record = work.record(ofFile: number, target.format), let seconds = record.seconds,
                FinishedFile.holdsSomething(target.path.child(record.name))
            else { continue }
            playlist.add(record.name, title: record.recipe.tags.first ?? record.name, seconds: seconds)
        }
        try playlist.write(in: target.path)
    }

    /// The audio of all chapters that contain audio, converted to their most common format. Formats may differ, because
    /// a passage in a different language may be spoken by a voice with a different format.
    private func sounds(of chapters: [BookChapter]) throws -> [ChapterAudio] {
        var frames: [(format: AudioFormat, seconds: Double)] = []
        var missing: [BookPart] = []
        for part in chapters.flatMap(\.parts) {
            guard let record = work.wholePart(part, plan) else {
                missing.append(part)
                continue
            }
            guard record.frames > 0 else { continue }
            let seconds = Double(record.frames) / Double(record.sampleRate)
            if let index = frames.firstIndex(where: { $0.format == record.format }) {
                frames[index].seconds += seconds
            } else {
                frames.append((record.format, seconds))
            }
        }
        if let first = missing.first { throw BookFailure.missing(count: missing.count, firstChapter: first.chapter) }
        guard let format = frames.max(by: { $0.seconds < $1.seconds })?.format else { return [] }
        var sounds: [ChapterAudio] = []
        for chapter in chapters {
            var pieces: [ChapterAudio.Piece] = []
            for part in chapter.parts { if let piece = try piece(part, in: format) { pieces.append(piece) } }
            if !pieces.isEmpty {
                sounds.append(try ChapterAudio(pieces, format, chapter: chapter.number, pause: plan.pauses.paragraph))
            }
        }
        return sounds
    }

    /// - Returns: nil if the part contained no speech.
    private func piece(_ part: BookPart, in format: AudioFormat) throws -> ChapterAudio.Piece? {
        guard var record = work.wholePart(part, plan), record.frames > 0 else { return nil }
        let path = work.soundPath(part)
        if record.format != format {
            let samples = try ChapterAudio.Piece(path: path, frames: record.frames, timings: nil, part: part.number)
                .samples(record.format, as: format)
            record = BookWorkFolder.PartRecord(
                text: record.text, voice: record.voice, frames: samples.count / format.channels,
                sampleRate: format.sampleRate, channels: format.channels)
            // If writing is interrupted, the file's size will not match the record, and the part will be synthesized
            // again.
            try FinishedFile.write(FloatPCM.bytes16(of: samples[...]), to: path)
            try work.write(record, of: part)
        }
        return ChapterAudio.Piece(
            path: path, frames: record.frames, timings: target.timings.map { work.timingsPath(part, $0) },
            part: part.number)
    }

    private func name(of chapter: BookChapter) -> String {
        BookNames.file(of: chapter.number, count: plan.chapterCount, title: chapter.title, target.format)
    }

    private func path(of chapter: BookChapter) -> String { target.path.child(name(of: chapter)) }

    /// The tags of a file, in the order in which they are stored in its record.
    private struct Tags {
        var title: String?
        var author: String?
        var album: String?
        var track: SoundFileTags.Track?

        var words: [String] {
            [title ?? "", author ?? "", album ?? "", track.map { "\($0.number)/\($0.count)" } ?? ""]
        }
    }

    private var author: String? { plan.authors.isEmpty ? nil : BookWorkFolder.Recipe.author(plan.authors) }

    private var bookTags: Tags { Tags(title: plan.title, author: author, album: plan.title) }

    private func tags(of chapter: BookChapter) -> Tags {
        Tags(
            title: chapter.shownTitle, author: author, album: plan.title,
            track: SoundFileTags.Track(number: chapter.number, count: plan.chapterCount))
    }

    private func tags(_ tags: Tags) throws -> SoundFileTags {
        do {
            var made = try SoundFileTags(title: tags.title, author: tags.author, album: tags.album)
            made.track = tags.track
            made.cover = plan.cover
            return made
        } catch {
            throw BookFailure.audio(error, path: target.path)
        }
    }

    private var structure: [String] {
        guard target.container == .epub else { return [] }
        let blocks = plan.chapters.map { (try? JSONNode(encoding: $0.content.blocks)).map { JSONWriter.line(of: $0) } }
        let sum = ContentHash(blocks.compactMap { $0 }.joined().utf8).hexadecimal
        return [sum, plan.language ?? "", plan.narrator]
    }

    private func recipe(_ chapters: [BookChapter], _ tags: Tags) -> BookWorkFolder.Recipe {
        BookWorkFolder.Recipe(
            texts: chapters.flatMap(\.parts).map(\.content), voice: plan.voice, format: target.format.rawValue,
            quality: target.quality, loudness: target.loudness, subtitles: target.subtitles?.rawValue,
            tags: tags.words + [plan.cover.map { "\($0.type) \($0.bytes.count)" } ?? ""]
                + (target.form == .file ? chapters.map(\.shownTitle) + ["\(plan.pauses.chapter)"] : []) + structure)
    }
}
