import SynthJSON
import SynthSystem

/// A WebSocket connection after the handshake. One thread reads, and any thread may send. Outgoing messages wait in a bounded queue for a
/// separate writer thread.
package final class WebSocketConnection: Sendable {
    /// Timeouts for slow clients.
    package struct Timeouts: Sendable {
        /// How long the client may be silent before the server pings it. If the client then stays silent for the same
        /// length of time again, the connection ends.
        package var quiet = Duration.seconds(30)
        /// How long the client may go without sending a message before `onIdle` is called. This limit is checked
        /// whenever data arrives and at intervals of `quiet`.
        package var idle = Duration.seconds(300)
        /// The timeout for the closing handshake.
        package var closing = Duration.seconds(5)

        package init() {}
    }

    /// Why the connection ended.
    package enum End: Equatable, Sendable {
        /// The client closed the connection.
        case closed(WebSocketCloseCode?)
        /// The server closed the connection, and the client either confirmed this or timed out.
        case ended
        /// The client violated the protocol and was notified.
        case violated(WebSocketCloseCode)
        /// The connection was lost, or the client timed out.
        case lost
    }

    private struct State {
        var waiting: [[UInt8]] = []
        var bytes = 0
        /// Whether a close frame, which is always the last frame, has been queued or sent.
        var isClosing = false
        /// Whether the server started the closing handshake.
        var wasOurs = false
        var isOver = false
        var isWriterDone = false
    }
    private let connection: HTTPConnection
    private let timeouts: Timeouts
    private let longestMessage: Int
    private let longestQueue: Int
    private let state = Monitor(State())

    /// - Parameters:
    ///   - connection: the connection. Nothing may have been sent on it since the head of the handshake response.
    ///   - longestMessage: the maximum size of a client's message in bytes.
    ///   - longestQueue: the queue size in bytes above which senders block.
    package init(
        _ connection: HTTPConnection, _ timeouts: Timeouts = Timeouts(), longestMessage: Int = 1 << 20,
        longestQueue: Int = 1 << 20
    ) {
        self.connection = connection
        self.timeouts = timeouts
        self.longestMessage = longestMessage
        self.longestQueue = longestQueue
    }

    /// Sends a text message. Blocks while the queue is full.
    ///
    /// - Returns: false if the connection is closing or lost.
    @discardableResult
    package func send(_ text: String) -> Bool { put(.text(text)) }

    /// Starts the closing handshake. Messages already in the queue are still sent. Returns immediately; may be called
    /// from any thread.
    ///
    /// - Parameter text: a final message to send before closing, if any.
    package func close(_ code: WebSocketCloseCode, _ reason: String = "", saying text: String? = nil) {
        state.update { state in
            guard !state.isClosing, !state.isOver else { return }
            (state.isClosing, state.wasOurs) = (true, true)
            if let text { state.waiting.append(WebSocketFrame.text(text).bytes) }
            state.waiting.append(WebSocketFrame.close(code, reason: reason).bytes)
        }
    }

    /// Reads until the connection ends and calls `take` on this thread for each text (UTF-8) or binary message. After
    /// this method returns, nothing is sent or read.
    package func run(
        onIdle: () -> Void = {}, _ take: (_ message: WebSocketReader.Event) -> Void
    ) -> End {
        guard startThread("websocket", { self.write() }) else { return .lost }
        let end = read(onIdle, take)
        state.update { state in
            state.isOver = true
            if end == .lost { state.waiting = [] }
        }
        _ = state.wait { $0.isWriterDone ? true : nil }
        return end
    }

    private func read(_ onIdle: () -> Void, _ take: (WebSocketReader.Event) -> Void) -> End {
        var reader = WebSocketReader(longestMessage: longestMessage)
        var isPinged = false
        var lastMessage = ContinuousClock.now
        while true {
            while let event = reader.next() {
                isPinged = false
                switch event {
                case .text, .binary:
                    lastMessage = .now
                    if !state.read({ $0.isClosing }) { take(event) }
                case .ping(let bytes): put(.pong(bytes))
                case .pong: break
                case .close(let code, _):
                    let wasOurs = state.read { $0.wasOurs }
                    // If the client sent no code, respond with `done`.
                    answer(code ?? .done)
                    return wasOurs ? .ended : .closed(code)
                case .violation(let code):
                    answer(code)
                    return .violated(code)
                }
            }
            if lastMessage + timeouts.idle < .now { onIdle() }
            switch connection.receive(within: timeouts.quiet) {
            case .bytes(let bytes): reader.append(bytes)
            case .ended: return state.read { $0.wasOurs } ? .ended : .lost
            case .late:
                if isPinged { return .lost }
                isPinged = true
                put(.ping([]))
            }
        }
    }

    private func answer(_ code: WebSocketCloseCode) {
        state.update { state in
            guard !state.isClosing else { return }
            state.isClosing = true
            state.waiting.append(WebSocketFrame.close(code, reason: "").bytes)
        }
    }

    @discardableResult
    private func put(_ frame: WebSocketFrame) -> Bool {
        let bytes = frame.bytes
        let isSent = state.wait { state -> Bool? in
            if state.isClosing || state.isOver || state.isWriterDone { return false }
            // A message that is larger than the queue must wait until the queue is empty.
            guard state.bytes == 0 || state.bytes + bytes.count <= longestQueue else { return nil }
            state.waiting.append(bytes)
            state.bytes += bytes.count
            return true
        }
        return isSent ?? false
    }

    private func write() {
        defer { state.update { $0.isWriterDone = true } }
        while true {
            let next = state.wait { state -> (bytes: [UInt8], isLast: Bool)? in
                if state.waiting.isEmpty { return state.isOver ? ([], true) : nil }
                let bytes = state.waiting.removeFirst()
                return (bytes, state.isClosing && state.waiting.isEmpty)
            }
            guard let next else { return }
            do {
                if !next.bytes.isEmpty { try connection.write(next.bytes) }
            } catch {
                // Stopping the connection also stops the reading thread.
                return connection.stop()
            }
            if next.isLast { break }
            state.update { $0.bytes -= next.bytes.count }
        }
        let isOver = state.wait(timeout: timeouts.closing) { $0.isOver ? true : nil }
        if isOver == nil { connection.stopReading() }
    }
}

/// A valid WebSocket upgrade request (RFC 6455, section 4). The caller checks authorization.
package struct WebSocketHandshake: Equatable, Sendable {
    private let key: String
    /// The subprotocols that the client offers, as written and in order of preference.
    package let protocols: [String]

    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// - Throws: `socketUpgrade`, `socketVersion` or `socketKey`.
    package init(_ head: HTTPRequestHead) throws(HTTPRefusal) {
        guard head.method == "GET", head.version == .http11, head.body == .length(0),
            head.headers.list("connection").contains("upgrade"), head.headers.list("upgrade").contains("websocket")
        else { throw .socketUpgrade }
        guard head.headers["sec-websocket-version"] == "13" else { throw .socketVersion }
        guard let key = head.headers["sec-websocket-key"], key.utf8.count == 24, Base64.bytes(of: key)?.count == 16
        else {
            throw .socketKey
        }
        self.key = key
        protocols = head.headers.socketProtocols
    }

    /// Returns the head of the response, after which both peers send frames. No extensions are negotiated.
    ///
    /// - Parameter known: the server's subprotocols. The first of the client's subprotocols that the server supports is
    ///   chosen.
    package func answer(speaking known: [String]) -> [UInt8] {
        var text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        text += "Sec-WebSocket-Accept: \(Base64.text(of: SHA1.digest(Array((key + Self.suffix).utf8))))\r\n"
        if let agreed = protocols.first(where: known.contains) { text += "Sec-WebSocket-Protocol: \(agreed)\r\n" }
        return Array("\(text)\r\n".utf8)
    }
}

/// The hash function for the handshake (FIPS 180-4), where it serves no security purpose.
enum SHA1 {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        let bits = UInt64(message.count) * 8
        let padding = [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
        let bytes = message + [0x80] + padding + (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for block in stride(from: 0, to: bytes.count, by: 64) {
            var words = (0..<16).map { word in
                bytes[block + word * 4..<block + word * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                    case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
                (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
            }
            state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
        }
        return state.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
