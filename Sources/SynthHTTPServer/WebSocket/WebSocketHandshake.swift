import SynthJSON

/// A request that turns a connection into a WebSocket (RFC 6455, section 4), checked. Who may ask is the caller's to check.
package struct WebSocketHandshake: Equatable, Sendable {
    private let key: String
    /// The subprotocols that the client offers, as it wrote them, in its order.
    package let protocols: [String]

    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    private static let mostProtocols = 16

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
        protocols = Self.protocols(head.headers)
    }

    /// The subprotocols that a request offers; others than tokens, and too many, are left out.
    static func protocols(_ headers: HTTPHeaders) -> [String] {
        let offered = headers.values("sec-websocket-protocol").flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map(HTTPHeaders.trimmed)
        }
        return offered.prefix(mostProtocols).filter(HTTPHeaders.isToken).compactMap { String($0) }
    }

    /// The head of the answer, after which both sides send frames. No extension is agreed on.
    ///
    /// - Parameter known: the subprotocols of the server; the client's first of these is agreed on.
    package func answer(speaking known: [String]) -> [UInt8] {
        var text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        text += "Sec-WebSocket-Accept: \(Base64.text(of: SHA1.digest(Array((key + Self.suffix).utf8))))\r\n"
        if let agreed = protocols.first(where: known.contains) { text += "Sec-WebSocket-Protocol: \(agreed)\r\n" }
        return Array("\(text)\r\n".utf8)
    }
}

/// The digest that the handshake needs (FIPS 180-4). It secures nothing there: it only shows that a server speaks WebSocket.
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
