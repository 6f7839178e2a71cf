import CSndFile

/// A file or stream in one of libsndfile's formats while it is written. One thread at a time.
final class EncodedStream {
    private let format: SoundFileFormat
    private let library: SoundFileLibrary
    private let output: EncodedOutput
    /// nil after it was closed.
    private var file: OpaquePointer?
    /// What the encoder takes.
    private let taken: AudioFormat
    private let converter: FormatConverter
    private var converted: [Float] = []
    private var floats: [Float] = []
    private var shorts: [Int16] = []
    private var hasFrames = false

    /// - Throws: `encodingFailed`, `formatUnusable`, `conversionFailed`, `brokenPipe`, `outputNotWritten`.
    init(
        _ output: any EncodedDestination, _ sound: AudioFormat, _ options: SoundFileOptions,
        _ library: SoundFileLibrary
    ) throws(AudioError) {
        format = options.format
        self.library = library
        taken = format.nearest(to: sound)
        converter = try FormatConverter(from: sound, to: taken)
        // libsndfile would write them as Latin-1.
        let head = format == .mp3 ? ID3Tag(options.tags).bytes : []
        self.output = try EncodedOutput(output, head: head, rewriting: HeadRewriter(format, options.tags))
        var info = SF_INFO()
        info.format = format.number
        info.samplerate = Int32(clamping: taken.sampleRate)
        info.channels = Int32(clamping: taken.channels)
        var functions = EncodedOutput.functions
        file = library.functions.open(
            &functions, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(self.output).toOpaque())
        guard file != nil else { throw self.output.failure ?? .encodingFailed(format, reason: nil) }
        set(options)
    }

    deinit { close() }

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
        close()
        if let failure = failure ?? output.failure { throw failure }
        try output.close()
    }

    /// After a failure: closes the file, so that it holds what was written before, if that is any sound.
    func keep() {
        close()
        if hasFrames, !output.isEmpty { try? output.close() }
    }

    private func close() {
        if let file { _ = library.functions.close(file) }
        file = nil
    }

    private func encode(_ samples: [Float]) throws(AudioError) {
        var rest = samples[...]
        while !rest.isEmpty, !output.isCut {
            let block = rest.prefix(4096 * taken.channels)
            rest = rest.dropFirst(block.count)
            let frames = Int64(block.count / taken.channels)
            let count = hand(block, frames: frames)
            if let failure = output.failure { throw failure }
            if output.isCut { return }
            guard count == frames else {
                throw .encodingFailed(format, reason: library.functions.reason(file).map { String(cString: $0) })
            }
            hasFrames = true
        }
    }

    /// FLAC gets the 16 bits that WAV gets. The others get floats: of the shorts of a stereo sound, libsndfile 1.2.2 and
    /// before hand half to the encoder of MP3.
    private func hand(_ block: ArraySlice<Float>, frames: Int64) -> Int64 {
        if format.isLossless {
            FloatPCM.convertToNative(block, into: &shorts)
            return library.functions.write_short(file, shorts, frames)
        }
        FloatPCM.clamp(block, into: &floats)
        return library.functions.write_float(file, floats, frames)
    }

    /// What these calls return says nothing reliable, and no setting is worth a failure.
    private func set(_ options: SoundFileOptions) {
        func command(_ number: Int, _ value: some BitwiseCopyable) {
            var value = value
            let size = Int32(MemoryLayout.size(ofValue: value))
            _ = withUnsafeMutableBytes(of: &value) {
                library.functions.command(file, Int32(number), $0.baseAddress, size)
            }
        }
        if format == .mp3 { command(SFC_SET_BITRATE_MODE, Int32(SF_BITRATE_MODE_VARIABLE)) }
        if let compression = format.compression(quality: options.quality) {
            command(SFC_SET_COMPRESSION_LEVEL, compression)
        }
        // A page of a second saves a tenth of the size, but a reader of a stream would wait for it.
        if format == .opus, !output.isRegularFile { command(SFC_SET_OGG_PAGE_LATENCY_MS, 50.0) }
        guard format != .mp3 else { return }
        if let title = options.tags.title { _ = library.functions.set_string(file, Int32(SF_STR_TITLE), title) }
        if let author = options.tags.author { _ = library.functions.set_string(file, Int32(SF_STR_ARTIST), author) }
    }
}
