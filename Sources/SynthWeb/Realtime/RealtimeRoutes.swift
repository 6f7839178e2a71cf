import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// Serves OpenAI's realtime WebSocket for transcription and speech, `/v1/realtime`.
struct RealtimeRoutes: Sendable {
    let service: SpeechService
    let transcription: TranscriptionService
    let words: WebMessages
    let sessions: RealtimeSessions
    var timeouts = WebSocketConnection.Timeouts()

    private static let protocols = ["realtime"]

    var routes: [WebRoute] {
        [WebRoute("GET", .exact("/v1/realtime"), .access, serve)]
    }

    @Sendable private func serve(_ request: WebRequest, _ answer: WebAnswer) throws {
        let handshake: WebSocketHandshake
        do { handshake = try WebSocketHandshake(request.head) } catch { throw WebFailure.problem(.refused(error)) }
        var settings = RealtimeSettings(isTranscription: request.query["intent"] == "transcription")
        if let model = request.query["model"], settings.isTranscription {
            guard model.utf8.count <= WebMembers.longestName else {
                throw WebFailure.problem(.invalid("model", .name(longest: WebMembers.longestName)))
            }
            settings.model = model
        }
        guard let slot = sessions.begin() else { throw WebFailure.problem(.busy) }
        defer { sessions.end(slot) }
        let socket = try answer.openSocket(handshake, Self.protocols, timeouts)
        let isBeta =
            handshake.protocols.contains("openai-beta.realtime-v1")
            || request.head.headers.list("openai-beta").contains("realtime=v1")
        let events = RealtimeEvents(socket, words, isBeta: isBeta)
        let session = RealtimeSession(transcription, events, RealtimeSpeech(service, events, words), settings)
        sessions.set(session, at: slot)
        try answer.whileConnected({ session.end() }) { session.run(socket) }
    }
}

/// The active realtime sessions. Thread-safe.
final class RealtimeSessions: Sendable {
    private struct State {
        var sessions: [Int: RealtimeSession?] = [:]
        var next = 0
        var isEnding = false
    }
    private let limit: Int
    private let state = Monitor(State())

    init(limit: Int) { self.limit = limit }

    /// Reserves a slot for a session. Returns nil if the limit is reached or the service is shutting down.
    func begin() -> Int? {
        state.update { state in
            guard state.sessions.count < limit, !state.isEnding else { return nil }
            state.next += 1
            state.sessions[state.next] = .some(nil)
            return state.next
        }
    }

    func set(_ session: RealtimeSession, at slot: Int) {
        let isEnding = state.update { state in
            state.sessions[slot] = session
            return state.isEnding
        }
        if isEnding { session.leave() }
    }

    func end(_ slot: Int) { state.update { $0.sessions[slot] = nil } }

    /// Ends all sessions when the service shuts down.
    func endAll() {
        let sessions = state.update { state in
            state.isEnding = true
            return state.sessions.values.compactMap(\.self)
        }
        for session in sessions { session.leave() }
    }
}

/// Sends a session's events in OpenAI's format, in call order. Thread-safe.
final class RealtimeEvents: Sendable {
    private let socket: WebSocketConnection
    private let words: WebMessages
    /// Whether the client uses the event names of the beta version.
    let isBeta: Bool
    private let state = Monitor((events: 0, ids: [String: Int](), sendsExtraEvents: false))

    init(_ socket: WebSocketConnection, _ words: WebMessages, isBeta: Bool) {
        self.socket = socket
        self.words = words
        self.isBeta = isBeta
    }

    /// Whether to send synthhost's own events.
    var sendsExtraEvents: Bool {
        get { state.read { $0.sendsExtraEvents } }
        set { state.update { $0.sendsExtraEvents = newValue } }
    }

    /// Returns a new ID, unique within this session.
    func newID(_ kind: String) -> String {
        state.update { state in
            state.ids[kind, default: 0] += 1
            return "\(kind)_\(state.ids[kind, default: 0])"
        }
    }

    /// Sends an event. Blocks while the client is slow.
    ///
    /// - Returns: false if the client has disconnected.
    @discardableResult
    func send(_ type: String, _ members: [JSONNode.Member] = []) -> Bool {
        if type.hasPrefix("synthhost."), !sendsExtraEvents { return true }
        return socket.send(text(type, members))
    }

    /// Sends an error event.
    ///
    /// - Parameter event: the ID of the client's event that caused the problem, or nil if the event has no ID or no
    ///   event caused the problem.
    func tell(_ problem: WebProblem, event: String? = nil) { send("error", members(problem, event: event)) }

    /// Sends a final error event and closes the connection.
    func end(_ code: WebSocketCloseCode, _ problem: WebProblem) {
        socket.close(code, problem.code, saying: text("error", members(problem, event: nil)))
    }

    func end() { socket.close(.done) }

    /// Returns the problem as the value of an event's `error` member.
    func error(_ problem: WebProblem) -> JSONNode.Value {
        problem.json(words).members.first { $0.name == "error" }?.node.value ?? .null
    }

    private func members(_ problem: WebProblem, event: String?) -> [JSONNode.Member] {
        let error = JSONNode(error(problem)).members + [.init("event_id", event.map { .string($0) } ?? .null)]
        return [.init("error", .object(error))]
    }

    private func text(_ type: String, _ members: [JSONNode.Member]) -> String {
        let number = state.update { state in
            state.events += 1
            return state.events
        }
        let head: [JSONNode.Member] = [.init("type", .string(type)), .init("event_id", .string("event_\(number)"))]
        return JSONWriter.line(of: JSONNode(head + members))
    }
}
