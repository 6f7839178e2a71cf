import CSynthCurl
import SynthCatalogue
import SynthModelStore
import SynthSystem

/// A request, including its redirects, and its result. Not thread-safe.
final class Transfer {
    struct Request {
        let url: String
        let offset: Int64
        /// The size of the complete file in bytes.
        let size: Int64
        let tag: String?
    }

    enum Result {
        /// All requested bytes have arrived.
        case ended
        /// The partial file cannot be used, so the download must restart.
        case restart(ServerProblem)
        case retry(ServerProblem, after: Double?)
        case refused(ServerProblem)
        case failed(FetchFailure)
    }

    private let request: Request
    private let part: PartFile
    private let reporter: Reporter
    /// The result. Once it is set, no more data is accepted.
    private var result: Result?
    private var head = AnswerHead()
    /// The URL in a redirect response.
    private var location: String?
    private var mayWrite = false
    private var arrived: Int64 = 0
    /// The entity tag of the version that the server sent.
    private(set) var tag: String?

    private static let maximumRedirects = 5

    init(_ request: Request, _ part: PartFile, _ reporter: Reporter) {
        self.request = request
        self.part = part
        self.reporter = reporter
    }

    /// Runs the request. Blocks until the result is known.
    func run(in connection: Connection, _ policy: RetryPolicy) -> Result {
        var url = request.url
        for _ in 0...Self.maximumRedirects {
            head = AnswerHead()
            location = nil
            let end = perform(url, in: connection, policy)
            guard let location else { return result ?? result(of: end) }
            let target = Connection.target(location, from: url)
            guard let target, WebAddress.mayRedirect(from: url, to: target) else {
                return .refused(.redirect(to: target ?? location))
            }
            url = target
        }
        return .refused(.endless)
    }

    private func perform(_ url: String, in connection: Connection, _ policy: RetryPolicy) -> Connection.End {
        var fields = ["Accept-Encoding: identity"]
        if request.offset > 0, let tag = request.tag { fields.append("If-Range: \(tag)") }
        let range = request.offset > 0 ? request.offset...request.size - 1 : nil
        let sent = Connection.Request(
            url: url, fields: fields, range: range,
            head: { bytes, size, count, context in
                Transfer.take(bytes, size * count, context) { $0.take(line: $1) }
            },
            body: { bytes, size, count, context in
                Transfer.take(bytes, size * count, context) { $0.take(body: $1) }
            },
            context: Unmanaged.passUnretained(self).toOpaque())
        let stall = Duration.seconds(policy.stall)
        var (before, checked) = (arrived, ContinuousClock.now)
        return connection.run(sent) {
            let now = ContinuousClock.now
            if now - checked >= stall {
                if arrived - before < policy.stallBytes {
                    result = .retry(arrived == before ? .nothingArrives : .hardlyAnythingArrives, after: nil)
                    return nil
                }
                (before, checked) = (arrived, now)
            }
            return min(stall - (now - checked), reporter.sendPending() ?? stall)
        }
    }

    private func result(of end: Connection.End) -> Result {
        if part.size >= request.size { return .ended }
        guard case .code(let code, let detail) = end, code != CURLE_OK else { return .retry(.endedEarly, after: nil) }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return .retry(.nameNotFound(hasNetwork: NetworkRoutes.current.leadOutside), after: nil)
        case CURLE_PARTIAL_FILE: return .retry(.endedEarly, after: nil)
        case CURLE_URL_MALFORMAT: return .refused(.address)
        case CURLE_SSL_CACERT_BADFILE: return .refused(.noAuthorities(detail: detail))
        // The server sent no response head, or an invalid one.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .refused(.noHTTP)
        default: return .retry(.connection(code: Int(code.rawValue), detail: detail), after: nil)
        }
    }

    // MARK: - Received data (return false to abort the request)

    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard count > 0, let context else { return count }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // Any other return value aborts the request.
        return take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
        // Trailers are ignored.
        guard !head.isWhole else { return true }
        guard head.take(String(decoding: line, as: UTF8.self)) else {
            result = .refused(.noHTTP)
            return false
        }
        guard head.isWhole else { return true }
        switch Answer(head, to: request) {
        case .send(let tag): begin(tag)
        case .sendWhole(let tag):
            do {
                try part.empty()
            } catch {
                result = .failed(error)
                return false
            }
            reporter.send(.restarting)
            begin(tag)
        case .redirect(let target):
            location = target
            return false
        case .refuse(let result):
            self.result = result
            return false
        }
        return true
    }

    private func begin(_ tag: String?) {
        self.tag = tag
        mayWrite = true
        reporter.send(.answered(tag: tag, url: request.url))
    }

    /// Writes the data before accepting more data, so that a slow disk slows down the server.
    private func take(body: UnsafeRawBufferPointer) -> Bool {
        guard mayWrite else { return false }
        arrived += Int64(body.count)
        guard part.size + Int64(body.count) <= request.size else {
            result = .restart(.tooMuch(expected: request.size))
            return false
        }
        do {
            try part.append(body)
        } catch {
            result = .failed(error)
            return false
        }
        reporter.sendProgress(part.size)
        return true
    }
}
