import CSndFile
import Glibc
import System

/// A sound file while libsndfile decodes it. One thread at a time.
final class ClipDecoder {
    let format: AudioFormat
    /// As the file says, which need not be true; nil = it does not say.
    let statedFrames: Int?
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
    init(_ file: Descriptor, path: String) throws(ClipError) {
        self.path = path
        library = try rethrowing(SoundFileLibrary.ofMachine()) { ClipError(path, Self.reason($0)) }
        var info = SF_INFO()
        let functions = library.functions
        // libsndfile gets a copy to close: one that it cannot read it closes whatever it is told (seen in 1.2.0), and by then the
        // number may be that of a file which another thread has opened.
        let copy = try rethrowing(Errno.check { fcntl(file.raw, F_DUPFD_CLOEXEC, 0) }) {
            ClipError(path, .notOpened($0))
        }
        let opened = Self.opening.withLock { () -> Result<OpaquePointer, ClipError> in
            if let handle = functions.open_descriptor(copy, Int32(SFM_READ), &info, 1) { return .success(handle) }
            let reason = functions.reason(nil).map { String(cString: $0) } ?? ""
            return .failure(ClipError(path, .notDecodable(reason)))
        }
        handle = try opened.get()
        container = Int(info.format) & SF_FORMAT_TYPEMASK
        format = AudioFormat(sampleRate: Int(info.samplerate), channels: Int(info.channels))
        statedFrames = (0..<Int64.max).contains(info.frames) ? Int(info.frames) : nil
        guard format.isUsable else { throw ClipError(path, .formatUnusable(format)) }
    }

    deinit { _ = library.functions.close(handle) }

    /// At most as many frames as asked for; none at the end.
    ///
    /// - Throws: `damaged`, `cutShort`, `notFinite`.
    func read(frames most: Int) throws(ClipError) -> [Float] {
        let channels = format.channels
        let samples = [Float](unsafeUninitializedCapacity: most * channels) { buffer, count in
            let read = library.functions.read_float(handle, buffer.baseAddress, Int64(most))
            count = Int(min(max(read, 0), Int64(most))) * channels
        }
        if let invalid = FloatPCM.firstInvalid(in: samples[...]) {
            throw ClipError(path, .notFinite(frame: frames + invalid / channels))
        }
        frames += samples.count / channels
        if samples.isEmpty { try checkEnd() }
        return samples
    }

    /// A cut file reads as one that has ended.
    private func checkEnd() throws(ClipError) {
        if library.functions.error(handle) != 0 {
            let reason = library.functions.reason(handle).map { String(cString: $0) } ?? ""
            throw ClipError(path, .damaged(reason, frame: frames))
        }
        switch container {
        case SF_FORMAT_OGG:
            // The last page says how many frames there are.
            guard let statedFrames, frames >= statedFrames else { throw ClipError(path, .cutShort(frame: frames)) }
        case SF_FORMAT_FLAC:
            // A streamed file does not say.
            if let statedFrames, frames < statedFrames { throw ClipError(path, .cutShort(frame: frames)) }
        default:
            // What an MP3 file says is often a guess, and of a WAV file that is cut libsndfile counts what is there.
            break
        }
    }

    private static func reason(_ error: AudioError) -> ClipError.Reason {
        guard case .encoderNotLoaded(let library, let reason) = error else {
            return .decoderNotLoaded(library: "libsndfile", reason: nil)
        }
        return .decoderNotLoaded(library: library, reason: reason)
    }
}
