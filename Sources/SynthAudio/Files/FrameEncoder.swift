import CSynthOpus
import CSynthSndFile

/// An encoder for a single file or stream. It writes to an `EncodedOutput`. Not thread-safe.
protocol FrameEncoder {
    /// - Parameter block: interleaved samples of complete frames in the encoder's input format.
    /// - Returns: false if encoding failed. Nothing more is encoded in that case.
    func encode(_ block: ArraySlice<Float>, frames: Int) -> Bool

    /// The library's error message.
    var reason: String? { get }

    /// Writes the remaining data and frees the encoder. No other call may follow.
    ///
    /// - Returns: false on failure.
    func close() -> Bool
}

/// An encoder for all formats that libsndfile supports.
final class SoundFileEncoder: FrameEncoder {
    private let file: OpaquePointer
    private let format: SoundFileFormat
    private let library: SoundFileLibrary
    private var floats: [Float] = []
    private var shorts: [Int16] = []

    /// - Throws: `encodingFailed`, `brokenPipe`, `outputNotWritten`.
    init(
        _ options: SoundFileOptions, _ sound: AudioFormat, into output: EncodedOutput, _ library: SoundFileLibrary
    ) throws(AudioError) {
        format = options.format
        self.library = library
        var info = SF_INFO()
        info.format = format.number
        info.samplerate = Int32(clamping: sound.sampleRate)
        info.channels = Int32(clamping: sound.channels)
        var functions = EncodedOutput.functions
        let opened = library.functions.open(
            &functions, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(output).toOpaque())
        guard let opened else { throw output.failure ?? .encodingFailed(format, reason: nil) }
        file = opened
        set(options, sound, isLive: !output.isRegularFile)
    }

    /// Encodes a block. FLAC uses the same 16-bit samples as WAV. Other formats use floats, because libsndfile up to
    /// version 1.2.2 passes only half of a 16-bit stereo signal to the MP3 encoder.
    func encode(_ block: ArraySlice<Float>, frames: Int) -> Bool {
        if format.isLossless {
            FloatPCM.convertToNative(block, into: &shorts)
            return library.functions.write_short(file, shorts, Int64(frames)) == frames
        }
        FloatPCM.clamp(block, into: &floats)
        return library.functions.write_float(file, floats, Int64(frames)) == frames
    }

    var reason: String? { library.functions.reason(file).map { String(cString: $0) } }

    /// Ignores the library's return value, which is unreliable.
    func close() -> Bool {
        _ = library.functions.close(file)
        return true
    }

    /// Ignores errors, because the return values of these calls are unreliable and no setting is essential.
    private func set(_ options: SoundFileOptions, _ sound: AudioFormat, isLive: Bool) {
        func command(_ number: Int, _ value: some BitwiseCopyable) {
            var value = value
            let size = Int32(MemoryLayout.size(ofValue: value))
            _ = withUnsafeMutableBytes(of: &value) {
                library.functions.command(file, Int32(number), $0.baseAddress, size)
            }
        }
        // Encoders complete a file by writing its length to the header, which is impossible in a stream. Players
        // estimate the length of an MP3 stream from its size and the bit rate of its first frame, so use a constant bit
        // rate.
        if format == .mp3, isLive {
            command(SFC_SET_BITRATE_MODE, Int32(SF_BITRATE_MODE_CONSTANT))
            command(SFC_SET_COMPRESSION_LEVEL, SoundFileFormat.streamCompression(quality: options.quality, sound))
        } else {
            if format == .mp3 { command(SFC_SET_BITRATE_MODE, Int32(SF_BITRATE_MODE_VARIABLE)) }
            if let compression = format.compression(quality: options.quality) {
                command(SFC_SET_COMPRESSION_LEVEL, compression)
            }
        }
        // One-second pages make files 10% smaller, but the reader of a stream would have to wait for each page.
        if format == .opus, isLive { command(SFC_SET_OGG_PAGE_LATENCY_MS, 50.0) }
        guard format != .mp3 else { return }
        if let title = options.tags.title { _ = library.functions.set_string(file, Int32(SF_STR_TITLE), title) }
        if let author = options.tags.author { _ = library.functions.set_string(file, Int32(SF_STR_ARTIST), author) }
    }
}

/// An Opus encoder that uses libopusenc. If libopusenc is not installed, libsndfile's encoder is used instead.
/// libsndfile always uses the highest complexity, so it needs 1.4 times as much CPU time: 9.1 s instead of 6.5 s for
/// 520 s of speech from a neural voice. The files have the same size.
final class OpusEncoder: FrameEncoder {
    private let stream: OpaquePointer
    private var floats: [Float] = []

    /// Returns nil if the format is not Opus or the library is not installed.
    init?(_ options: SoundFileOptions, _ sound: AudioFormat, into output: EncodedOutput) {
        guard options.format == .opus else { return nil }
        let opened = Self.withStrings(options.tags.title, options.tags.author) { title, author in
            var wanted = opus_stream_options(
                rate: Int32(clamping: sound.sampleRate), channels: Int32(clamping: sound.channels),
                bitrate: SoundFileFormat.opusBitrate(quality: options.quality, channels: sound.channels),
                is_live: !output.isRegularFile, title: title, author: author)
            return opus_stream_open(&wanted, Self.take, Unmanaged.passUnretained(output).toOpaque())
        }
        guard let opened else { return nil }
        stream = opened
    }

    func encode(_ block: ArraySlice<Float>, frames: Int) -> Bool {
        FloatPCM.clamp(block, into: &floats)
        return opus_stream_write(stream, floats, Int32(clamping: frames))
    }

    /// Always nil, because the library does not provide messages.
    var reason: String? { nil }

    func close() -> Bool { opus_stream_close(stream) }

    private static let take: opus_stream_take = { context, bytes, count in
        guard let context else { return false }
        return Unmanaged<EncodedOutput>.fromOpaque(context).takeUnretainedValue()
            .add(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    private static func withStrings<Result>(
        _ first: String?, _ second: String?,
        _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
    ) -> Result {
        func pass(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
            if let text { text.withCString(body) } else { body(nil) }
        }
        return pass(first) { first in pass(second) { second in body(first, second) } }
    }
}
