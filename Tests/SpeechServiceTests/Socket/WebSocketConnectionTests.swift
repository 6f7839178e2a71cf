import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthHTTPServer

@Suite("WebSocket connections", .ownThreads)
struct WebSocketConnectionTests {
    /// Both ends of a connection: the server, and a client controlled by the test.
    private static func connected<Value>(
        _ timeouts: WebSocketConnection.Timeouts, piece: Duration = .seconds(600), longestQueue: Int = 1 << 20,
        _ body: (WebSocketConnection, SocketStream) throws -> Value
    ) throws -> Value {
        let listener = try SocketListener(.tcp(host: "127.0.0.1", port: 0))
        defer { listener.stop() }
        let client = try SocketStream(to: listener.address)
        defer { client.stop() }
        let stream = try #require(try listener.accept())
        var slow = HTTPConnection.Timeouts()
        slow.piece = piece
        let http = HTTPConnection(stream, slow) { _ in 0 }
        return try body(WebSocketConnection(http, timeouts, longestQueue: longestQueue), client)
    }

    private static let patient: WebSocketConnection.Timeouts = {
        var timeouts = WebSocketConnection.Timeouts()
        (timeouts.quiet, timeouts.closing, timeouts.idle) = (.seconds(600), .seconds(600), .seconds(600))
        return timeouts
    }()

    /// Runs the server side on a separate thread.
    private static func run(_ socket: WebSocketConnection, onIdle: @escaping @Sendable () -> Void = {}) -> Monitor<
        WebSocketConnection.End?
    > {
        let end = Monitor<WebSocketConnection.End?>(nil)
        startThread("server") {
            let found = socket.run(onIdle: onIdle) { _ in }
            end.update { $0 = found }
        }
        return end
    }

    @Test("The connection is closed if the client does not answer pings")
    func silence() throws {
        var timeouts = Self.patient
        timeouts.quiet = .milliseconds(20)
        try Self.connected(timeouts) { socket, _ throws in
            #expect(Self.run(socket).wait { $0 } == .lost)
            #expect(!socket.send("late"))
        }
    }

    @Test("An idle connection is reported, and the server can close it")
    func idle() throws {
        var timeouts = Self.patient
        timeouts.idle = .zero
        try Self.connected(timeouts) { socket, client throws in
            let end = Self.run(socket) { socket.close(.done, "idle") }
            let expected = WebSocketFrame.close(.done, reason: "idle").bytes
            var (bytes, seen) = ([UInt8](repeating: 0, count: 1000), [UInt8]())
            while seen.count < expected.count, case let count = try client.read(into: &bytes), count > 0 {
                seen += bytes[..<count]
            }
            #expect(seen == expected)
            try client.write(WebSocketReaderTests.frame(0x88, [3, 232]), within: .seconds(600))
            #expect(end.wait { $0 } == .ended)
        }
    }

    @Test("If the client does not read, the connection is closed, and senders stop waiting")
    func slow() throws {
        try Self.connected(Self.patient, piece: .milliseconds(50), longestQueue: 1000) { socket, _ throws in
            let end = Self.run(socket)
            let text = String(repeating: "x", count: 100_000)
            var count = 0
            while socket.send(text) { count += 1 }
            #expect(end.wait { $0 } == .lost)
            // The system buffers only a limited amount.
            #expect(count < 1000)
        }
    }

    @Test("The server closes the connection even if the client does not acknowledge this")
    func closing() throws {
        var timeouts = Self.patient
        timeouts.closing = .milliseconds(20)
        try Self.connected(timeouts) { socket, client throws in
            let end = Self.run(socket)
            #expect(socket.send("first"))
            socket.close(.goingAway, "bye", saying: "last")
            #expect(!socket.send("after"))
            #expect(end.wait { $0 } == .ended)
            var (bytes, seen) = ([UInt8](repeating: 0, count: 1000), [UInt8]())
            let expected =
                WebSocketFrame.text("first").bytes + WebSocketFrame.text("last").bytes
                + WebSocketFrame.close(.goingAway, reason: "bye").bytes
            while seen.count < expected.count, case let count = try client.read(into: &bytes), count > 0 {
                seen += bytes[..<count]
            }
            #expect(seen == expected)
        }
    }

    @Test("Invalid bytes produce the same result for all chunk sizes")
    func rubbish() {
        var random = SeededRandom(7)
        for _ in 0..<2000 {
            var bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            // In most rounds, the bytes resemble a frame.
            bytes[0] = [0x81, 0x82, 0x01, 0x80, 0x88, 0x89, bytes[0]].randomElement(using: &random) ?? 0
            if bytes.count > 1 { bytes[1] = 0x80 | bytes[1] % 8 }
            let ways = [1, 3, 100].map { piece in
                var reader = WebSocketReader(longestMessage: 30)
                var events: [WebSocketReader.Event] = []
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    reader.append(bytes[start..<min(bytes.count, start + piece)])
                    while let event = reader.next() { events.append(event) }
                }
                return events
            }
            #expect(ways[0] == ways[1] && ways[0] == ways[2])
        }
    }
}
