/// Encodes a file or stream incrementally, using a library, at the nearest sample rate that the format supports.
final class EncodedStream: SoundStream {
    private let format: SoundFileFormat
    private let output: EncodedOutput
    /// The encoder, or nil after closing.
    private var encoder: (any FrameEncoder)?
    /// The encoder's input format.
    private let taken: AudioFormat
    private let converter: FormatConverter
    private var converted: [Float] = []
    private var hasFrames = false

    /// - Throws: `encodingFailed`, `formatUnusable`, `conversionFailed`, `brokenPipe`, `outputNotWritten`.
    init(
        _ output: any EncodedDestination, _ sound: AudioFormat, _ options: SoundFileOptions,
        _ library: SoundFileLibrary
    ) throws(AudioError) {
        format = options.format
        taken = format.nearest(to: sound)
        converter = try FormatConverter(from: sound, to: taken)
        // libsndfile would write these tags as Latin-1.
        let head = format == .mp3 ? ID3Tag(options.tags).bytes : []
        self.output = try EncodedOutput(output, head: head, rewriting: HeadRewriter(format, options.tags))
        if let opus = OpusEncoder(options, taken, into: self.output) {
            encoder = opus
        } else {
            encoder = try SoundFileEncoder(options, taken, into: self.output, library)
        }
    }

    deinit { _ = close() }

    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        converted.removeAll(keepingCapacity: true)
        try converter.process(samples, into: &converted)
        try encode(converted)
    }

    func finish(isWhole: Bool) throws(AudioError) {
        var failure: AudioError?
        do {
            converted.removeAll(keepingCapacity: true)
            try converter.finish(into: &converted)
            try encode(converted)
            // A file without frames would be invalid.
            if !hasFrames { try encode(Array(repeating: 0, count: taken.channels)) }
        } catch {
            failure = error
        }
        let isWhole = close()
        if let failure = failure ?? output.failure { throw failure }
        if !isWhole, !output.isCut { throw .encodingFailed(format, reason: nil) }
        try output.close()
    }

    func keep() {
        _ = close()
        if hasFrames, !output.isEmpty { try? output.close() }
    }

    /// - Returns: false if the remaining audio could not be encoded.
    private func close() -> Bool {
        defer { encoder = nil }
        return encoder?.close() ?? true
    }

    private func encode(_ samples: [Float]) throws(AudioError) {
        var rest = samples[...]
        while let encoder, !rest.isEmpty, !output.isCut {
            let block = rest.prefix(4096 * taken.channels)
            rest = rest.dropFirst(block.count)
            let isEncoded = encoder.encode(block, frames: block.count / taken.channels)
            if let failure = output.failure { throw failure }
            if output.isCut { return }
            guard isEncoded else { throw .encodingFailed(format, reason: encoder.reason) }
            hasFrames = true
        }
    }
}

/// The tag at the start of an MP3 stream, in UTF-8 (ID3v2.4.0, M. Nilsson, 2000; chapters according to the addendum of
/// 2005).
struct ID3Tag {
    private let tags: SoundFileTags

    init(_ tags: SoundFileTags) { self.tags = tags }

    /// The encoded tag. Empty if there is no metadata.
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

    /// The table of contents and one frame per chapter. The table is limited to 255 entries; additional chapters are omitted.
    private var chapters: [UInt8] {
        let chapters = tags.chapters.prefix(255)
        guard !chapters.isEmpty else { return [] }
        let names = chapters.indices.map { Array("chp\($0)".utf8) + [0] }
        let isTopAndOrdered: UInt8 = 3
        var frames = Self.frame(
            "CTOC", Array("toc".utf8) + [0, isTopAndOrdered, UInt8(clamping: names.count)] + names.flatMap { $0 })
        for (name, chapter) in zip(names, chapters) {
            let times = Self.number(chapter.start * 1000) + Self.number(chapter.end * 1000)
            // The value for unspecified byte offsets.
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

    /// Encodes a size as four bytes with seven bits each.
    private static func size(_ count: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
    }
}
