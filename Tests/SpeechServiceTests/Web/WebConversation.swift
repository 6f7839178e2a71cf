import SynthSystem

/// An HTTP client for tests, to be used on a single thread. It sends arbitrary bytes and parses responses strictly.
final class WebConversation {
    enum Failure: Error, Equatable {
        /// The server closed the connection or was silent for too long before the response was complete.
        case cut
        case malformed(String)
    }

    private enum Framing {
        case none
        case length(Int)
        case chunks
        case untilClose
    }

    let stream: SocketStream
    private var buffer: [UInt8] = []
    private var framing = Framing.none
    private var events: [UInt8] = []

    init(_ address: SocketAddress) throws { stream = try SocketStream(to: address) }

    deinit { stream.stop() }

    // MARK: - Requests

    func send(_ bytes: [UInt8]) throws { try stream.write(bytes, within: .seconds(600)) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends a request with a `Host` that the server accepts, unless the headers contain one.
    func send(
        _ method: String, _ path: String, _ headers: [(name: String, value: String)] = [], body: String? = nil
    ) throws {
        var text = "\(method) \(path) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.name.lowercased() == "host" }) { text += "Host: \(host)\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\nContent-Type: application/json\r\n" }
        try send("\(text)\r\n\(body ?? "")")
        isHead = method == "HEAD"
    }

    /// Sends a request and reads the complete response.
    func ask(
        _ method: String, _ path: String, _ headers: [(name: String, value: String)] = [], body: String? = nil
    ) throws -> WebReply {
        try send(method, path, headers, body: body)
        return try reply()
    }

    /// The value of `Host`: the server's own address.
    var host = "localhost"
    private var isHead = false
    private var skipsInterim = true

    // MARK: - Responses

    /// Returns the next response with its complete body.
    func reply() throws -> WebReply {
        var reply = try head()
        while let piece = try piece() { reply.body += piece }
        return reply
    }

    /// Returns the head of the next response; `piece` returns its body. Interim responses are skipped.
    func head() throws -> WebReply {
        let words = try line().split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Failure.malformed("status line")
        }
        var headers: [(name: String, value: String)] = []
        while true {
            let line = try line()
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: ":") else { throw Failure.malformed(line) }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append((line[..<colon].lowercased(), String(value)))
        }
        if status < 200 { return skipsInterim ? try head() : WebReply(status: status, headers: headers) }
        let reply = WebReply(status: status, headers: headers)
        framing =
            isHead || status == 204 || status == 304
            ? .none : reply.isChunked ? .chunks : reply.length.map { .length($0) } ?? .untilClose
        events = []
        return reply
    }

    /// Returns the status of an interim response.
    func interim() throws -> Int {
        skipsInterim = false
        defer { skipsInterim = true }
        return try head().status
    }

    /// Returns the next part of the body, which is a chunk or the received bytes; nil after the last part.
    func piece() throws -> [UInt8]? {
        switch framing {
        case .none, .length(0): return nil
        case .length(let left):
            if buffer.isEmpty, try !receive() { throw Failure.cut }
            let piece = Array(buffer.prefix(left))
            buffer.removeFirst(piece.count)
            framing = .length(left - piece.count)
            return piece
        case .untilClose:
            if buffer.isEmpty, try !receive() { return nil }
            defer { buffer = [] }
            return buffer
        case .chunks:
            guard let count = Int(try line(), radix: 16) else { throw Failure.malformed("chunk") }
            while buffer.count < count + 2 { guard try receive() else { throw Failure.cut } }
            let piece = Array(buffer.prefix(count))
            guard buffer[count..<count + 2].elementsEqual("\r\n".utf8) else { throw Failure.malformed("chunk's end") }
            buffer.removeFirst(count + 2)
            if count > 0 { return piece }
            framing = .none
            return nil
        }
    }

    /// Returns the next event of a `text/event-stream`, with its data lines joined by LF; nil after the last event. A
    /// comment has the type "" and no data.
    func event() throws -> (type: String, data: String?)? {
        while true {
            if let end = events.indices.dropLast().first(where: { events[$0] == 0x0A && events[$0 + 1] == 0x0A }) {
                let lines = String(decoding: events[..<end], as: UTF8.self).split(separator: "\n")
                events.removeSubrange(...(end + 1))
                let data = lines.filter { $0.hasPrefix("data: ") }.map { $0.dropFirst("data: ".count) }
                let type = lines.first { $0.hasPrefix("event: ") }.map { $0.dropFirst("event: ".count) }
                return (
                    String(type ?? (data.isEmpty ? "" : "message")),
                    data.isEmpty ? nil : data.joined(separator: "\n")
                )
            }
            guard let piece = try piece() else { return nil }
            events += piece
        }
    }

    /// Returns all bytes received until the server closes the connection.
    func rest() -> [UInt8] {
        while (try? receive()) == true {}
        defer { buffer = [] }
        return buffer
    }

    /// The bytes after a response that switched protocols; empty if the server has closed the connection.
    func received() throws -> [UInt8] {
        if buffer.isEmpty, try !receive() { return [] }
        defer { buffer = [] }
        return buffer
    }

    /// Whether the server has closed the connection.
    func isClosed() -> Bool { buffer.isEmpty && ((try? receive()) ?? false) == false }

    private func line() throws -> String {
        while true {
            if let end = buffer.indices.dropLast().first(where: { buffer[$0] == 0x0D && buffer[$0 + 1] == 0x0A }) {
                defer { buffer.removeSubrange(...(end + 1)) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            guard try receive() else { throw Failure.cut }
        }
    }

    /// Returns false if the server has closed the connection. Throws after an abnormal end.
    private func receive() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        do {
            let count = try stream.read(into: &bytes, within: .seconds(600))
            buffer += bytes[..<count]
            return count > 0
        } catch {
            throw Failure.cut
        }
    }
}
