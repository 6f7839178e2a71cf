/// A push parser for a client's WebSocket frames (RFC 6455, section 5). Accepts input in chunks of any size, performs no I/O, runs in
/// linear time, and buffers at most one message and a frame head.
///
/// No extensions are negotiated, so a set extension bit is an error.
package struct WebSocketReader: Sendable {
    /// A parser event.
    package enum Event: Equatable, Sendable {
        case text(String)
        case binary([UInt8])
        /// The server must respond with a pong that contains the same bytes.
        case ping([UInt8])
        case pong([UInt8])
        /// The client sent a Close frame.
        ///
        /// - Parameter code: the close code, or nil if there is none.
        case close(code: WebSocketCloseCode?, reason: String)
        /// The client violated the protocol or exceeded a limit. Parsing ends.
        case violation(WebSocketCloseCode)
    }

    private struct Frame {
        let kind: UInt8
        let isLast: Bool
        let mask: [UInt8]
        /// The number of payload bytes that have not arrived yet.
        var left: Int
        /// The partial payload of a control frame. Payloads of other frames are appended to the message.
        var payload: [UInt8] = []
        var taken = 0

        var isControl: Bool { kind >= 8 }
    }

    /// The maximum payload size of a control frame, in bytes.
    static let longestControl = 125

    private let longestMessage: Int
    private var buffer = HTTPBuffer()
    private var frame: Frame?
    /// The partially received message.
    private var message: (isText: Bool, bytes: [UInt8])?
    private var isOver = false

    /// - Parameter longestMessage: the maximum message size in bytes, across all of its frames.
    package init(longestMessage: Int) { self.longestMessage = longestMessage }

    /// Appends received bytes. Call this when ``next()`` has returned nil.
    package mutating func append(_ bytes: some Sequence<UInt8>) { if !isOver { buffer.append(bytes) } }

    /// Returns the next event, or nil if more bytes are needed or parsing has ended.
    package mutating func next() -> Event? {
        while !isOver {
            guard var frame else {
                guard let bytes = buffer.peek(2) else { return nil }
                let length = Int(bytes[1] & 0x7F)
                let sizes = length == 126 ? 2 : length == 127 ? 8 : 0
                // Reject an invalid head as early as possible.
                if let code = flaw(in: bytes[0], bytes[1]) { return end(.violation(code)) }
                guard let head = buffer.peek(2 + sizes + 4) else { return nil }
                _ = buffer.take(atMost: head.count)
                let number = sizes == 0 ? UInt64(length) : head[2..<2 + sizes].reduce(0) { $0 << 8 | UInt64($1) }
                if let code = flaw(ofLength: number, sizes, bytes[0]) { return end(.violation(code)) }
                self.frame = Frame(
                    kind: bytes[0] & 0x0F, isLast: bytes[0] & 0x80 != 0, mask: Array(head.suffix(4)), left: Int(number))
                if bytes[0] & 0x0F == 1 || bytes[0] & 0x0F == 2 { message = (bytes[0] & 0x0F == 1, []) }
                continue
            }
            if frame.left > 0 {
                var bytes = buffer.take(atMost: frame.left)
                if bytes.isEmpty { return nil }
                for index in bytes.indices { bytes[index] ^= frame.mask[(frame.taken + index) & 3] }
                frame.taken += bytes.count
                frame.left -= bytes.count
                if frame.isControl { frame.payload += bytes } else { message?.bytes += bytes }
                self.frame = frame
                if frame.left > 0 { return nil }
            }
            self.frame = nil
            if let event = event(of: frame) { return event }
        }
        return nil
    }

    /// Returns the close code for an invalid frame head, or nil if its first two bytes are valid.
    private func flaw(in first: UInt8, _ second: UInt8) -> WebSocketCloseCode? {
        let (kind, isLast) = (first & 0x0F, first & 0x80 != 0)
        // A reserved bit is set, or the frame is not masked.
        guard first & 0x70 == 0, second & 0x80 != 0 else { return .protocolError }
        switch kind {
        case 0: return message == nil ? .protocolError : nil
        case 1, 2: return message == nil ? nil : .protocolError
        case 8...10: return isLast && second & 0x7F <= Self.longestControl ? nil : .protocolError
        default: return .protocolError
        }
    }

    /// - Parameter sizes: the size of the extended length field in bytes.
    private func flaw(ofLength length: UInt64, _ sizes: Int, _ first: UInt8) -> WebSocketCloseCode? {
        // The length must use the shortest possible encoding, and its highest bit must be 0.
        guard length < 1 << 63, sizes != 2 || length > 125, sizes != 8 || length > 0xFFFF else { return .protocolError }
        if first & 0x0F >= 8 { return nil }
        let before = first & 0x0F == 0 ? message?.bytes.count ?? 0 : 0
        return length <= UInt64(longestMessage - before) ? nil : .tooLong
    }

    private mutating func event(of frame: Frame) -> Event? {
        switch frame.kind {
        case 8: return end(Self.close(frame.payload))
        case 9: return .ping(frame.payload)
        case 10: return .pong(frame.payload)
        default:
            guard frame.isLast, let whole = message else { return nil }
            message = nil
            if !whole.isText { return .binary(whole.bytes) }
            return String(validating: whole.bytes, as: UTF8.self).map { .text($0) } ?? end(.violation(.notText))
        }
    }

    private static func close(_ payload: [UInt8]) -> Event {
        if payload.isEmpty { return .close(code: nil, reason: "") }
        guard payload.count > 1, let code = WebSocketCloseCode(UInt16(payload[0]) << 8 | UInt16(payload[1])) else {
            return .violation(.protocolError)
        }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { return .violation(.notText) }
        return .close(code: code, reason: reason)
    }

    private mutating func end(_ event: Event) -> Event {
        isOver = true
        buffer.clear()
        (frame, message) = (nil, nil)
        return event
    }
}

/// The reason for closing a WebSocket (RFC 6455, section 7.4).
package struct WebSocketCloseCode: Equatable, Sendable {
    package let number: UInt16

    private init(known number: UInt16) { self.number = number }

    /// Returns nil for a code that must not be sent.
    init?(_ number: UInt16) {
        switch number {
        case 1000...1003, 1007...1014, 3000...4999: self.number = number
        default: return nil
        }
    }

    package static let done = WebSocketCloseCode(known: 1000)
    package static let goingAway = WebSocketCloseCode(known: 1001)
    package static let protocolError = WebSocketCloseCode(known: 1002)
    package static let unsupported = WebSocketCloseCode(known: 1003)
    package static let notText = WebSocketCloseCode(known: 1007)
    package static let tooLong = WebSocketCloseCode(known: 1009)
    package static let failed = WebSocketCloseCode(known: 1011)
    package static let tryLater = WebSocketCloseCode(known: 1013)
}

/// A message from the server, as a single unmasked WebSocket frame.
package enum WebSocketFrame: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The reason is truncated if it does not fit in the frame.
    case close(WebSocketCloseCode, reason: String)

    package var bytes: [UInt8] {
        switch self {
        case .text(let text): Self.frame(1, Array(text.utf8))
        case .binary(let bytes): Self.frame(2, bytes)
        case .ping(let bytes): Self.frame(9, Array(bytes.prefix(WebSocketReader.longestControl)))
        case .pong(let bytes): Self.frame(10, Array(bytes.prefix(WebSocketReader.longestControl)))
        case .close(let code, let reason):
            Self.frame(8, [UInt8(code.number >> 8), UInt8(code.number & 0xFF)] + Self.cut(reason))
        }
    }

    private static func cut(_ reason: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in reason.unicodeScalars {
            let more = Array(String(scalar).utf8)
            if bytes.count + more.count > WebSocketReader.longestControl - 2 { break }
            bytes += more
        }
        return bytes
    }

    private static func frame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
        func bytes(of number: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let length: [UInt8] =
            payload.count < 126
            ? [UInt8(payload.count)]
            : payload.count <= 0xFFFF ? [126] + bytes(of: payload.count, 2) : [127] + bytes(of: payload.count, 8)
        return [0x80 | kind] + length + payload
    }
}
