import Foundation
import FoundationNetworking
import ModelStore
import Synchronization
import System
import VoiceCatalogue

/// One request and its result. Everything happens on one queue. What arrives after the result is known is dropped: a
/// cancelled task goes on for a while.
final class Transfer: Sendable {
    struct Request {
        let url: URL
        let offset: Int64
        /// The size of the whole file, in bytes.
        let size: Int64
        /// The most bytes of one answer; nil = no limit.
        let piece: Int64?
        let tag: String?

        /// One past the last requested byte.
        var end: Int64 { piece.map { min(offset + $0, size) } ?? size }
        var asksForRange: Bool { offset > 0 || end < size }
    }

    enum Result {
        /// Every requested byte has arrived.
        case ended
        /// The disk is slower than the network, so that waiting bytes would fill memory.
        case diskIsSlow
        /// The part file cannot be resumed.
        case restart(ServerProblem)
        case retry(ServerProblem, after: Double?)
        case refused(ServerProblem)
        case failed(FetchFailure)
    }

    private struct State {
        var part: PartFile
        var result: Result?
        var waiter: CheckedContinuation<Result, Never>?
        var tag: String?
        var redirects = 0
        var mayWrite = false
        var arrived: Int64 = 0
        var writing: Duration = .zero
        var isWhole = false
        var refusal: ServerProblem?
    }

    private let request: Request
    private let reporter: Reporter
    private let state: Mutex<State>
    private static let mostRedirects = 5
    /// If the writes of one request take longer than this, the disk is slower than the network.
    private static let slowDisk = Duration.milliseconds(250)

    init(_ request: Request, _ part: PartFile, _ reporter: Reporter) {
        self.request = request
        self.reporter = reporter
        state = Mutex(State(part: part))
    }

    /// The server's entity tag for the version that it sent.
    var tag: String? { state.withLock { $0.tag } }

    /// The time spent in writing.
    var writing: Duration { state.withLock { $0.writing } }

    func run(in connections: Connections, _ policy: RetryPolicy) async -> Result {
        let task = connections.task(urlRequest(for: request.url), for: self)
        defer { task.cancel() }
        let timer = Task {
            var before: Int64 = 0
            while true {
                try await Task.sleep(for: .seconds(policy.stall))
                let now = state.withLock { $0.arrived }
                if now - before < policy.stallBytes {
                    return finish(.retry(now == before ? .nothingArrives : .hardlyAnythingArrives, after: nil))
                }
                before = now
            }
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                state.waiter = continuation
                return state.result
            }
            if let result { return continuation.resume(returning: result) }
            task.resume()
        }
    }

    private func urlRequest(for url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue("synthhost", forHTTPHeaderField: "User-Agent")
        if self.request.asksForRange {
            request.setValue("bytes=\(self.request.offset)-\(self.request.end - 1)", forHTTPHeaderField: "Range")
            if let tag = self.request.tag { request.setValue(tag, forHTTPHeaderField: "If-Range") }
        }
        return request
    }

    private func finish(_ result: Result) {
        let waiter = state.withLock { state -> CheckedContinuation<Result, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            state.mayWrite = false
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    /// The request to follow the redirection with, or `nil` to refuse it.
    func redirect(from response: HTTPURLResponse, to newRequest: URLRequest) -> URLRequest? {
        let old = response.url ?? request.url
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        guard let target = newRequest.url, count <= Transfer.mostRedirects,
            WebAddress.mayRedirect(from: old.absoluteString, to: target.absoluteString)
        else {
            let problem: ServerProblem =
                count > Transfer.mostRedirects ? .endless : .redirect(to: newRequest.url?.absoluteString)
            // The transfer does not end here: Foundation crashes if a task is cancelled while it redirects. If it gets
            // no new request, the redirection itself arrives as the answer.
            state.withLock { $0.refusal = problem }
            return nil
        }
        return urlRequest(for: target)
    }

    func receive(_ response: URLResponse) {
        if let refusal = state.withLock({ $0.refusal }) { return finish(.refused(refusal)) }
        switch Answer(response, to: request) {
        case .send(let tag):
            state.withLock { state in
                if state.result == nil {
                    state.tag = tag
                    state.mayWrite = true
                }
            }
            reporter.say(.answered(tag: tag, url: request.url.absoluteString))
        case .sendWhole(let tag):
            let failure = state.withLock { state -> FetchFailure? in
                guard state.result == nil else { return nil }
                do throws(FetchFailure) { try state.part.empty() } catch { return error }
                state.tag = tag
                state.isWhole = true
                state.mayWrite = true
                return nil
            }
            if let failure { finish(.failed(failure)) }
            if request.offset > 0 {
                reporter.say(.restarting)
            }
            reporter.say(.answered(tag: tag, url: request.url.absoluteString))
        case .refuse(let result):
            finish(result)
        }
    }

    func receive(_ data: Data) {
        let (result, size) = state.withLock { state -> (Result?, Int64) in
            guard state.mayWrite else { return (nil, 0) }
            state.arrived += Int64(data.count)
            guard state.part.size + Int64(data.count) <= request.size else {
                return (.restart(.tooMuch(expected: request.size)), 0)
            }
            let start = ContinuousClock.now
            do throws(FetchFailure) { try state.part.append(data) } catch { return (.failed(error), 0) }
            state.writing += ContinuousClock.now - start
            let isSlow =
                state.writing > Transfer.slowDisk && request.piece == nil && !state.isWhole
                && state.part.size < request.size
            return (isSlow ? .diskIsSlow : nil, state.part.size)
        }
        if let result {
            finish(result)
        } else if size > 0 {
            reporter.sayProgress(size)
        }
    }

    func end(_ error: (any Error)?) {
        let (size, end) = state.withLock { ($0.part.size, $0.isWhole ? request.size : request.end) }
        if let refusal = state.withLock({ $0.refusal }) { return finish(.refused(refusal)) }
        if size >= end { return finish(.ended) }
        guard let error else { return finish(.retry(.endedEarly, after: nil)) }
        let code = (error as NSError).code
        let problem: ServerProblem =
            code == NSURLErrorCannotFindHost
            ? .nameNotFound(hasNetwork: NetworkRoutes.current.leadOutside)
            : .connection(code: code, detail: error.localizedDescription)
        finish(.retry(problem, after: nil))
    }
}
