package import SynthDocuments
import SynthHTTPServer
package import SynthService
package import SynthSystem

/// The HTTP interface of a service, with its routes and access rules. Thread-safe.
package final class WebServer: Sendable {
    let service: SpeechService
    let words: WebMessages
    let access: WebAccess
    let routes: [WebRoute]
    package let requests: WebRequestCounts
    private let ending: WebEnding
    private let rate: Monitor<RequestRate>
    /// The memory limit for request bodies.
    package let bodies: Budget

    /// - Parameters:
    ///   - routes: the routes. The first route that matches a request handles it.
    ///   - requests: counts the requests.
    ///   - ending: notifies routes of a shutdown.
    init(
        _ service: SpeechService, _ words: WebMessages, _ access: WebAccess, _ routes: [WebRoute],
        requests: WebRequestCounts = WebRequestCounts(), ending: WebEnding = WebEnding()
    ) {
        self.requests = requests
        self.ending = ending
        self.service = service
        bodies = Budget(limit: service.limits.webBodyBytes)
        rate = Monitor(
            RequestRate(
                perSecond: service.limits.webRequestsPerSecond, atOnce: service.limits.webRequestsAtOnce))
        self.words = words
        self.access = access
        self.routes = routes
    }

    /// Starts the shutdown. Each connection closes after its next response.
    package func drain() { ending.begin() }

    /// Whether the service is shutting down.
    var isEnding: Bool { ending.hasBegun }

    /// Counts a request from a host, and returns whether the request rate allows it.
    ///
    /// - Parameter peer: the IP address of the host, or nil if it has none.
    func admits(_ peer: String?) -> Bool { rate.update { $0.admit(peer ?? "", at: .now) } }

    /// Returns the maximum body size in bytes. Called before access is checked.
    func longestBody(of head: HTTPRequestHead) -> Int {
        let route = routes.first { $0.method == head.method && $0.path.matches(head.target.path) }
        // A two-byte character may take up six bytes when escaped in JSON.
        return route?.longestBody ?? service.limits.textBytes * 3 + (64 << 10)
    }

    /// Returns the route for a request, and whether the request contains the token. Called before the body is read.
    func route(of head: HTTPRequestHead) throws -> (route: WebRoute, isTrusted: Bool) {
        try access.check(head)
        let found = routes.filter { $0.path.matches(head.target.path) }
        // Check access first, so that clients without access learn nothing about which paths exist.
        let isTrusted = access.isTrusted(head)
        let method = head.method == "HEAD" ? "GET" : head.method
        guard let route = found.first(where: { $0.method == method }) else {
            try access.check(found.map(\.need).max() ?? .access, head, isTrusted: isTrusted)
            if found.isEmpty { throw WebFailure.problem(.notFound) }
            throw WebFailure.problem(.method(allowed: Self.methods(of: found)))
        }
        try access.check(route.need, head, isTrusted: isTrusted)
        return (route, isTrusted)
    }

    /// Returns the allowed methods for a path, or an empty array if the path does not exist.
    func methods(of path: String) -> [String] { Self.methods(of: routes.filter { $0.path.matches(path) }) }

    private static func methods(of routes: [WebRoute]) -> [String] {
        let methods = Set(routes.map(\.method))
        return (methods.contains("GET") ? methods.union(["HEAD"]) : methods).sorted()
    }

    /// Returns the headers to include in every response.
    func headers(answering head: HTTPRequestHead?) -> [(name: String, value: String)] {
        var headers = [
            (name: "X-Content-Type-Options", value: "nosniff"), (name: "Referrer-Policy", value: "no-referrer"),
        ]
        guard let origin = head.flatMap(access.namedOrigin) else {
            return headers + [(name: "Cross-Origin-Resource-Policy", value: "same-origin")]
        }
        headers.append((name: "Access-Control-Allow-Origin", value: origin))
        return headers + [(name: "Vary", value: "Origin")]
    }

    /// Sends the problem in OpenAI's format.
    func tell(_ problem: WebProblem, in answer: WebAnswer) throws {
        var headers: [(name: String, value: String)] = []
        if let seconds = problem.retryAfter { headers.append((name: "Retry-After", value: String(seconds))) }
        if case .method(let allowed) = problem {
            headers.append((name: "Allow", value: allowed.joined(separator: ", ")))
        }
        if problem.status == .upgradeRequired {
            headers += [(name: "Upgrade", value: "websocket"), (name: "Sec-WebSocket-Version", value: "13")]
        }
        if problem.status == .unauthorized { headers.append((name: "WWW-Authenticate", value: "Bearer")) }
        try answer.send(problem.status, json: problem.json(words), headers)
    }
}

extension WebServer {
    /// Creates the complete HTTP interface of a service.
    ///
    /// - Parameters:
    ///   - page: the page's files, or nil if there is no page.
    ///   - library: the voice library, or nil if voices are managed elsewhere.
    ///   - documents: the document reader, or nil if there is none.
    ///   - transcription: the transcription service, or nil if there is none.
    package convenience init(
        _ service: SpeechService, _ words: WebMessages, _ access: WebAccess, page: PageFiles?,
        library: ServiceLibrary? = nil, documents: DocumentProgram? = nil, transcription: TranscriptionService? = nil
    ) {
        let (ending, requests) = (WebEnding(), WebRequestCounts())
        if let library { ending.add { library.end() } }
        let spool = WebSpool(folder: service.limits.spoolFolder, limit: service.limits.spoolBytes)
        let sessions = RealtimeSessions(limit: service.limits.realtimeSessions)
        ending.add { sessions.endAll() }
        // Uploads have their own limit, so that they do not block speech.
        let uploads = Budget(limit: service.limits.recordingSpoolBytes)
        let speech =
            SpeechRoutes(service: service, transcription: transcription, words: words, library: library, spool: spool)
            .routes
            + (transcription.map {
                TranscriptionRoutes(transcription: $0, words: words, budget: uploads).routes
                    + RealtimeRoutes(service: service, transcription: $0, words: words, sessions: sessions).routes
                    + RecognizerRoutes(library: $0.library, words: words).routes
            } ?? [])
        let streams = service.limits.eventStreams
        let voices =
            library.map {
                VoiceRoutes(library: $0, words: words, streams: (Budget(limit: streams), Budget(limit: streams))).routes
            } ?? []
        let figures = FigureRoutes(service: service, requests: requests, ending: ending).routes
        let texts = documents.map { DocumentRoutes($0, service.limits).routes } ?? []
        let files = page.map { PageRoutes(files: $0).routes } ?? []
        self.init(
            service, words, access, speech + voices + SessionRoutes(access: access).routes + figures + texts + files,
            requests: requests, ending: ending)
    }
}
