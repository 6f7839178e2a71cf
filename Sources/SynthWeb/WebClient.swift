import SynthHTTPServer
import SynthService
package import SynthSystem

/// A client of a web server. Its requests are handled in order on its own thread.
final class WebClient: ServerClient {
    private struct State {
        var idleSince: ContinuousClock.Instant? = .now
        var waitedForSince: ContinuousClock.Instant? = .now
        /// Cancels the current response.
        var giveUp: (@Sendable () -> Void)?
        var isFinished = false
        /// Whether the client was evicted to make room for another client.
        var isEvicted = false
        /// Whether the client has received a response and has not sent another request since then.
        var hasAnswer = false
    }
    private let connection: HTTPConnection
    private let server: WebServer
    private let peer: String?
    private let isReserved: Bool
    private let state = Monitor(State())

    /// - Parameter isReserved: whether the connection accepts only requests with the token and requests for routes that
    ///   need hardly any resources.
    init(_ stream: SocketStream, _ server: WebServer, _ timeouts: HTTPConnection.Timeouts, isReserved: Bool = false) {
        peer = stream.peer
        self.isReserved = isReserved
        var timeouts = timeouts
        if isReserved { timeouts.idle = timeouts.head }
        connection = HTTPConnection(stream, timeouts) { [server] head in server.longestBody(of: head) }
        self.server = server
    }

    var idleSince: ContinuousClock.Instant? { state.read { $0.idleSince } }

    /// The time since which the server has been waiting for the client's next request or body, or since which a
    /// response has been stalled. nil while a response is making progress.
    var inactiveSince: ContinuousClock.Instant? {
        if let since = state.read({ $0.waitedForSince }) { return since }
        return connection.stalledSince.flatMap { $0 + server.service.limits.grace <= .now ? $0 : nil }
    }

    func evict() {
        let isWaitedFor = state.update { state in
            state.isEvicted = true
            return state.waitedForSince != nil
        }
        // The client can receive a message between requests and while it sends a body, unless a response is stalled.
        if isWaitedFor, connection.stalledSince == nil { return connection.stopReading() }
        // Reset the connection, so that the client does not mistake the response for a complete one.
        connection.abort()
        stop()
    }

    func refuse() {
        // This write does not block, because the socket buffer of a new connection has space for the message.
        try? server.tell(.busy, in: newAnswer(nil, isClosing: true))
        connection.stop()
    }

    func finish() {
        let giveUp = state.update { state in
            state.isFinished = true
            return state.giveUp
        }
        giveUp?()
    }

    func stop() {
        finish()
        connection.stop()
    }

    /// Serves the client. Blocks until it has disconnected.
    func run() {
        while !state.read({ $0.isFinished }), serve() {}
        connection.stop()
    }

    /// Handles the next request. Blocks until it arrives.
    ///
    /// - Returns: whether the connection can handle another request.
    private func serve() -> Bool {
        let head: HTTPRequestHead
        do {
            guard let next = try connection.nextHead() else {
                if canReceiveEvictionMessage { _ = tell(.busy, in: newAnswer(nil, isClosing: true)) }
                return false
            }
            head = next
        } catch {
            refuse(error, nil)
            return false
        }
        state.update { state in
            state.idleSince = nil
            state.hasAnswer = false
        }
        defer {
            state.update { state in
                state.idleSince = .now
                state.waitedForSince = .now
                state.hasAnswer = true
            }
        }
        return answer(head)
    }

    /// Whether the client was evicted and would not mistake a message for the response to its next request.
    private var canReceiveEvictionMessage: Bool {
        state.read { $0.isEvicted && !$0.hasAnswer } || state.read { $0.isEvicted } && connection.isInRequest
    }

    private func answer(_ head: HTTPRequestHead) -> Bool {
        let route: WebRoute
        let isTrusted: Bool
        guard server.admits(peer) else {
            // Close the connection, because rejecting further requests on it would take up time as well.
            return tell(.tooManyRequests, in: newAnswer(head, isClosing: true))
        }
        do {
            if head.method == "OPTIONS", server.access.namedOrigin(head) != nil {
                try server.access.check(head)
                return answerPreflight(head)
            }
            (route, isTrusted) = try server.route(of: head)
            if isReserved, !route.takesNoRoom, !isTrusted {
                // Count invalid tokens, so that reserved slots cannot be used to guess the token.
                try server.access.countGuess(in: head)
                throw WebFailure.problem(.busy)
            }
        } catch {
            // Close the connection unless the request has no body, because the body of a rejected request is not read.
            return end(newAnswer(head, isClosing: head.body != .length(0)), after: error)
        }
        var body: [UInt8] = []
        let form: UploadedForm?
        var room = 0
        defer { server.bodies.release(room) }
        do {
            form = try route.form?(head)
        } catch {
            return end(newAnswer(head, isClosing: true), after: error)
        }
        do {
            if let form {
                try connection.readBody(of: head, form.take)
            } else {
                body = try connection.body(of: head) { count in
                    guard server.bodies.take(count) else { return false }
                    room += count
                    return true
                }
            }
        } catch {
            if error == .full, let problem = form?.problem {
                return tell(problem, in: newAnswer(head, isClosing: true))
            }
            refuse(error, head)
            return false
        }
        let isLate = state.update { state in
            state.waitedForSince = nil
            return state.isEvicted
        }
        if isLate { return tell(.busy, in: newAnswer(head, isClosing: true)) }
        let answer = newAnswer(head, isClosing: false)
        do {
            try route.answer(WebRequest(head: head, body: body, form: form, isTrusted: isTrusted), answer)
            return !answer.isLast || closeGracefully()
        } catch {
            return end(answer, after: error)
        }
    }

    /// Responds to a CORS preflight request from an allowed origin.
    private func answerPreflight(_ head: HTTPRequestHead) -> Bool {
        let answer = newAnswer(head, isClosing: head.body != .length(0))
        let methods = server.methods(of: head.target.path)
        if methods.isEmpty { return tell(.notFound, in: answer) }
        do {
            try answer.sendNothing(
                .noContent,
                [
                    (name: "Access-Control-Allow-Methods", value: methods.joined(separator: ", ")),
                    (name: "Access-Control-Allow-Headers", value: "Authorization, Content-Type"),
                    (name: "Access-Control-Max-Age", value: "600"),
                ])
            return !answer.isLast || closeGracefully()
        } catch {
            return false
        }
    }

    private func end(_ answer: WebAnswer, after error: any Error) -> Bool {
        switch WebFailure(error) {
        case .problem(let problem) where !answer.hasBegun: return tell(problem, in: answer)
        case .stopped where !answer.hasBegun: return tell(.ending, in: answer)
        case .problem where answer.showsItsEnd, .stopped where answer.showsItsEnd:
            // If the client can detect that the response is truncated, let it read the data that has been sent.
            return closeGracefully()
        case .problem, .stopped, .lost:
            connection.abort()
            return false
        }
    }

    private func tell(_ problem: WebProblem, in answer: WebAnswer) -> Bool {
        do {
            try server.tell(problem, in: answer)
            return !answer.isLast || closeGracefully()
        } catch {
            return false
        }
    }

    /// Responds to an invalid request and closes the connection, because there is no way to tell where the next request
    /// starts.
    private func refuse(_ failure: HTTPFailure, _ head: HTTPRequestHead?) {
        let answer = newAnswer(head, isClosing: true)
        switch failure {
        case .refused(let refusal): _ = tell(.refused(refusal), in: answer)
        case .late(isInRequest: true): _ = tell(.late, in: answer)
        case .full: _ = tell(.busy, in: answer)
        case .lost where state.read({ $0.isEvicted }): _ = tell(.busy, in: answer)
        case .late, .lost, .stopped, .headerName, .headerValue, .bodyTooLong, .bodyTooShort: break
        }
    }

    private func closeGracefully() -> Bool {
        state.update { state in
            state.idleSince = .now
            state.waitedForSince = .now
        }
        connection.linger()
        return false
    }

    private func newAnswer(_ head: HTTPRequestHead?, isClosing: Bool) -> WebAnswer {
        WebAnswer(
            connection, head, isClosing: isClosing || isReserved || server.isEnding || state.read { $0.isFinished },
            common: server.headers(answering: head),
            onBegin: { [server] status in server.requests.count(head?.target.path, status) }
        ) { [state] giveUp in
            let isFinished = state.update { state in
                state.giveUp = giveUp
                return state.isFinished
            }
            if isFinished { giveUp?() }
        }
    }
}

extension ConnectionServer {
    /// Creates a server for HTTP clients.
    package static func web(_ listener: SocketListener, _ server: WebServer) -> ConnectionServer {
        web(listener, server, HTTPConnection.Timeouts())
    }

    /// - Parameter timeouts: the timeouts for clients.
    static func web(_ listener: SocketListener, _ server: WebServer, _ timeouts: HTTPConnection.Timeouts)
        -> ConnectionServer
    {
        let limits = server.service.limits
        return ConnectionServer(listener, ConnectionServer.Limits(clients: limits.webClients, reserve: limits.reserve))
        { stream, isReserved in
            WebClient(stream, server, timeouts, isReserved: isReserved)
        }
    }
}
