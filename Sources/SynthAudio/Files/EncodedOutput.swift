import CSynthSndFile
import Glibc

/// The output of an encoder. libsndfile treats it as a seekable file.
///
/// In a stream, seeking changes only the position. Attempts to overwrite bytes, for example to write the length to the
/// header, are ignored, because streams in the supported formats are valid even if those bytes are never updated. Not
/// thread-safe. Must not be moved or freed while an encoder uses it.
final class EncodedOutput {
    private let output: any EncodedDestination
    /// The position that the encoder treats as the start of the file.
    private let start: Int
    private let head: HeadRewriter?
    private var position = 0
    private var length = 0
    /// The first error. Nothing is written after it.
    private(set) var failure: AudioError?
    /// Whether `stop` ended a stream early. If true, nothing more is written.
    private(set) var isCut = false

    /// - Parameters:
    ///   - head: bytes to write before the encoder's output.
    ///   - rewriter: modifies the start of the encoder's output, or nil to leave it unchanged.
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    init(_ output: any EncodedDestination, head: [UInt8], rewriting rewriter: HeadRewriter?) throws(AudioError) {
        self.head = rewriter
        isCut = try !output.write(head, unit: max(head.count, 1))
        start = output.count
        self.output = output
    }

    var isEmpty: Bool { length == 0 }

    var isRegularFile: Bool { output.isRegularFile }

    /// Closes the file, which then appears at its path.
    ///
    /// - Throws: `brokenPipe`, `outputNotWritten`, `outputNotCreated`, `outputInUse`.
    func close() throws(AudioError) {
        if let rest = head?.finish(), !rest.isEmpty, failure == nil, !isCut {
            _ = try output.write(rest, unit: 1)
        }
        try output.close()
    }

    /// The callbacks for `sf_open_virtual`. The context is an `EncodedOutput`.
    static var functions: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { EncodedOutput.of($0)?.length64 ?? 0 },
            seek: { EncodedOutput.of($2)?.seek($0, $1) ?? 0 },
            read: { _, _, _ in 0 },
            write: { bytes, count, context in
                // Always report success, because libsndfile leaks memory after a failure. The callers check `failure` and `isCut`.
                if let bytes, count > 0 {
                    _ = EncodedOutput.of(context)?.add(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                }
                return count
            },
            tell: { EncodedOutput.of($0)?.position64 ?? 0 })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> EncodedOutput? {
        context.map { Unmanaged<EncodedOutput>.fromOpaque($0).takeUnretainedValue() }
    }

    private var length64: Int64 { Int64(length) }
    private var position64: Int64 { Int64(position) }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : length
        position = max(0, min(base + Int(offset), length))
        return position64
    }

    /// Writes bytes at the current position.
    ///
    /// - Returns: false if they were not written. `failure` or `isCut` contains the reason.
    func add(_ all: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil, !isCut else { return false }
        let again = min(length - position, all.count)
        let place = output.count
        do {
            if again > 0, output.isRegularFile, head?.keepsPosition(upTo: position + again) ?? true {
                try output.rewrite(UnsafeRawBufferPointer(rebasing: all.prefix(again)), at: start + position)
            }
            let new = UnsafeRawBufferPointer(rebasing: all.dropFirst(again))
            if let head {
                isCut = try !output.write(head.take(new), unit: 1)
            } else {
                isCut = try !output.write(new, unit: 1)
            }
        } catch {
            failure = error
            // Remove the incomplete page or frame.
            if output.isRegularFile { output.truncate(to: place) }
            return false
        }
        if isCut { return false }
        position += all.count
        length = max(length, position)
        return true
    }
}
