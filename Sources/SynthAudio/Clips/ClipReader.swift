import CSynthSndFile
import Glibc
import SynthSystem

/// Reads a sound file block by block as sound of another format. One thread at a time.
///
/// It takes every file that libsndfile reads and, with a `MediaProgram`, what ffmpeg reads, of any length up to a limit, and believes
/// nothing that the file says of its length. Its memory does not depend on the length of the sound.
package final class ClipReader {
    /// Longer ones end with an error.
    package static let longest = Duration.seconds(2 * 60 * 60)

    /// 60 dB above full scale. A file of floats may hold any number, and sums of such ones would be infinite.
    private static let loudest: Float = 1000

    /// What the file holds.
    package let source: AudioFormat
    /// How many tracks with sound it has. One is read: the one that players choose, or the first.
    package let tracks: Int
    /// What comes out.
    package let output: AudioFormat
    private let path: String
    private let gain: Gain
    private let decoder: any SoundDecoder
    private let converter: FormatConverter
    private let blockFrames: Int
    private let mostFrames: Int
    private var frames = 0
    private var isOver = false

    /// Opens the file. Blocks as the disk does.
    ///
    /// - Parameters:
    ///   - format: what comes out.
    ///   - keepsChannels: all channels of the file come out, instead of those of `format`.
    ///   - gain: at most 60 dB; not a number = 0 dB.
    ///   - media: what decodes the files that libsndfile does not read; nil = nothing does.
    package init(
        _ file: ClipFile, as format: AudioFormat, keepsChannels: Bool = false, gain: Decibels = Decibels(0),
        longest: Duration = longest, by media: MediaProgram? = nil
    ) throws(AudioError) {
        path = file.path
        self.gain = Gain(Decibels(gain.value.isNaN ? 0 : min(gain.value, 60)))
        let descriptor = try rethrowing(file.open()) { AudioError.clip(file.path, .notOpened($0)) }
        let decoder = try Self.decoder(of: descriptor, path: file.path, media)
        (self.decoder, source, tracks) = (decoder, decoder.format, decoder.tracks)
        let output = AudioFormat(
            sampleRate: format.sampleRate, channels: keepsChannels ? decoder.format.channels : format.channels)
        self.output = output
        blockFrames = max(source.sampleRate / 20, 1)
        mostFrames = Int(longest.seconds * Double(source.sampleRate))
        if let stated = decoder.statedFrames, stated > mostFrames {
            throw AudioError.clip(file.path, .tooLong(limit: longest))
        }
        converter = try rethrowing(FormatConverter(from: decoder.format, to: output)) {
            AudioError.clip(file.path, Self.reason($0))
        }
    }

    private static func decoder(
        of file: Descriptor, path: String, _ media: MediaProgram?
    ) throws(AudioError) -> any SoundDecoder {
        do {
            return try ClipDecoder(file, path: path)
        } catch {
            guard case .notDecodable? = error.clip?.reason else { throw error }
            var status = stat()
            if fstat(file.raw, &status) == 0, status.st_size == 0 { throw AudioError.clip(path, .empty) }
            guard let media else { throw error }
            return try MediaDecoder(file, path: path, by: media)
        }
    }

    /// How long the file says that it lasts, which need not be true; nil = it does not say.
    package var statedSeconds: Double? { decoder.statedFrames.map { Double($0) / Double(source.sampleRate) } }

    /// The next block, of at least a frame; nil after the last.
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
        if frames > mostFrames {
            throw AudioError.clip(path, .tooLong(limit: .seconds(Double(mostFrames) / Double(source.sampleRate))))
        }
        isOver = samples.isEmpty
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

/// What makes frames of the bytes of a file. One thread at a time.
protocol SoundDecoder: AnyObject {
    var format: AudioFormat { get }
    /// As the file says, which need not be true; nil = it does not say.
    var statedFrames: Int? { get }
    /// How many tracks with sound the file has.
    var tracks: Int { get }

    /// At most as many frames as asked for; none at the end.
    func read(frames most: Int) throws(AudioError) -> [Float]
}

/// A sound file while libsndfile decodes it. One thread at a time.
final class ClipDecoder: SoundDecoder {
    let format: AudioFormat
    let statedFrames: Int?
    let tracks = 1
    private let path: String
    private let library: SoundFileLibrary
    private let handle: OpaquePointer
    private let container: Int
    private var frames = 0

    /// The message of a file that does not open is one for the whole process.
    private static let opening = Lock()

    /// - Parameters:
    ///   - file: read from where it is; one thread at a time may use it or a copy of it.
    ///   - path: what it is called in errors.
    /// - Throws: `notOpened`, `decoderNotLoaded`, `notDecodable`, `formatUnusable`.
    init(_ file: Descriptor, path: String) throws(AudioError) {
        self.path = path
        library = try rethrowing(SoundFileLibrary.ofMachine()) { AudioError.clip(path, Self.reason($0)) }
        var info = SF_INFO()
        let functions = library.functions
        // libsndfile gets a copy to close: one that it cannot read it closes whatever it is told (seen in 1.2.0), and by then the
        // number may be that of a file which another thread has opened.
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

    /// - Throws: `damaged`, `cutShort`, `notFinite`.
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

    /// A cut file reads as one that has ended.
    private func checkEnd() throws(AudioError) {
        if library.functions.error(handle) != 0 {
            let reason = library.functions.reason(handle).map { String(cString: $0) } ?? ""
            throw AudioError.clip(path, .damaged(reason, frame: frames))
        }
        switch container {
        case SF_FORMAT_OGG:
            // The last page says how many frames there are.
            guard let statedFrames, frames >= statedFrames else {
                throw AudioError.clip(path, .cutShort(frame: frames))
            }
        case SF_FORMAT_FLAC:
            // A streamed file does not say.
            if let statedFrames, frames < statedFrames { throw AudioError.clip(path, .cutShort(frame: frames)) }
        default:
            // What an MP3 file says is often a guess, and of a WAV file that is cut libsndfile counts what is there.
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
