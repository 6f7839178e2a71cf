import Glibc
import ModelStore
import System

/// The file that a download writes from beginning to end. One thread at a time.
final class PartFile {
    /// Its size in bytes.
    private(set) var size: Int64 = 0
    private let descriptor: Int32
    private let path: String
    private let expected: Int64

    /// Opens the file with its contents, or empties it if its size is not what the job says.
    init(_ job: DownloadJob) throws(FetchFailure) {
        path = job.part
        expected = job.size
        descriptor = open(job.part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw PartFile.failure(.last, job.part, missing: job.size) }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let isResumed = isKnown && job.offset > 0 && Int64(status.st_size) >= job.offset && job.offset <= job.size
        try cut(to: isResumed ? job.offset : 0)
    }

    deinit { close(descriptor) }

    func empty() throws(FetchFailure) { try cut(to: 0) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(FetchFailure) {
        var written = 0
        while written < bytes.count {
            let count: Int
            do {
                count = try Errno.check {
                    write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                }
            } catch {
                throw PartFile.failure(error, path, missing: expected - size)
            }
            written += count
            size += Int64(count)
        }
    }

    private func cut(to end: Int64) throws(FetchFailure) {
        var status = stat()
        // A file that is not regular has no length and is written from its current position.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        guard ftruncate(descriptor, off_t(end)) == 0, lseek(descriptor, off_t(end), SEEK_SET) == end else {
            throw PartFile.failure(.last, path, missing: expected)
        }
        size = end
    }

    private static func failure(_ reason: Errno, _ path: String, missing: Int64) -> FetchFailure {
        .part(FileFailure(reason, call: "write", path: path), missing: missing)
    }
}
