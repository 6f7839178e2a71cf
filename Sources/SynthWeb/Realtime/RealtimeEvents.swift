import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// Sends the events of a session, in OpenAI's form. Any thread may use it; an event that another thread sends first comes first.
final class RealtimeEvents: Sendable {
    private let socket: WebSocketConnection
    private let words: WebWords
    /// Whether the client knows the names of the beta.
    let isBeta: Bool
    private let state = Monitor((events: 0, ids: [String: Int](), tellsMore: false))

    init(_ socket: WebSocketConnection, _ words: WebWords, isBeta: Bool) {
        self.socket = socket
        self.words = words
        self.isBeta = isBeta
    }

    /// Whether events are sent that only synthhost has.
    var tellsMore: Bool {
        get { state.read { $0.tellsMore } }
        set { state.update { $0.tellsMore = newValue } }
    }

    /// A name that nothing else has in this session.
    func newID(_ kind: String) -> String {
        state.update { state in
            state.ids[kind, default: 0] += 1
            return "\(kind)_\(state.ids[kind, default: 0])"
        }
    }

    /// Blocks while the client is slow.
    ///
    /// - Returns: false if the client gets nothing more.
    @discardableResult
    func send(_ type: String, _ members: [JSONNode.Member] = []) -> Bool {
        if type.hasPrefix("synthhost."), !tellsMore { return true }
        return socket.send(text(type, members))
    }

    /// - Parameter event: the id of the client's event that is wrong; nil = it has none, or none is.
    func tell(_ problem: WebProblem, event: String? = nil) { send("error", members(problem, event: event)) }

    /// The same, and the last that is sent.
    func end(_ code: WebSocketCloseCode, _ problem: WebProblem) {
        socket.close(code, problem.code, saying: text("error", members(problem, event: nil)))
    }

    /// Nothing more is sent.
    func end() { socket.close(.done) }

    /// What failed, as a member of an event.
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
        return JSONWriter.line(of: JSONNode(.object(head + members)))
    }
}
