import Glibc
import SynthCatalogue
import SynthModelStore
import SynthSystem

/// A download job, including retries.
struct Download {
    private let job: DownloadJob
    private let part: PartFile
    private let reporter: Reporter
    private var tag: String?
    private let connection = Connection()

    /// The maximum delay before a retry, in seconds. If a server requests a longer delay, the download fails with a
    /// temporary error.
    private static let longestRetryAfter = 120.0

    init(_ job: DownloadJob, _ reporter: Reporter) throws(FetchFailure) {
        self.job = job
        self.reporter = reporter
        part = try PartFile(job)
        tag = part.size > 0 ? job.tag : nil
    }

    /// Downloads the file. Blocks until it is complete.
    mutating func run() throws(FetchFailure) {
        var failures: [ServerFailure] = []
        for url in job.urls {
            guard let failure = try run(url) else { return }
            failures.append(failure)
            tag = nil
        }
        throw .servers(failures)
    }

    /// Downloads from one URL. Returns nil on success, or the reason why the server did not provide the file.
    private mutating func run(_ url: String) throws(FetchFailure) -> ServerFailure? {
        let host = WebAddress.host(of: url) ?? url
        func failure(_ problem: ServerProblem, mayPass: Bool = false) -> ServerFailure {
            ServerFailure(url: url, host: host, problem, mayPass: mayPass)
        }
        guard WebAddress.refusal(of: url) == nil else { return failure(.address) }
        var failures = 0
        var restarts = 0
        while part.size < job.size {
            let before = part.size
            let transfer = Transfer(
                Transfer.Request(url: url, offset: before, size: job.size, tag: tag), part, reporter)
            let result = transfer.run(in: connection, job.retries)
            if let seen = transfer.tag { tag = seen }
            if part.size - before >= min(job.retries.stallBytes, job.size - before) { failures = 0 }
            switch result {
            case .ended: break
            case .restart(let problem):
                restarts += 1
                guard restarts <= 1 else { return failure(problem) }
                try part.empty()
                tag = nil
                reporter.send(.restarting)
            case .refused(let problem):
                return failure(problem)
            case .failed(let failure):
                throw failure
            case .retry(let problem, let after):
                failures += 1
                guard failures < job.retries.attempts(after: problem) else { return failure(problem, mayPass: true) }
                if let after, after > Download.longestRetryAfter {
                    return failure(problem.waiting(after), mayPass: true)
                }
                let wait = max(after ?? 0, job.retries.wait(before: failures, chance: .random(in: 0...1)))
                reporter.send(.retrying(.servers([failure(problem, mayPass: true)]), seconds: wait))
                usleep(useconds_t(wait * 1e6))
            }
        }
        reporter.send(.progress(bytes: part.size))
        return nil
    }
}

extension ServerProblem {
    /// Returns the problem to report if the server requested a delay that is too long to wait for.
    fileprivate func waiting(_ seconds: Double) -> ServerProblem {
        guard case .status(let status, .forNow) = self else { return self }
        // JSON cannot encode infinity.
        return .status(status, .forNow(wait: min(seconds, 1e9)))
    }
}

/// The file to which a download is written sequentially. Not thread-safe.
final class PartFile {
    /// The size in bytes.
    private(set) var size: Int64 = 0
    private let descriptor: Int32
    private let path: String
    private let expected: Int64

    /// Opens the file and truncates it to the job's offset, or to 0 if the file is too short to be resumed.
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
        // Only a regular file can be truncated. Other files are written from the current position.
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
