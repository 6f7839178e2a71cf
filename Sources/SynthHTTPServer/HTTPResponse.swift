import Glibc

/// The head of a response. Header values cannot contain line breaks. Framing headers are added by
/// ``begin(_:answering:closing:at:)``.
package struct HTTPResponse: Equatable, Sendable {
    /// The length of the body.
    package enum Length: Equatable, Sendable {
        case bytes(Int)
        /// The length is unknown. The body ends when ``HTTPBodyWriter/end()`` is called.
        case stream
    }

    /// The interim response for a client that waits for permission to send the body (``HTTPRequestHead/expectsContinue``).
    package static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private static let reserved: Set<String> = [
        "connection", "content-length", "date", "keep-alive", "trailer", "transfer-encoding",
    ]

    package let status: HTTPStatus
    package private(set) var headers = HTTPHeaders()

    package init(_ status: HTTPStatus) { self.status = status }

    /// Adds a header. Throws if the name is not a token or is reserved for ``begin(_:answering:closing:at:)``, or if the value contains
    /// control characters.
    package mutating func add(_ name: String, _ value: String) throws(HTTPFailure) {
        guard !Self.reserved.contains(HTTPHeaders.lowercased(name.utf8)) else { throw .headerName(name) }
        try headers.add(name, value)
    }

    /// Creates the head and a writer for the body.
    ///
    /// - Parameters:
    ///   - request: the request, or nil if it was rejected. After a rejected request, the connection is closed.
    ///   - closing: whether to close the connection even if the request keeps it open.
    ///   - time: the Unix time.
    package func begin(_ length: Length, answering request: HTTPRequestHead?, closing: Bool = false, at time: Duration)
        -> HTTPBodyWriter
    {
        let isLast = closing || request?.keepsAlive != true
        var text = "HTTP/1.1 \(status.code) \(status.reason)\r\nDate: \(Self.date(time))\r\n"
        for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
        var framing = HTTPBodyWriter.Framing.none
        if !status.hasNoBody {
            switch length {
            case .bytes(let count):
                text += "Content-Length: \(count)\r\n"
                framing = .length(count)
            case .stream where request?.version == .http11:
                text += "Transfer-Encoding: chunked\r\n"
                framing = .chunks
            case .stream: framing = .untilClose
            }
        }
        if isLast { text += "Connection: close\r\n" }
        if request?.method == "HEAD" { framing = .none }
        return HTTPBodyWriter(head: Array((text + "\r\n").utf8), isLast: isLast, framing: framing)
    }

    /// Returns a complete response. See ``begin(_:answering:closing:at:)``.
    package func bytes(
        body: [UInt8], answering request: HTTPRequestHead?, closing: Bool = false, at time: Duration
    ) -> (bytes: [UInt8], isLast: Bool) {
        let writer = begin(.bytes(body.count), answering: request, closing: closing, at: time)
        return (writer.hasBody ? writer.head + body : writer.head, writer.isLast)
    }

    /// Formats a date as in RFC 9110, section 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT".
    ///
    /// - Parameter time: the Unix time, up to the year 9999.
    static func date(_ time: Duration) -> String {
        var seconds = time_t(min(max(time.components.seconds, 0), 253_402_300_799))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
        let day = "\(padded(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
        return "\(weekdays[Int(parts.tm_wday)]), \(day) \(clock) GMT"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Encodes a response body. Created by ``HTTPResponse/begin(_:answering:closing:at:)``. Send the returned bytes in order.
package struct HTTPBodyWriter: Sendable {
    enum Framing: Equatable, Sendable {
        /// The body is dropped, because the request is HEAD or the status allows no body.
        case none
        /// The number of remaining bytes.
        case length(Int)
        case chunks
        /// The body ends with the connection (HTTP/1.0).
        case untilClose
    }

    /// The status line and headers, to be sent first.
    package let head: [UInt8]
    /// Whether the head declares that the connection closes after the body.
    package let isLast: Bool
    private var framing: Framing

    init(head: [UInt8], isLast: Bool, framing: Framing) {
        self.head = head
        self.isLast = isLast
        self.framing = framing
    }

    /// Whether a body is sent. If not, the body need not be created.
    package var hasBody: Bool { framing != .none }

    /// Whether the client can detect a truncated body.
    package var showsItsEnd: Bool { framing != .untilClose }

    /// Returns the bytes to send for a chunk of the body.
    package mutating func bytes(of part: [UInt8]) throws(HTTPFailure) -> [UInt8] {
        switch framing {
        case .none: return []
        case .untilClose: return part
        case .length(let left):
            guard part.count <= left else { throw .bodyTooLong }
            framing = .length(left - part.count)
            return part
        case .chunks:
            // An empty chunk would mark the end.
            if part.isEmpty { return [] }
            return Array("\(String(part.count, radix: 16))\r\n".utf8) + part + [0x0D, 0x0A]
        }
    }

    /// Returns the bytes to send after the last chunk. Throws if the body is incomplete; close the connection in that case.
    package mutating func end() throws(HTTPFailure) -> [UInt8] {
        switch framing {
        case .length(let left) where left > 0: throw .bodyTooShort(by: left)
        case .chunks:
            framing = .none
            return Array("0\r\n\r\n".utf8)
        default: return []
        }
    }
}

/// Encodes `text/event-stream` events (HTML Standard, "Server-sent events").
package enum ServerSentEvent {
    /// A comment that keeps an idle connection open. The page does not receive it as an event.
    package static let comment = Array(":\n\n".utf8)

    /// - Parameter data: the payload. The page receives each CR, LF or CRLF as LF.
    package static func bytes(type: StaticString? = nil, data: String) -> [UInt8] {
        var text = Array("\(type.map { "event: \($0)\n" } ?? "")data: ".utf8)
        var isAfterReturn = false
        for byte in data.utf8 {
            switch byte {
            case 0x0A where isAfterReturn: break
            case 0x0A, 0x0D: text += Array("\ndata: ".utf8)
            default: text.append(byte)
            }
            isAfterReturn = byte == 0x0D
        }
        return text + Array("\n\n".utf8)
    }
}
