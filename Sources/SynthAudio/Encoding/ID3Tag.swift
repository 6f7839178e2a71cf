/// What stands before an MP3 stream, in UTF-8 (ID3v2.4.0, M. Nilsson, 2000; chapters by the addendum of 2005).
struct ID3Tag {
    private let tags: SoundFileTags

    init(_ tags: SoundFileTags) { self.tags = tags }

    /// Nothing if there is no tag.
    var bytes: [UInt8] {
        var frames = text("TIT2", tags.title) + text("TPE1", tags.author) + text("TALB", tags.album)
        frames += text("TRCK", tags.track.map { "\($0.number)/\($0.count)" })
        frames += picture + chapters
        return frames.isEmpty ? [] : Array("ID3".utf8) + [4, 0, 0] + Self.size(frames.count) + frames
    }

    private static let inUTF8: UInt8 = 3

    private func text(_ id: String, _ text: String?) -> [UInt8] {
        guard let text else { return [] }
        return Self.frame(id, [Self.inUTF8] + Array(text.utf8))
    }

    private var picture: [UInt8] {
        guard let cover = tags.cover else { return [] }
        let front: UInt8 = 3
        return Self.frame("APIC", [Self.inUTF8] + Array(cover.type.utf8) + [0, front, 0] + cover.bytes)
    }

    /// A table of contents, and a frame for each chapter. A table has room for 255; a longer book has no more marks.
    private var chapters: [UInt8] {
        let chapters = tags.chapters.prefix(255)
        guard !chapters.isEmpty else { return [] }
        let names = chapters.indices.map { Array("chp\($0)".utf8) + [0] }
        let isTopAndOrdered: UInt8 = 3
        var frames = Self.frame(
            "CTOC", Array("toc".utf8) + [0, isTopAndOrdered, UInt8(clamping: names.count)] + names.flatMap { $0 })
        for (name, chapter) in zip(names, chapters) {
            let times = Self.number(chapter.start * 1000) + Self.number(chapter.end * 1000)
            // The places in bytes are not said.
            let places = [UInt8](repeating: 0xFF, count: 8)
            frames += Self.frame("CHAP", name + times + places + text("TIT2", SoundFileTags.line(chapter.title)))
        }
        return frames
    }

    private static func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
        Array(id.utf8) + size(content.count) + [0, 0] + content
    }

    private static func number(_ value: Double) -> [UInt8] {
        let number = UInt32(clamping: Int(value.rounded()))
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Four bytes of seven bits.
    private static func size(_ count: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
    }
}
