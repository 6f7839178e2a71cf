import SynthJSON
import SynthSystem

@testable import SynthHTTPServer

/// A WebSocket client for tests, to be used on a single thread.
final class SocketConversation {
    enum Frame: Equatable {
        case text(String)
        case ping
        case pong([UInt8])
        case close(UInt16?)
    }
    let web: WebConversation
    private var bytes: [UInt8] = []

    /// The headers with which a client opens a WebSocket.
    static let headers: [(name: String, value: String)] = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]

    /// - Parameter more: Additional headers.
    init(_ web: WebConversation, _ path: String, _ more: [(name: String, value: String)] = []) throws {
        self.web = web
        try web.send("GET", path, Self.headers + more)
        guard try web.interim() == 101 else { throw WebConversation.Failure.malformed("no socket") }
    }

    func send(frame bytes: [UInt8]) throws { try web.send(bytes) }

    func send(_ text: String) throws { try send(frame: WebSocketReaderTests.text(text)) }

    func send(sound: [UInt8]) throws { try send(frame: WebSocketReaderTests.frame(0x82, sound)) }

    /// Returns the next frame; nil if the connection has ended.
    func next() throws -> Frame? {
        while true {
            if bytes.count >= 2 {
                let stated = Int(bytes[1])
                let size = stated == 126 ? 2 : stated == 127 ? 8 : 0
                if bytes.count >= 2 + size {
                    let length = size == 0 ? stated : bytes[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
                    if bytes.count >= 2 + size + length {
                        let (kind, payload) = (bytes[0], Array(bytes[2 + size..<2 + size + length]))
                        bytes.removeFirst(2 + size + length)
                        switch kind {
                        case 0x81: return .text(String(decoding: payload, as: UTF8.self))
                        case 0x88: return .close(payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1]))
                        case 0x89: return .ping
                        case 0x8A: return .pong(payload)
                        default: throw WebConversation.Failure.malformed("frame \(kind)")
                        }
                    }
                }
            }
            let more = try web.received()
            if more.isEmpty { return nil }
            bytes += more
        }
    }

    /// Returns the next event; nil if there are no more events.
    func event() throws -> JSONNode? {
        while let frame = try next() {
            if case .text(let text) = frame { return try JSONReader.read(Array(text.utf8)) }
            if case .close = frame { return nil }
        }
        return nil
    }

    /// Returns all events up to and including one of the given type.
    func events(until type: String) throws -> [JSONNode] {
        var events: [JSONNode] = []
        while let event = try event() {
            events.append(event)
            if event.text("type") == type { return events }
        }
        throw WebConversation.Failure.malformed("no \(type) after \(events.map { $0.text("type") ?? "" })")
    }
}
