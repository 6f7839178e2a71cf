import Glibc
import Synchronization
import SynthSystem

/// Encodes a file or stream incrementally, using a library. Not thread-safe.
final class EncodedStream {
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

    /// - Throws: `outputNotWritten`, `brokenPipe`, `encodingFailed`, `conversionFailed`.
    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        converted.removeAll(keepingCapacity: true)
        try converter.process(samples, into: &converted)
        try encode(converted)
    }

    /// Encodes the remaining audio and closes the file. After an error, call `keep` to save the earlier audio.
    ///
    /// - Throws: the same errors as `write`, `outputNotCreated`, `outputInUse`.
    func finish() throws(AudioError) {
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

    /// Closes the file after a failure. The file contains the audio written before the failure, if any.
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

/// Writes audio in a format that requires an encoding library, at the nearest sample rate that the format supports.
///
/// A regular file appears at its path only when it is finished; until then, an existing file is unchanged. All of these
/// formats can also be streamed to a pipe. If `finish` is called without `begin`, no file is created, and a stream
/// contains one frame of silence, because these formats require at least one frame.
final class EncodedFileSink: AudioSink {
    private struct State: ~Copyable {
        var hasBegun = false
        var stream: EncodedStream?
        var output: DescribedDestination?
        var storedPath: String?

        mutating func end() {
            storedPath = output?.storedPath
            (stream, output) = (nil, nil)
        }
    }

    private let target: OutputTarget
    private let options: SoundFileOptions
    private let library: SoundFileLibrary
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameter library: a library that supports the format.
    init(_ target: OutputTarget, _ options: SoundFileOptions, _ library: SoundFileLibrary) {
        self.target = target
        self.options = options
        self.library = library
    }

    var isAwaited: Bool { target.isPipe }

    var storedPath: String? { state.withLock { $0.storedPath } }

    func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            guard let opened = try target.open(until: signal) else { return }
            let output = DescribedDestination(opened, until: signal)
            state.stream = try EncodedStream(output, format, options, library)
            state.output = output
        }
    }

    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                try state.stream?.write(samples)
            } catch {
                state.output?.ending = .failed
                state.stream?.keep()
                state.end()
                throw error
            }
        }
    }

    func finish() throws(AudioError) { try finish(signal.isRaised ? .stopped : .whole) }

    func finishEarly() throws(AudioError) { try finish(.stopped) }

    private func finish(_ ending: FileEnding) throws(AudioError) {
        if !target.isFile, state.withLock({ !$0.hasBegun }) { try begin(.silent) }
        try state.withLock { (state) throws(AudioError) in
            guard let stream = state.stream else { return }
            defer { state.end() }
            state.output?.ending = ending
            do throws(AudioError) {
                try stream.finish()
            } catch {
                state.output?.ending = .failed
                stream.keep()
                throw error
            }
        }
    }

    func stop() {
        signal.raise()
    }
}
