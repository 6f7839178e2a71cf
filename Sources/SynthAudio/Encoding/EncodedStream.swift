/// A file or stream in a format that a library encodes while it is written. One thread at a time.
final class EncodedStream {
    private let format: SoundFileFormat
    private let output: EncodedOutput
    /// nil after it was closed.
    private var encoder: (any FrameEncoder)?
    /// What the encoder takes.
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
        // libsndfile would write them as Latin-1.
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

    /// Encodes what is still inside, and closes the file.
    ///
    /// - Throws: as `write`; also `outputNotCreated`. `keep` then saves what came before.
    func finish() throws(AudioError) {
        var failure: AudioError?
        do {
            converted.removeAll(keepingCapacity: true)
            try converter.finish(into: &converted)
            try encode(converted)
            // Without a frame there would be no valid file.
            if !hasFrames { try encode(Array(repeating: 0, count: taken.channels)) }
        } catch {
            failure = error
        }
        let isWhole = close()
        if let failure = failure ?? output.failure { throw failure }
        if !isWhole, !output.isCut { throw .encodingFailed(format, reason: nil) }
        try output.close()
    }

    /// After a failure: closes the file, so that it holds what was written before, if that is any sound.
    func keep() {
        _ = close()
        if hasFrames, !output.isEmpty { try? output.close() }
    }

    /// - Returns: false if what was still inside could not be encoded.
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
