import Glibc
import SynthHTTPServer
import SynthJSON
import SynthSystem

/// Writes the response to a request. Not thread-safe.
final class WebAnswer {
    private let connection: HTTPConnection
    private let request: HTTPRequestHead?
    /// Whether to close the connection after this response, even if the request asks to keep it open.
    private let isClosing: Bool
    /// The headers of every response.
    private let common: [(name: String, value: String)]
    /// Sets the action that cancels work on the response; nil removes it.
    private let onWork: ((@Sendable () -> Void)?) -> Void
    private let onBegin: (HTTPStatus) -> Void
    private var writer: HTTPBodyWriter?

    /// - Parameters:
    ///   - request: the request, or nil if it could not be read.
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

    /// Whether part of the response has been sent, in which case the status can no longer report an error.
    var hasBegun: Bool { writer != nil || isSocket }
    private var isSocket = false

    /// Whether the client can detect a truncated response.
    var showsItsEnd: Bool { writer?.showsItsEnd ?? true }

    /// Whether the connection closes after this response.
    private(set) var isLast = true

    // MARK: - Complete responses

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

    /// - Parameter status: a status whose responses have no body.
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

    /// Sends the head of the response.
    ///
    /// - Parameter length: the length of the body in bytes, or nil if it is unknown.
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

    /// Completes the response. Do not call this method if the response is incomplete, so that the connection is reset
    /// instead.
    func end() throws {
        guard var writer else { return }
        guard let bytes = try? writer.end() else { throw WebFailure.lost }
        if !bytes.isEmpty { try put(bytes) }
        connection.setNeedsWholeAnswer(false)
        isLast = writer.isLast
    }

    /// Upgrades the connection to a WebSocket. The response ends with the connection.
    ///
    /// - Parameter protocols: the supported subprotocols.
    func openSocket(
        _ handshake: WebSocketHandshake, _ protocols: [String], _ timeouts: WebSocketConnection.Timeouts
    ) throws -> WebSocketConnection {
        onBegin(.switchingProtocols)
        isSocket = true
        try put(handshake.answer(speaking: protocols))
        return WebSocketConnection(connection, timeouts)
    }

    /// Runs `body` and calls `onLeave` on another thread if the client disconnects or the service cancels the work.
    /// `onLeave` may be called twice.
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
        // Drop invalid headers. They indicate a bug, because no header value is copied unchanged from a request.
        for (name, value) in kind + common + headers { try? response.add(name, value) }
        return response
    }

    /// The current Unix time.
    private static var now: Duration { .seconds(time(nil)) }
}

/// Storage for responses that are sent once they are complete. Thread-safe.
final class WebSpool: Sendable {
    private let folder: String
    /// The limit on the total size of all responses.
    let budget: Budget

    /// - Parameters:
    ///   - folder: the folder for long responses.
    ///   - limit: the limit in bytes.
    init(folder: String, limit: Int) {
        self.folder = folder
        budget = Budget(limit: limit)
    }

    func newBytes() -> SpooledBytes { SpooledBytes(memoryLimit: Self.memoryLimit, folder: folder) }

    private static let memoryLimit = 128 << 10
}

/// Notifies routes when a web server starts shutting down. Thread-safe.
package final class WebEnding: Sendable {
    private struct State {
        var hasBegun = false
        var actions: [@Sendable () -> Void] = []
    }
    private let state = Monitor(State())

    package init() {}

    var hasBegun: Bool { state.read { $0.hasBegun } }

    /// Calls `action` when the shutdown starts, or immediately if it has already begun.
    func add(_ action: @escaping @Sendable () -> Void) {
        let hasBegun = state.update { state in
            if !state.hasBegun { state.actions.append(action) }
            return state.hasBegun
        }
        if hasBegun { action() }
    }

    /// Starts the shutdown and calls the added actions. Actions added later are called immediately.
    package func begin() {
        let actions = state.update { state in
            defer { state = State(hasBegun: true) }
            return state.actions
        }
        for action in actions { action() }
    }
}
