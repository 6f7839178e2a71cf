import Foundation
import ModelStore
import System
import VoiceCatalogue

/// One job with all its attempts.
struct Download {
    private let job: FetchJob
    private let part: PartFile
    private let reporter: Reporter
    private var tag: String?
    private let connections: Connections
    /// Requests of at most this many bytes: nothing holds a server back while the disk is busy, and what arrives then
    /// waits in memory. `nil` once the network has shown to be slow enough for one long request.
    private var piece: Int64? = Download.largestPiece
    private var diskIsSlow = false

    private static let largestPiece: Int64 = 8 << 20
    /// In bytes per second. Below it, what arrives while a slow disk is noticed is no more than a piece.
    private static let fastNetwork = 40e6
    /// In seconds; a server that asks for more is left for later.
    private static let longestRetryAfter = 120.0

    init(_ job: FetchJob, _ reporter: Reporter) throws(FetchFailure) {
        self.job = job
        self.reporter = reporter
        part = try PartFile(job)
        connections = Connections(job.patience)
        tag = part.size > 0 ? job.tag : nil
    }

    mutating func run() async throws(FetchFailure) {
        var failures: [FetchFailure] = []
        for url in job.urls {
            do {
                return try await run(url)
            } catch  where error.kind == .network || error.kind == .refused {
                failures.append(job.urls.count > 1 ? Self.failure(error, of: url) : error)
            }
            tag = nil
        }
        guard let last = failures.last else { throw FetchFailure(.refused, "there is no address to download from") }
        // Where one of them may do better later, it is worth another try.
        let kind = failures.first { $0.kind == .network }?.kind ?? last.kind
        throw FetchFailure(kind, failures.map(\.reason).joined(separator: ", and "))
    }

    /// Says which server it was: a mirror or the one that it mirrors.
    private static func failure(_ failure: FetchFailure, of url: String) -> FetchFailure {
        let host = URL(string: url)?.host ?? url
        return failure.reason.contains(host)
            ? failure : FetchFailure(failure.kind, "\(failure.reason) (\(host))")
    }

    private mutating func run(_ url: String) async throws(FetchFailure) {
        if let refusal = WebAddress.refusal(of: url) { throw FetchFailure(.refused, refusal) }
        guard let address = URL(string: url) else { throw FetchFailure(.refused, "“\(url)” is not a web address") }
        var failures = 0
        var restarts = 0
        while part.size < job.size {
            let before = part.size
            let transfer = Transfer(
                Transfer.Request(url: address, offset: before, size: job.size, piece: piece, tag: tag), part, reporter)
            let start = ContinuousClock.now
            let result = await transfer.run(in: connections, job.patience)
            if let seen = transfer.tag { tag = seen }
            if part.size - before >= min(job.patience.stallBytes, job.size - before) { failures = 0 }
            switch result {
            case .ended:
                let elapsed = (ContinuousClock.now - start) / .seconds(1)
                let isSlowNetwork = Double(part.size - before) < Download.fastNetwork * elapsed
                if isSlowNetwork, !diskIsSlow, transfer.writing / .seconds(1) < elapsed / 10 { piece = nil }
            case .diskIsSlow:
                diskIsSlow = true
                piece = Download.largestPiece
            case .restart(let reason):
                restarts += 1
                guard restarts <= 1 else { throw FetchFailure(.refused, reason) }
                try part.empty()
                tag = nil
                reporter.say(.restarting(reason: reason))
            case .failed(let failure):
                throw failure
            case .retry(let reason, let after):
                failures += 1
                guard failures < job.patience.attempts else { throw FetchFailure(.network, reason) }
                if let after, after > Download.longestRetryAfter {
                    throw FetchFailure(.network, "\(reason) and asks to wait for \(Self.words(ofWait: after))")
                }
                let wait = max(after ?? 0, job.patience.wait(before: failures, chance: .random(in: 0...1)))
                reporter.say(.retrying(reason: reason, seconds: wait))
                try? await Task.sleep(for: .seconds(wait))
            }
        }
        reporter.say(.progress(bytes: part.size))
    }

    private static func words(ofWait seconds: Double) -> String {
        seconds < 86_400 ? "\(Int(clamping: seconds)) s" : "more than a day"
    }
}
