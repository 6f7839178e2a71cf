import SynthHTTPServer
import SynthService
package import SynthSystem

/// One client of a web server: its requests are answered in order, on one thread.
final class WebClient: ServerClient {
    private struct State {
        var idleSince: ContinuousClock.Instant? = .now
        var waitedForSince: ContinuousClock.Instant? = .now
        /// Ends what is being answered.
        var giveUp: (@Sendable () -> Void)?
        var isFinished = false
        /// Another one has its place.
        var isTurnedAway = false
        /// It was answered, and has asked for nothing since.
        var hasAnswer = false
    }
    private let connection: HTTPConnection
    private let server: WebServer
    private let peer: String?
    private let isReserved: Bool
    private let state = Monitor(State())

    /// - Parameter isReserved: whether it is served only what takes no room, unless it has the token.
    init(_ stream: SocketStream, _ server: WebServer, _ patience: HTTPConnection.Patience, isReserved: Bool = false) {
        peer = stream.peer
        self.isReserved = isReserved
        var patience = patience
        if isReserved { patience.idle = patience.head }
        connection = HTTPConnection(stream, patience) { [server] head in server.longestBody(of: head) }
        self.server = server
    }

    var idleSince: ContinuousClock.Instant? { state.read { $0.idleSince } }

    /// Also while its body comes, and while it may read why it was refused.
    var inactiveSince: ContinuousClock.Instant? {
        if let since = state.read({ $0.waitedForSince }) { return since }
        return connection.stalledSince.flatMap { $0 + server.service.limits.grace <= .now ? $0 : nil }
    }

    func turnAway() {
        let isWaitedFor = state.update { state in
            state.isTurnedAway = true
            return state.waitedForSince != nil
        }
        // Between two requests, and before its body is whole, it can be told, unless it does not even read earlier answers.
        if isWaitedFor, connection.stalledSince == nil { return connection.stopReading() }
        // Nobody may take what came for the whole.
        connection.breakOff()
        stop()
    }

    func refuse() {
        // The system takes so little of a new connection at once.
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

    /// Blocks until the client is gone.
    func run() {
        while !state.read({ $0.isFinished }), serve() {}
        connection.stop()
    }

    /// Answers the next request.
    ///
    /// - Returns: false if there is no further one.
    private func serve() -> Bool {
        let head: HTTPRequestHead
        do {
            guard let next = try connection.nextHead() else {
                if mayHearThatItGoes { _ = tell(.busy, in: newAnswer(nil, isClosing: true)) }
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

    /// Whether it was turned away, and would take what it is told for the answer to what it asks.
    private var mayHearThatItGoes: Bool {
        state.read { $0.isTurnedAway && !$0.hasAnswer } || state.read { $0.isTurnedAway } && connection.isInRequest
    }

    private func answer(_ head: HTTPRequestHead) -> Bool {
        let route: WebRoute
        let isTrusted: Bool
        guard server.admits(peer) else {
            // Refusing the next ones as well would be work, too.
            return tell(.tooManyRequests, in: newAnswer(head, isClosing: true))
        }
        do {
            if head.method == "OPTIONS", server.access.namedOrigin(head) != nil {
                try server.access.check(head)
                return answerPreflight(head)
            }
            (route, isTrusted) = try server.route(of: head)
            if isReserved, !route.takesNoRoom, !isTrusted {
                // Who is served here has the right token, which must not be learnt by trying.
                try server.access.countGuess(in: head)
                throw WebFailure.problem(.busy)
            }
        } catch {
            // A body that was not asked for is not read.
            return end(newAnswer(head, isClosing: head.body != .length(0)), after: error)
        }
        var body: [UInt8] = []
        let form: UploadedForm?
        var room = 0
        defer { server.bodies.giveBack(room) }
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
            return state.isTurnedAway
        }
        if isLate { return tell(.busy, in: newAnswer(head, isClosing: true)) }
        let answer = newAnswer(head, isClosing: false)
        do {
            try route.answer(WebRequest(head: head, body: body, form: form, isTrusted: isTrusted), answer)
            return !answer.isLast || endPolitely()
        } catch {
            return end(answer, after: error)
        }
    }

    /// A browser asks whether a page elsewhere, which was named, may ask.
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
            return !answer.isLast || endPolitely()
        } catch {
            return false
        }
    }

    private func end(_ answer: WebAnswer, after error: any Error) -> Bool {
        switch WebFailure(error) {
        case .problem(let problem) where !answer.hasBegun: return tell(problem, in: answer)
        case .stopped where !answer.hasBegun: return tell(.ending, in: answer)
        case .problem where answer.showsItsEnd, .stopped where answer.showsItsEnd:
            // What was sent is still to be read, if it cannot be taken for the whole.
            return endPolitely()
        case .problem, .stopped, .lost:
            connection.breakOff()
            return false
        }
    }

    private func tell(_ problem: WebProblem, in answer: WebAnswer) -> Bool {
        do {
            try server.tell(problem, in: answer)
            return !answer.isLast || endPolitely()
        } catch {
            return false
        }
    }

    /// What could not be read is answered, and then the connection ends: nobody knows where the next request would begin.
    private func refuse(_ failure: HTTPFailure, _ head: HTTPRequestHead?) {
        let answer = newAnswer(head, isClosing: true)
        switch failure {
        case .refused(let refusal): _ = tell(.refused(refusal), in: answer)
        case .late(isInRequest: true): _ = tell(.late, in: answer)
        case .full: _ = tell(.busy, in: answer)
        case .lost where state.read({ $0.isTurnedAway }): _ = tell(.busy, in: answer)
        case .late, .lost, .stopped, .headerName, .headerValue, .bodyTooLong, .bodyTooShort: break
        }
    }

    private func endPolitely() -> Bool {
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
    /// Lets clients in that speak HTTP.
    package static func web(_ listener: SocketListener, _ server: WebServer) -> ConnectionServer {
        web(listener, server, HTTPConnection.Patience())
    }

    /// - Parameter patience: how slow clients may be.
    static func web(_ listener: SocketListener, _ server: WebServer, _ patience: HTTPConnection.Patience)
        -> ConnectionServer
    {
        let limits = server.service.limits
        return ConnectionServer(listener, ConnectionServer.Limits(clients: limits.webClients, reserve: limits.reserve))
        { stream, isReserved in
            WebClient(stream, server, patience, isReserved: isReserved)
        }
    }
}
