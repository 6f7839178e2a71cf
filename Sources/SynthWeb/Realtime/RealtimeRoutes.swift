import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// OpenAI's realtime socket, for transcription and speech: `/v1/realtime`.
struct RealtimeRoutes: Sendable {
    let service: SpeechService
    let hearing: HearingService
    let words: WebWords
    let sessions: RealtimeSessions
    var patience = WebSocketConnection.Patience()

    private static let protocols = ["realtime"]

    var routes: [WebRoute] {
        [WebRoute("GET", .exact("/v1/realtime"), .access) { request, answer in try serve(request, answer) }]
    }

    private func serve(_ request: WebRequest, _ answer: WebAnswer) throws {
        let handshake: WebSocketHandshake
        do { handshake = try WebSocketHandshake(request.head) } catch { throw WebFailure.problem(.refused(error)) }
        var settings = RealtimeSettings(isTranscription: request.query["intent"] == "transcription")
        if let model = request.query["model"], settings.isTranscription {
            guard model.utf8.count <= WebMembers.longestName else {
                throw WebFailure.problem(.invalid("model", .name(longest: WebMembers.longestName)))
            }
            settings.model = model
        }
        guard let place = sessions.begin() else { throw WebFailure.problem(.busy) }
        defer { sessions.end(place) }
        let socket = try answer.openSocket(handshake, Self.protocols, patience)
        let isBeta =
            handshake.protocols.contains("openai-beta.realtime-v1")
            || request.head.headers.list("openai-beta").contains("realtime=v1")
        let events = RealtimeEvents(socket, words, isBeta: isBeta)
        let session = RealtimeSession(hearing, events, RealtimeSpeech(service, events, words), settings)
        sessions.set(session, at: place)
        try answer.whileConnected({ session.end() }) { session.run(socket) }
    }
}

/// The realtime sessions of a service. Any thread may use it.
final class RealtimeSessions: Sendable {
    private struct State {
        var sessions: [Int: RealtimeSession?] = [:]
        var next = 0
        var isEnding = false
    }
    private let limit: Int
    private let state = Monitor(State())

    init(limit: Int) { self.limit = limit }

    /// A place for a session; nil = there are as many as there may be, or the service ends.
    func begin() -> Int? {
        state.update { state in
            guard state.sessions.count < limit, !state.isEnding else { return nil }
            state.next += 1
            state.sessions[state.next] = .some(nil)
            return state.next
        }
    }

    func set(_ session: RealtimeSession, at place: Int) {
        let isEnding = state.update { state in
            state.sessions[place] = session
            return state.isEnding
        }
        if isEnding { session.leave() }
    }

    func end(_ place: Int) { state.update { $0.sessions[place] = nil } }

    /// The service takes nothing new: all are told, and end.
    func endAll() {
        let sessions = state.update { state in
            state.isEnding = true
            return state.sessions.values.compactMap(\.self)
        }
        for session in sessions { session.leave() }
    }
}

/// What is wrong in a realtime session alone. The raw value is OpenAI's code.
package enum RealtimeProblem: String, Sendable {
    /// There is nothing to commit.
    case emptyBuffer = "input_audio_buffer_commit_empty"
    /// One response is spoken already.
    case responseActive = "conversation_already_has_active_response"
    case noResponse = "response_cancel_not_active"
    /// Nothing came for a long time.
    case idle = "session_idle"
    /// It had as much sound as one may have.
    case expired = "session_expired"
}
