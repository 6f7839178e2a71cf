import CSynthSndFile
import Glibc

/// What an encoder writes to: as libsndfile sees it, bytes with a position.
///
/// A stream keeps the position too. What would be written again there, such as a header with the length, is dropped:
/// these formats are valid without. One thread at a time; it must not move in memory or be freed while an encoder has it.
final class EncodedOutput {
    private let output: any EncodedDestination
    /// What the encoder takes for the start of the file.
    private let start: Int
    private let head: HeadRewriter?
    private var position = 0
    private var length = 0
    /// The first failure; nothing is written after it.
    private(set) var failure: AudioError?
    /// Whether `stop` has cut a stream; nothing is written after it.
    private(set) var isCut = false

    /// - Parameters:
    ///   - head: what comes before the encoder's bytes.
    ///   - rewriter: changes their beginning; nil = they stay as they are.
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    init(_ output: any EncodedDestination, head: [UInt8], rewriting rewriter: HeadRewriter?) throws(AudioError) {
        self.head = rewriter
        isCut = try !head.span.withUnsafeBytes { (bytes) throws(AudioError) in
            try output.write(bytes, unit: max(head.count, 1))
        }
        start = output.count
        self.output = output
    }

    var isEmpty: Bool { length == 0 }

    var isRegularFile: Bool { output.isRegularFile }

    /// Closes the file, which gives it its name.
    ///
    /// - Throws: `outputNotWritten`, `outputNotCreated`.
    func close() throws(AudioError) {
        if let rest = head?.finish(), !rest.isEmpty, failure == nil, !isCut {
            _ = try rest.span.withUnsafeBytes { (bytes) throws(AudioError) in try output.write(bytes, unit: 1) }
        }
        try output.close()
    }

    /// For `sf_open_virtual`, with this object as its context.
    static var functions: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { EncodedOutput.of($0)?.length64 ?? 0 },
            seek: { EncodedOutput.of($2)?.seek($0, $1) ?? 0 },
            read: { _, _, _ in 0 },
            write: { bytes, count, context in
                // Says that all was written, also if it was not: libsndfile frees less when it hears of a failure. Those who
                // write look at `failure` and `isCut`.
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

    /// Takes bytes at the position.
    ///
    /// - Returns: false if they were not written: `failure` and `isCut` say why.
    func add(_ all: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil, !isCut else { return false }
        let again = min(length - position, all.count)
        let place = output.count
        do {
            if again > 0, output.isRegularFile, head?.keepsPlace(upTo: position + again) ?? true {
                try output.rewrite(UnsafeRawBufferPointer(rebasing: all.prefix(again)), at: start + position)
            }
            let new = UnsafeRawBufferPointer(rebasing: all.dropFirst(again))
            if let head {
                let changed = head.take(new)
                isCut = try !changed.span.withUnsafeBytes { (bytes) throws(AudioError) in
                    try output.write(bytes, unit: 1)
                }
            } else {
                isCut = try !output.write(new, unit: 1)
            }
        } catch {
            failure = error
            // A part of a page or a frame is of no use.
            if output.isRegularFile { output.truncate(to: place) }
            return false
        }
        if isCut { return false }
        position += all.count
        length = max(length, position)
        return true
    }
}
