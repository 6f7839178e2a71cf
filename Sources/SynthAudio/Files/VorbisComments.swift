import SynthJSON
import SynthSystem

/// Vorbis comments for Opus, Vorbis and FLAC files that the encoders do not write themselves ("Ogg Vorbis I format
/// specification: comment field and header specification").
struct VorbisComments {
    private let added: [[UInt8]]
    private let cover: SoundFileTags.Picture?

    init(_ tags: SoundFileTags) {
        var comments: [String] = []
        if let album = tags.album { comments.append("ALBUM=\(album)") }
        if let track = tags.track {
            comments += ["TRACKNUMBER=\(track.number)", "TRACKTOTAL=\(track.count)"]
        }
        for (index, chapter) in tags.chapters.prefix(1000).enumerated() {
            let name = "CHAPTER" + padded(index, 3)
            comments += ["\(name)=\(Self.time(chapter.start))", "\(name)NAME=\(SoundFileTags.line(chapter.title))"]
        }
        added = comments.map { Array($0.utf8) }
        cover = tags.cover
    }

    var isEmpty: Bool { added.isEmpty && cover == nil }

    /// Returns the comment header with these comments added.
    ///
    /// - Parameters:
    ///   - header: the content of the original header (the vendor string, the comments, and the bytes after them).
    ///   - picturesAreComments: true for Ogg. FLAC has a separate block for pictures.
    /// - Returns: nil if the header cannot be parsed.
    func adding(to header: ArraySlice<UInt8>, picturesAreComments: Bool) -> [UInt8]? {
        var rest = header
        guard let maker = Self.take(&rest), let count = Self.number(&rest), count < 1000 else { return nil }
        var comments: [ArraySlice<UInt8>] = []
        for _ in 0..<count {
            guard let comment = Self.take(&rest) else { return nil }
            comments.append(comment)
        }
        comments += added.map { $0[...] }
        if picturesAreComments, let cover {
            comments.append(Array("METADATA_BLOCK_PICTURE=\(Base64.text(of: Self.block(of: cover)))".utf8)[...])
        }
        return Self.field(maker) + Self.bytes(comments.count) + comments.flatMap(Self.field) + rest
    }

    /// The content of the FLAC picture block for the cover image, or nil if there is no cover.
    var pictureBlock: [UInt8]? { cover.map(Self.block) }

    private static func take(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = number(&rest), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func field(_ content: ArraySlice<UInt8>) -> [UInt8] { bytes(content.count) + content }

    private static func bytes(_ value: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Creates FLAC's METADATA_BLOCK_PICTURE for a front cover with unspecified dimensions and colors (RFC 9639, 8.8).
    private static func block(of cover: SoundFileTags.Picture) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { bytes(value).reversed() }
        return number(3) + number(cover.type.utf8.count) + Array(cover.type.utf8) + number(0)
            + [UInt8](repeating: 0, count: 16) + number(cover.bytes.count) + cover.bytes
    }

    /// Formats a timestamp such as "01:02:03.456".
    private static func time(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let whole = milliseconds / 1000
        return [whole / 3600, whole / 60 % 60, whole % 60].map { padded($0, 2) }.joined(separator: ":")
            + "." + padded(milliseconds % 1000, 3)
    }
}
