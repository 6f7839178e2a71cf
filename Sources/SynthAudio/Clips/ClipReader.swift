import CSynthSndFile
import Glibc
import SynthSystem

/// Reads an audio file in blocks and converts it to a requested format. Not thread-safe.
///
/// Supports all formats that libsndfile can read and, with a `MediaProgram`, all formats that ffmpeg can read. The
/// length of the audio is limited. The length in the file's header is not trusted. Memory use does not depend on the
/// length of the audio.
package final class ClipReader {
    /// The maximum duration. Reading a longer file fails.
    package static let longest = Duration.seconds(2 * 60 * 60)

    /// The maximum magnitude of a sample, 60 dB above full scale. A floating-point file may contain any number, and
    /// sums of huge samples would overflow to infinity.
    private static let loudest: Float = 1000

    /// The format of the file.
    package let source: AudioFormat
    /// The number of audio tracks. Only the default track is read, or the first track if there is no default track.
    package let tracks: Int
    /// The output format.
    package let output: AudioFormat
    private let path: String
    private let gain: Gain
    private let decoder: any SoundDecoder
    private let converter: FormatConverter
    private let blockFrames: Int
    private let maximumFrames: Int
    private var frames = 0
    private var isOver = false
    /// Whether the file is shorter than its header states.
    private let isCut: Bool

    /// Opens the file. May block on the disk.
    ///
    /// - Parameters:
    ///   - format: the output format.
    ///   - keepsChannels: whether to output all of the file's channels, regardless of `format`.
    ///   - gain: limited to 60 dB; NaN is treated as 0 dB.
    ///   - media: the fallback decoder for files that libsndfile cannot decode, or nil to use the fallback decoder of
    ///     `file`, if any.
    package init(
        _ file: ClipFile, as format: AudioFormat, keepsChannels: Bool = false, gain: Decibels = Decibels(0),
        longest: Duration = longest, by media: MediaProgram? = nil
    ) throws(AudioError) {
        path = file.path
        self.gain = Gain(Decibels(gain.value.isNaN ? 0 : min(gain.value, 60)))
        let descriptor = try rethrowing(file.open()) { AudioError.clip(file.path, .notOpened($0)) }
        isCut = StatedSize.isCut(descriptor)
        let decoder = try Self.decoder(of: descriptor, path: file.path, media ?? file.media, isCut: isCut)
        (self.decoder, source, tracks) = (decoder, decoder.format, decoder.tracks)
        let output = AudioFormat(
            sampleRate: format.sampleRate, channels: keepsChannels ? decoder.format.channels : format.channels)
        self.output = output
        blockFrames = max(source.sampleRate / 20, 1)
        maximumFrames = Int(longest.seconds * Double(source.sampleRate))
        if let stated = decoder.statedFrames, stated > maximumFrames {
            throw AudioError.clip(file.path, .tooLong(limit: longest))
        }
        converter = try rethrowing(FormatConverter(from: decoder.format, to: output)) {
            AudioError.clip(file.path, Self.reason($0))
        }
    }

    private static func decoder(
        of file: Descriptor, path: String, _ media: MediaProgram?, isCut: Bool
    ) throws(AudioError) -> any SoundDecoder {
        do {
            return try ClipDecoder(file, path: path)
        } catch {
            guard case .notDecodable? = error.clip?.reason else { throw error }
            var status = stat()
            if fstat(file.raw, &status) == 0, status.st_size == 0 { throw AudioError.clip(path, .empty) }
            guard let media else { throw error }
            do {
                return try MediaDecoder(file, path: path, by: media)
            } catch {
                // An MP4 file may have its index at the end, so a truncated file may have no index.
                throw isCut && error.clip?.reason == .unknownFormat ? AudioError.clip(path, .cutShort(frame: 0)) : error
            }
        }
    }

    /// The duration according to the file's metadata, which may be incorrect, or nil if it is unknown.
    package var statedSeconds: Double? { decoder.statedFrames.map { Double($0) / Double(source.sampleRate) } }

    /// Returns the next block of one or more frames, or nil at the end.
    package func next() throws(AudioError) -> [Float]? {
        do {
            var block: [Float] = []
            while block.isEmpty, !isOver { try read(into: &block) }
            return block.isEmpty ? nil : block
        } catch {
            isOver = true
            throw error
        }
    }

    private func read(into block: inout [Float]) throws(AudioError) {
        var samples = try decoder.read(frames: blockFrames)
        frames += samples.count / source.channels
        if frames > maximumFrames {
            throw AudioError.clip(path, .tooLong(limit: .seconds(Double(maximumFrames) / Double(source.sampleRate))))
        }
        isOver = samples.isEmpty
        if isOver, isCut { throw AudioError.clip(path, .cutShort(frame: frames)) }
        for index in samples.indices { samples[index] = max(-Self.loudest, min(Self.loudest, samples[index])) }
        gain.apply(to: &samples)
        try rethrowing(
            isOver ? converter.finish(into: &block) : converter.process(samples[...], into: &block)
        ) { AudioError.clip(path, Self.reason($0)) }
    }

    private static func reason(_ error: AudioError) -> ClipFlaw.Reason {
        switch error {
        case .conversionFailed(let fault): .conversionFailed(fault)
        case .formatUnusable(let format): .formatUnusable(format)
        default: .conversionFailed(.library("\(error)"))
        }
    }
}

/// Decodes an audio file. Not thread-safe.
protocol SoundDecoder: AnyObject {
    var format: AudioFormat { get }
    /// The number of frames according to the file's metadata, which may be incorrect, or nil if it is unknown.
    var statedFrames: Int? { get }
    var tracks: Int { get }

    /// Returns up to `most` frames, or an empty array at the end.
    func read(frames most: Int) throws(AudioError) -> [Float]
}

/// Decodes an audio file with libsndfile. Not thread-safe.
final class ClipDecoder: SoundDecoder {
    let format: AudioFormat
    let statedFrames: Int?
    let tracks = 1
    private let path: String
    private let library: SoundFileLibrary
    private let handle: OpaquePointer
    private let container: Int
    private var frames = 0

    /// Serializes calls that open files, because libsndfile stores the error message of a failed call in a global
    /// variable.
    private static let opening = Lock()

    /// - Parameters:
    ///   - file: read from its current position. The file and its duplicates must not be used by other threads.
    ///   - path: the path for error messages.
    /// - Throws: `clipUnusable` with `notOpened`, `decoderNotLoaded`, `notDecodable` or `formatUnusable`.
    init(_ file: Descriptor, path: String) throws(AudioError) {
        self.path = path
        library = try rethrowing(SoundFileLibrary.ofMachine()) { AudioError.clip(path, Self.reason($0)) }
        var info = SF_INFO()
        let functions = library.functions
        // libsndfile closes an unreadable file regardless of the flag (seen in 1.2.0). If this process then closed the
        // descriptor again, it might close a file that another thread has since opened under the same number.
        // Therefore, libsndfile gets a duplicate to close.
        let copy = try rethrowing(Errno.check { fcntl(file.raw, F_DUPFD_CLOEXEC, 0) }) {
            AudioError.clip(path, .notOpened($0))
        }
        let opened = Self.opening.withLock { () -> Result<OpaquePointer, AudioError> in
            if let handle = functions.open_descriptor(copy, Int32(SFM_READ), &info, 1) { return .success(handle) }
            let reason = functions.reason(nil).map { String(cString: $0) } ?? ""
            return .failure(AudioError.clip(path, .notDecodable(reason)))
        }
        handle = try opened.get()
        container = Int(info.format) & SF_FORMAT_TYPEMASK
        format = AudioFormat(sampleRate: Int(info.samplerate), channels: Int(info.channels))
        statedFrames = (0..<Int64.max).contains(info.frames) ? Int(info.frames) : nil
        guard format.isUsable else { throw AudioError.clip(path, .formatUnusable(format)) }
    }

    deinit { _ = library.functions.close(handle) }

    /// - Throws: `clipUnusable` with `damaged`, `cutShort`, `notFinite` or, after an I/O error, `notOpened`.
    func read(frames most: Int) throws(AudioError) -> [Float] {
        let channels = format.channels
        let samples = [Float](unsafeUninitializedCapacity: most * channels) { buffer, count in
            let read = library.functions.read_float(handle, buffer.baseAddress, Int64(most))
            count = Int(min(max(read, 0), Int64(most))) * channels
        }
        if let invalid = FloatPCM.firstInvalid(in: samples[...]) {
            throw AudioError.clip(path, .notFinite(frame: frames + invalid / channels))
        }
        frames += samples.count / channels
        if samples.isEmpty { try checkEnd() }
        return samples
    }

    /// Throws an error if the file cannot be read, is damaged or is truncated. libsndfile does not report truncated files.
    private func checkEnd() throws(AudioError) {
        let code = library.functions.error(handle)
        // libsndfile uses the same code for all operating system errors.
        if Int(code) == SF_ERR_SYSTEM { throw AudioError.clip(path, .notOpened(Errno(EIO))) }
        if code != 0 {
            let reason = library.functions.reason(handle).map { String(cString: $0) } ?? ""
            throw AudioError.clip(path, .damaged(reason, frame: frames))
        }
        switch container {
        case SF_FORMAT_OGG:
            // The last page states the number of frames. If the number is unknown, that page is missing.
            guard let statedFrames, frames >= statedFrames else {
                throw AudioError.clip(path, .cutShort(frame: frames))
            }
        case SF_FORMAT_FLAC:
            // A streamed file does not contain the number of frames.
            if let statedFrames, frames < statedFrames { throw AudioError.clip(path, .cutShort(frame: frames)) }
        default:
            // The length in an MP3 file is often an estimate. For a truncated WAV file, libsndfile reports the actual number of
            // frames.
            break
        }
    }

    private static func reason(_ error: AudioError) -> ClipFlaw.Reason {
        guard case .encoderNotLoaded(let library, let reason) = error else {
            return .decoderNotLoaded(library: "libsndfile", reason: nil)
        }
        return .decoderNotLoaded(library: library, reason: reason)
    }
}
