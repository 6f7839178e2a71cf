/// The content of an audio file or stream while it is being written. Not thread-safe.
protocol SoundStream: AnyObject {
    /// Writes interleaved samples of complete frames.
    ///
    /// - Throws: `outputNotWritten`, `brokenPipe`, `encodingFailed`, `conversionFailed`.
    func write(_ samples: ArraySlice<Float>) throws(AudioError)

    /// Writes the remaining audio and closes the destination. After an error, call `keep` to save the earlier audio.
    ///
    /// - Parameter isWhole: whether the audio is complete.
    /// - Throws: the same errors as `write`, `outputNotCreated`, `outputInUse`.
    func finish(isWhole: Bool) throws(AudioError)

    /// Closes the destination after a failure. It contains the audio written before the failure, if any.
    func keep()
}

/// What an audio file or stream contains.
enum SoundContent: Sendable {
    /// 16-bit little-endian samples without a header.
    case raw
    /// A WAV file with 16-bit samples. A file larger than `riffLimit` is converted to RF64.
    case wav(SoundFileTags, riffLimit: Int = WAVHeader.largestRIFF)
    /// A format that requires an encoding library, which must support it.
    case encoded(SoundFileOptions, SoundFileLibrary)

    /// Whether a stream without frames is empty.
    var isRaw: Bool { if case .raw = self { true } else { false } }

    /// - Parameter signal: interrupts a write of 16-bit samples.
    /// - Throws: `encodingFailed`, `formatUnusable`, `conversionFailed`, `brokenPipe`, `outputNotWritten`.
    func stream(
        to output: any EncodedDestination, _ format: AudioFormat, until signal: StopSignal? = nil
    ) throws(AudioError) -> any SoundStream {
        switch self {
        case .raw: try PCMStream(output, format, header: nil, until: signal)
        case .wav(let tags, let riffLimit):
            try PCMStream(
                output, format, header: WAVHeader(format: format, tags: tags, riffLimit: riffLimit), until: signal)
        case .encoded(let options, let library): try EncodedStream(output, format, options, library)
        }
    }
}

extension SoundFileOptions {
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    func content() throws(AudioError) -> SoundContent {
        format == .wav ? .wav(tags) : .encoded(self, try SoundFileLibrary.offering(format))
    }
}

/// Writes 16-bit samples, with or without a WAV header.
final class PCMStream: SoundStream {
    private let output: any EncodedDestination
    private let bytesPerFrame: Int
    private var header: WAVHeader?
    private let headerSize: Int
    private let signal: StopSignal?
    private var scratch: [Int16] = []
    private var isFinished = false

    /// Writes the header. A stream gets a header with unknown sizes.
    init(
        _ output: any EncodedDestination, _ format: AudioFormat, header: WAVHeader?, until signal: StopSignal?
    ) throws(AudioError) {
        var header = header
        header?.dataSize = output.isRegularFile ? 0 : nil
        self.output = output
        self.header = header
        self.signal = signal
        bytesPerFrame = format.channels * 2
        headerSize = header?.size ?? 0
        if let header { _ = try output.write(header.bytes, unit: headerSize) }
    }

    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        var rest = samples
        while !rest.isEmpty, signal?.isRaised != true {
            let block = rest.prefix(4096 * bytesPerFrame)
            rest = rest.dropFirst(block.count)
            FloatPCM.convert(block, into: &scratch)
            guard try output.write(scratch, unit: bytesPerFrame) else { return }
        }
    }

    /// If writing ended before any audio was written, a file is discarded.
    func finish(isWhole: Bool) throws(AudioError) {
        isFinished = true
        if isWhole || dataSize > 0 { try close() }
    }

    func keep() {
        if !isFinished, header == nil || dataSize > 0 { try? close() }
    }

    private var dataSize: Int { max(output.count - headerSize, 0) }

    private func close() throws(AudioError) {
        // Most programs treat a file as empty if its header contains no sizes, so such a file must not appear at its
        // path.
        if var header, output.isRegularFile, output.count >= headerSize {
            let whole = dataSize / bytesPerFrame * bytesPerFrame
            if whole != dataSize { output.truncate(to: headerSize + whole) }
            header.dataSize = whole
            try output.rewrite(header.bytes, at: 0)
        }
        try output.close()
    }
}
