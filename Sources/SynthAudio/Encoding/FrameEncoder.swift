import CSynthOpus
import CSynthSndFile

/// An encoder for one file or stream, which writes to an `EncodedOutput`. Not thread-safe.
protocol FrameEncoder {
    /// - Parameter block: whole interleaved frames in the encoder's input format.
    /// - Returns: false if encoding failed; nothing more will be encoded.
    func encode(_ block: ArraySlice<Float>, frames: Int) -> Bool

    /// The library's message for a failure.
    var reason: String? { get }

    /// Writes the remaining data, and frees the encoder. This must be the last call.
    ///
    /// - Returns: false if that failed.
    func close() -> Bool
}

/// libsndfile's encoder, for all its formats.
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

    /// FLAC receives the same 16 bits as WAV. Other formats receive floats: up to 1.2.2, libsndfile passes only half of
    /// a stereo signal in shorts to the MP3 encoder.
    func encode(_ block: ArraySlice<Float>, frames: Int) -> Bool {
        if format.isLossless {
            FloatPCM.convertToNative(block, into: &shorts)
            return library.functions.write_short(file, shorts, Int64(frames)) == frames
        }
        FloatPCM.clamp(block, into: &floats)
        return library.functions.write_float(file, floats, Int64(frames)) == frames
    }

    var reason: String? { library.functions.reason(file).map { String(cString: $0) } }

    /// The library's return value is not reliable.
    func close() -> Bool {
        _ = library.functions.close(file)
        return true
    }

    /// The return values of these calls are not reliable, and no setting is worth a failure.
    private func set(_ options: SoundFileOptions, _ sound: AudioFormat, isLive: Bool) {
        func command(_ number: Int, _ value: some BitwiseCopyable) {
            var value = value
            let size = Int32(MemoryLayout.size(ofValue: value))
            _ = withUnsafeMutableBytes(of: &value) {
                library.functions.command(file, Int32(number), $0.baseAddress, size)
            }
        }
        // A file ends with its length in a header at its beginning, which a stream cannot have. Players compute the
        // length of an MP3 stream from its size and the bit rate of its first frame, so all its frames have the same
        // bit rate.
        if format == .mp3, isLive {
            command(SFC_SET_BITRATE_MODE, Int32(SF_BITRATE_MODE_CONSTANT))
            command(SFC_SET_COMPRESSION_LEVEL, SoundFileFormat.streamCompression(quality: options.quality, sound))
        } else {
            if format == .mp3 { command(SFC_SET_BITRATE_MODE, Int32(SF_BITRATE_MODE_VARIABLE)) }
            if let compression = format.compression(quality: options.quality) {
                command(SFC_SET_COMPRESSION_LEVEL, compression)
            }
        }
        // A page of one second saves a tenth of the size, but the reader of a stream would have to wait for it.
        if format == .opus, isLive { command(SFC_SET_OGG_PAGE_LATENCY_MS, 50.0) }
        guard format != .mp3 else { return }
        if let title = options.tags.title { _ = library.functions.set_string(file, Int32(SF_STR_TITLE), title) }
        if let author = options.tags.author { _ = library.functions.set_string(file, Int32(SF_STR_ARTIST), author) }
    }
}

/// The Opus encoder of libopusenc. libsndfile's encoder, the fallback if that library is missing, takes 1.5 times as
/// long, because it always uses the highest complexity (9.1 and 6.5 s of processor time for 520 s of a neural voice,
/// with files of equal size).
final class OpusEncoder: FrameEncoder {
    private let stream: OpaquePointer
    private var floats: [Float] = []

    /// Returns nil for other formats, or if the library is not installed.
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

    /// The library provides no message.
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
