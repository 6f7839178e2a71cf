/// Title and author before an MP3 stream, in UTF-8 (ID3v2.4.0, M. Nilsson, 2000).
struct ID3Tag {
    private let tags: SoundFileTags

    init(_ tags: SoundFileTags) { self.tags = tags }

    /// Nothing if there is no tag.
    var bytes: [UInt8] {
        let frames = frame("TIT2", tags.title) + frame("TPE1", tags.author)
        return frames.isEmpty ? [] : Array("ID3".utf8) + [4, 0, 0] + Self.size(frames.count) + frames
    }

    private func frame(_ id: String, _ text: String?) -> [UInt8] {
        guard let text else { return [] }
        let inUTF8: UInt8 = 3
        return Array(id.utf8) + Self.size(text.utf8.count + 1) + [0, 0, inUTF8] + Array(text.utf8)
    }

    /// Four bytes of seven bits, so that none looks like the start of sound. UTF-8 has no such byte either.
    private static func size(_ count: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
    }
}
