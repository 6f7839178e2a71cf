import SynthJSON
import Testing

@testable import SynthHTTPServer

@Suite("WebSocket frames")
struct WebSocketReaderTests {
    /// Returns a frame as sent by a client.
    ///
    /// - Parameters:
    ///   - first: The first byte, with the flags and the opcode.
    ///   - stated: The bytes of the stated length; nil for the correct length.
    static func frame(
        _ first: UInt8, _ payload: [UInt8], mask: [UInt8] = [1, 2, 3, 4], stated: [UInt8]? = nil, isMasked: Bool = true
    ) -> [UInt8] {
        let count = payload.count
        let length: [UInt8] =
            stated
            ?? (count < 126
                ? [UInt8(count)]
                : count <= 0xFFFF
                    ? [126, UInt8(count >> 8), UInt8(count & 0xFF)]
                    : [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) })
        let head = [first, length[0] | (isMasked ? 0x80 : 0)] + length.dropFirst()
        guard isMasked else { return head + payload }
        return head + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

    /// The events for bytes that arrive in chunks.
    private static func events(_ bytes: [UInt8], piece: Int = .max, longest: Int = 1 << 17) -> [WebSocketReader.Event] {
        var reader = WebSocketReader(longestMessage: longest)
        var events: [WebSocketReader.Event] = []
        for start in stride(from: 0, to: bytes.count, by: min(piece, max(1, bytes.count))) {
            reader.append(bytes[start..<min(bytes.count, start + min(piece, bytes.count))])
            while let event = reader.next() { events.append(event) }
        }
        return events
    }

    private static let long = [UInt8](repeating: 7, count: 70_000)

    private static let right: [([UInt8], [WebSocketReader.Event])] = [
        (text("Grüße"), [.text("Grüße")]), (text(""), [.text("")]),
        (frame(0x82, [0, 255, 3]), [.binary([0, 255, 3])]),
        (frame(0x82, Array(long.prefix(300))), [.binary(Array(long.prefix(300)))]),
        (frame(0x82, long), [.binary(long)]),
        (frame(0x82, [9], mask: [0, 0, 0, 0]), [.binary([9])]),
        // A character whose bytes are in two frames, with control frames in between.
        (
            frame(0x01, [0x41, 0xC3]) + frame(0x89, [5]) + frame(0x00, []) + frame(0x8A, []) + frame(0x80, [0xA4]),
            [.ping([5]), .pong([]), .text("Aä")]
        ),
        (frame(0x88, []), [.close(code: nil, reason: "")]),
        (frame(0x88, [3, 232, 0x62]) + text("late"), [.close(code: .done, reason: "b")]),
        (frame(0x88, [15, 160]), [.close(code: WebSocketCloseCode(4000), reason: "")]),
        (frame(0x89, Array(long.prefix(125))), [.ping(Array(long.prefix(125)))]),
    ]

    @Test("Frames may arrive in chunks of any size", arguments: right.indices)
    func frames(_ number: Int) {
        let (bytes, events) = Self.right[number]
        for piece in [1, 2, 3, 7, 4096, .max] where bytes.count < 1000 || piece > 100 {
            #expect(Self.events(bytes, piece: piece) == events)
        }
        // A partial frame yields no event.
        for end in 0..<min(bytes.count, 200) where end < bytes.count {
            #expect(Self.events(Array(bytes.prefix(end))).count <= events.count)
        }
    }

    private static let wrong: [(String, [UInt8], WebSocketCloseCode)] = [
        ("not masked", frame(0x81, [65], isMasked: false), .protocolError),
        ("reserved bit 1", frame(0xC1, [65]), .protocolError), ("reserved bit 2", frame(0xA1, [65]), .protocolError),
        ("reserved bit 3", frame(0x91, [65]), .protocolError), ("an unknown opcode", frame(0x83, [65]), .protocolError),
        ("an unknown control opcode", frame(0x8B, []), .protocolError),
        ("a fragmented ping", frame(0x09, [1]), .protocolError),
        ("a long ping", frame(0x89, Array(long.prefix(126))), .protocolError),
        ("a long close", frame(0x88, [3, 232] + Array(long.prefix(130))), .protocolError),
        ("a continuation without a message", frame(0x80, [65]), .protocolError),
        ("a message inside another message", frame(0x01, [65]) + frame(0x81, [66]), .protocolError),
        ("a two-byte length that fits in one byte", frame(0x82, [1], stated: [126, 0, 1]), .protocolError),
        (
            "an eight-byte length that fits in two bytes", frame(0x82, [1], stated: [127, 0, 0, 0, 0, 0, 0, 1, 0]),
            .protocolError
        ),
        ("a negative length", frame(0x82, [], stated: [127, 128, 0, 0, 0, 0, 0, 0, 0]), .protocolError),
        ("a huge length", frame(0x82, [], stated: [127, 127, 255, 255, 255, 255, 255, 255, 255]), .tooLong),
        ("a length above the limit", frame(0x82, [], stated: [127, 0, 0, 0, 0, 0, 2, 0, 1]), .tooLong),
        ("fragments above the limit", frame(0x02, long) + frame(0x00, long), .tooLong),
        ("bad UTF-8", frame(0x81, [0xC3, 0x28]), .notText), ("half a character", frame(0x81, [0xE2, 0x82]), .notText),
        ("a surrogate", frame(0x81, [0xED, 0xA0, 0x80]), .notText),
        ("a one-byte close payload", frame(0x88, [3]), .protocolError),
        ("the reserved close code 1005", frame(0x88, [3, 237]), .protocolError),
        ("the reserved close code 1006", frame(0x88, [3, 238]), .protocolError),
        ("the close code 999", frame(0x88, [3, 231]), .protocolError),
        ("the close code 5000", frame(0x88, [19, 136]), .protocolError),
        ("a close whose reason is not UTF-8", frame(0x88, [3, 232, 0xFF]), .notText),
    ]

    @Test(
        "A frame that violates a rule closes the connection with a specific code, and later frames are ignored",
        arguments: wrong.indices)
    func violations(_ number: Int) {
        let (name, bytes, code) = Self.wrong[number]
        for piece in [1, 5, .max] where bytes.count < 1000 || piece > 5 {
            let events = Self.events(bytes + Self.text("later"), piece: piece)
            #expect(events.last == .violation(code), "\(name): \(events.count)")
            #expect(!events.contains(.text("later")))
        }
    }

    @Test("Frames are written with the shortest encoding, and text is split between characters")
    func writing() {
        #expect(WebSocketFrame.text("Hi").bytes == [0x81, 2, 0x48, 0x69])
        #expect(WebSocketFrame.binary([UInt8](repeating: 0, count: 126)).bytes.prefix(4) == [0x82, 126, 0, 126])
        let long = WebSocketFrame.binary([UInt8](repeating: 0, count: 70_000)).bytes
        #expect(long.prefix(10) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70])
        let close = WebSocketFrame.close(.tooLong, reason: String(repeating: "ä", count: 100)).bytes
        #expect(close.prefix(4) == [0x88, 124, 3, 0xF1] && close.count == 126)
        #expect(WebSocketFrame.ping([1]).bytes == [0x89, 1, 1] && WebSocketFrame.pong([]).bytes == [0x8A, 0])
    }

    @Test("A handshake precedes the frames, and its response proves that the request was read")
    func handshake() throws {
        func head(_ lines: String...) throws -> HTTPRequestHead {
            let text = (["GET /s HTTP/1.1", "Host: a"] + lines).map { "\($0)\r\n" }.joined() + "\r\n"
            return try #require(HTTPReading(Array(text.utf8)).heads.first)
        }
        // The example from RFC 6455.
        let usual = [
            "Connection: keep-alive, Upgrade", "Upgrade: WebSocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: chat, realtime",
        ]
        let handshake = try WebSocketHandshake(head(usual[0], usual[1], usual[2], usual[3], usual[4]))
        #expect(handshake.protocols == ["chat", "realtime"])
        let answer = String(decoding: handshake.answer(speaking: ["realtime"]), as: UTF8.self)
        #expect(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(answer.contains("Sec-WebSocket-Protocol: realtime\r\n") && answer.hasSuffix("\r\n\r\n"))
        #expect(!String(decoding: handshake.answer(speaking: []), as: UTF8.self).contains("Protocol:"))
        let wrong: [(Int, String, HTTPRefusal)] = [
            (0, "Connection: keep-alive", .socketUpgrade), (1, "Upgrade: h2c", .socketUpgrade),
            (2, "Sec-WebSocket-Version: 8", .socketVersion), (2, "X: 1", .socketVersion),
            (3, "Sec-WebSocket-Key: short", .socketKey), (3, "X: 1", .socketKey),
            (3, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j", .socketKey), (4, "Content-Length: 1", .socketUpgrade),
        ]
        for (place, line, refusal) in wrong {
            var lines = usual
            lines[place] = line
            let head = try head(lines[0], lines[1], lines[2], lines[3], lines[4])
            #expect(throws: refusal, "\(line)") { try WebSocketHandshake(head) }
        }
    }

    @Test("The handshake digest is SHA-1")
    func digest() {
        func hexadecimal(_ text: String) -> String {
            SHA1.digest(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        #expect(hexadecimal("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hexadecimal("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
        let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(hexadecimal(two) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(hexadecimal(String(repeating: "a", count: 64)) == "0098ba824b5c16427bd7a1122a5a442a25ec644d")
    }
}
