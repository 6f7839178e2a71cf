import Glibc
import SynthHTTPServer
import SynthJSON
import SynthSystem

/// Writes the answer to one request. One thread uses it.
final class WebAnswer {
    private let connection: HTTPConnection
    private let request: HTTPRequestHead?
    /// Whether the connection ends after this answer, whatever the request allows.
    private let isClosing: Bool
    /// Headers of every answer.
    private let common: [(name: String, value: String)]
    /// Sets the action that cancels the work on the answer; nil = there is none.
    private let onWork: ((@Sendable () -> Void)?) -> Void
    private let onBegin: (HTTPStatus) -> Void
    private var writer: HTTPBodyWriter?

    /// - Parameters:
    ///   - request: nil = no request could be read.
    ///   - onBegin: called once with the status that is sent.
    init(
        _ connection: HTTPConnection, _ request: HTTPRequestHead?, isClosing: Bool,
        common: [(name: String, value: String)], onBegin: @escaping (HTTPStatus) -> Void,
        onWork: @escaping ((@Sendable () -> Void)?) -> Void
    ) {
        self.onBegin = onBegin
        self.connection = connection
        self.request = request
        self.isClosing = isClosing
        self.common = common
        self.onWork = onWork
    }

    /// Whether something was sent, so that an error can no longer be reported.
    var hasBegun: Bool { writer != nil || isSocket }
    private var isSocket = false

    /// Whether the client can detect an incomplete answer when the connection ends.
    var showsItsEnd: Bool { writer?.showsItsEnd ?? true }

    /// Whether no further request is read from the connection.
    private(set) var isLast = true

    // MARK: - Complete answers

    func send(
        _ status: HTTPStatus, _ type: String, _ body: [UInt8], _ headers: [(name: String, value: String)] = []
    ) throws {
        var writer = head(status, type, headers).begin(
            .bytes(body.count), answering: request, closing: isClosing, at: Self.now)
        self.writer = writer
        try put(writer.head + (try part(body, &writer)))
        isLast = writer.isLast
    }

    func send(
        _ status: HTTPStatus = .ok, json: JSONNode, _ headers: [(name: String, value: String)] = []
    ) throws {
        try send(
            status, "application/json", Array(JSONWriter.line(of: json).utf8) + [0x0A],
            [("Cache-Control", "no-store")] + headers)
    }

    /// - Parameter status: a status without a body.
    func sendNothing(
        _ status: HTTPStatus = .noContent, _ headers: [(name: String, value: String)] = []
    ) throws {
        let writer = head(status, nil, headers).begin(
            .bytes(0), answering: request, closing: isClosing, at: Self.now)
        self.writer = writer
        try put(writer.head)
        isLast = writer.isLast
    }

    // MARK: - Streams

    /// Sends the head of an answer.
    ///
    /// - Parameter length: the length of its body in bytes; nil = unknown.
    func begin(
        _ status: HTTPStatus, _ type: String, _ headers: [(name: String, value: String)] = [], length: Int? = nil
    ) throws {
        let writer = head(status, type, headers).begin(
            length.map { .bytes($0) } ?? .stream, answering: request, closing: isClosing, at: Self.now)
        self.writer = writer
        connection.setNeedsWholeAnswer(!writer.showsItsEnd)
        try put(writer.head)
    }

    func write(_ bytes: [UInt8]) throws {
        guard var writer else { return }
        let bytes = try part(bytes, &writer)
        self.writer = writer
        if !bytes.isEmpty { try put(bytes) }
    }

    /// Completes the answer. It must not be called for an incomplete answer, whose connection is then aborted.
    func end() throws {
        guard var writer else { return }
        guard let bytes = try? writer.end() else { throw WebFailure.lost }
        if !bytes.isEmpty { try put(bytes) }
        connection.setNeedsWholeAnswer(false)
        isLast = writer.isLast
    }

    /// Upgrades the connection to a WebSocket, which ends with this answer.
    ///
    /// - Parameter protocols: the subprotocols that the server supports.
    func openSocket(
        _ handshake: WebSocketHandshake, _ protocols: [String], _ patience: WebSocketConnection.Patience
    ) throws -> WebSocketConnection {
        onBegin(.switchingProtocols)
        isSocket = true
        try put(handshake.answer(speaking: protocols))
        return WebSocketConnection(connection, patience)
    }

    /// Calls `onLeave` on another thread if the client disconnects while `body` runs, or the service cancels the work. It may be called
    /// twice.
    func whileConnected<Value>(
        _ onLeave: @escaping @Sendable () -> Void, _ body: () throws -> Value
    ) throws -> Value {
        onWork(onLeave)
        defer { onWork(nil) }
        return try connection.whileConnected(orElse: WebFailure.problem(.busy), onLeave, body)
    }

    private func put(_ bytes: [UInt8]) throws {
        do {
            try connection.write(bytes)
        } catch {
            throw error == .stopped ? WebFailure.stopped : WebFailure.lost
        }
    }

    private func part(_ bytes: [UInt8], _ writer: inout HTTPBodyWriter) throws -> [UInt8] {
        guard let bytes = try? writer.bytes(of: bytes) else { throw WebFailure.lost }
        return bytes
    }

    private func head(
        _ status: HTTPStatus, _ type: String?, _ headers: [(name: String, value: String)]
    ) -> HTTPResponse {
        onBegin(status)
        var response = HTTPResponse(status)
        let kind = type.map { [(name: "Content-Type", value: $0)] } ?? []
        // Values of clients are never sent back unchanged. Invalid values are dropped.
        for (name, value) in kind + common + headers { try? response.add(name, value) }
        return response
    }

    /// The time since 1970.
    private static var now: Duration { .seconds(time(nil)) }
}

/// Storage for answers that are sent when they are complete. Any thread may use it.
final class WebSpool: Sendable {
    private let folder: String
    /// The common limit.
    let budget: ByteBudget

    /// - Parameters:
    ///   - folder: the folder for long answers.
    ///   - limit: in bytes.
    init(folder: String, limit: Int) {
        self.folder = folder
        budget = ByteBudget(limit: limit)
    }

    func newBytes() -> SpooledBytes { SpooledBytes(mostInMemory: Self.mostInMemory, folder: folder) }

    private static let mostInMemory = 128 << 10
}

/// The moment from which a web server accepts no new work. Any thread may use it.
package final class WebEnding: Sendable {
    private struct State {
        var hasBegun = false
        var actions: [@Sendable () -> Void] = []
    }
    private let state = Monitor(State())

    package init() {}

    var hasBegun: Bool { state.read { $0.hasBegun } }

    /// Calls `action` at that moment, or now if it has passed.
    func add(_ action: @escaping @Sendable () -> Void) {
        let hasBegun = state.update { state in
            if !state.hasBegun { state.actions.append(action) }
            return state.hasBegun
        }
        if hasBegun { action() }
    }

    /// Calls the actions that were added; later ones are called at once.
    package func begin() {
        let actions = state.update { state in
            defer { state = State(hasBegun: true) }
            return state.actions
        }
        for action in actions { action() }
    }
}
