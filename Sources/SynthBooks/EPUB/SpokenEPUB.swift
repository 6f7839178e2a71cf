import Glibc
import SynthAudio
import SynthSystem

/// Writes an EPUB 3 with synchronized text and audio, so that the reading system highlights each sentence as it is
/// played. Stateless.
struct SpokenEPUB {
    let plan: BookPlan
    let soundFile: BookSoundFile

    /// - Parameter sounds: the audio of the chapters. Must not be empty.
    /// - Returns: false if the work was cancelled, in which case no file is written.
    func write(_ sounds: [ChapterAudio], to path: String) throws -> Bool {
        try soundFile.inUse.check(path)
        // A pipe or device must not be replaced with a file.
        if FinishedFile.isThere(path), RegularFile(path: path) == nil { throw BookFailure.file(path: path, .invalid) }
        var package = EPUBPackage(
            title: plan.title ?? plan.identity.title, authors: plan.authors,
            language: plan.language.flatMap { LanguageTag.normalized($0) } ?? "und",
            narrator: plan.narrator, identifier: "urn:synthhost:\(identifier)", modified: plan.modified,
            cover: plan.cover?.type)
        let chapters = plan.chapters
        let sound = soundFile.work.path.child("chapter.mp3")
        defer { unlink(sound) }
        var archive = try StoredArchive(at: path)
        // The `mimetype` member comes first so that reading systems can recognize the format by the first bytes of the
        // file.
        try archive.add("mimetype", Array("application/epub+zip".utf8))
        try archive.add("META-INF/container.xml", Array(EPUBPackage.container.utf8))
        for spoken in sounds {
            guard let chapter = chapters.first(where: { $0.number == spoken.chapter }) else { continue }
            let entry = EPUBPackage.Chapter(
                number: chapter.number, title: chapter.shownTitle, seconds: spoken.seconds, level: chapter.level ?? 1)
            package.chapters.append(entry)
            guard try encode(spoken, chapter, to: sound) else { return false }
            let page = try page(chapter, spoken)
            try archive.add(Self.name(entry.sound), contentsOf: sound)
            let text = page.text(language: package.language, style: EPUBPackage.style)
            try archive.add(Self.name(entry.text), Array(text.utf8))
            let overlay = page.overlay(text: entry.text, sound: entry.sound, seconds: entry.seconds)
            try archive.add(Self.name(entry.overlay), Array(overlay.utf8))
        }
        if let cover = plan.cover { try archive.add(Self.name(package.coverName), cover.bytes) }
        try archive.add(Self.name(EPUBPackage.style), Array(EPUBPackage.css.utf8))
        try archive.add(Self.name("contents.xhtml"), Array(package.contents.utf8))
        try archive.add(Self.name("package.opf"), Array(package.package.utf8))
        try archive.finish()
        try FinishedFile.sync(path)
        return true
    }

    private static func name(_ name: String) -> String { "\(EPUBPackage.folder)/\(name)" }

    private var identifier: String {
        var hash = ContentHash(plan.identity.title.utf8)
        for part in plan.chapters.flatMap(\.parts) { hash.add(part.text.utf8) }
        return hash.hexadecimal
    }

    private func encode(_ sound: ChapterAudio, _ chapter: BookChapter, to path: String) throws -> Bool {
        let tags = try rethrowing(SoundFileTags(title: chapter.shownTitle), as: BookFailure.ofAudio(path))
        return try soundFile.encode([sound], sound.format, tags, to: path)
    }

    private func page(_ chapter: BookChapter, _ sound: ChapterAudio) throws -> SpokenPage {
        var page = SpokenPage(chapter)
        for (piece, frame) in sound.starts {
            guard let path = piece.timings, let part = chapter.parts.first(where: { $0.number == piece.part }) else {
                continue
            }
            let bytes = try rethrowing(readWholeFile(path, limit: 64 << 20), as: BookFailure.ofFile(path))
            guard page.add(part, times: bytes, at: Double(frame) / Double(max(1, sound.format.sampleRate))) else {
                // Remove the part so that the next run synthesizes it again.
                soundFile.work.remove(part)
                throw BookFailure.file(path: path, Errno(EBADMSG))
            }
        }
        return page
    }
}
