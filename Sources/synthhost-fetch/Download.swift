import Glibc
import ModelStore
import System
import VoiceCatalogue

/// A download job with all its attempts.
struct Download {
    private let job: DownloadJob
    private let part: PartFile
    private let reporter: Reporter
    private var tag: String?
    private let connection = Connection()

    /// In seconds. If a server asks for a longer wait, the download fails for now.
    private static let longestRetryAfter = 120.0

    init(_ job: DownloadJob, _ reporter: Reporter) throws(FetchFailure) {
        self.job = job
        self.reporter = reporter
        part = try PartFile(job)
        tag = part.size > 0 ? job.tag : nil
    }

    /// Blocks until the file is there.
    mutating func run() throws(FetchFailure) {
        var failures: [ServerFailure] = []
        for url in job.urls {
            guard let failure = try run(url) else { return }
            failures.append(failure)
            tag = nil
        }
        throw .servers(failures)
    }

    /// Downloads from one address. Returns why it did not give the file; nil = it did.
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
                reporter.say(.restarting)
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
                reporter.say(.retrying(.servers([failure(problem, mayPass: true)]), seconds: wait))
                usleep(useconds_t(wait * 1e6))
            }
        }
        reporter.say(.progress(bytes: part.size))
        return nil
    }
}

extension ServerProblem {
    /// The same problem, with the wait that the server asks for, if that is too long to wait here.
    fileprivate func waiting(_ seconds: Double) -> ServerProblem {
        guard case .status(let status, .forNow) = self else { return self }
        // JSON cannot encode infinity.
        return .status(status, .forNow(wait: min(seconds, 1e9)))
    }
}
