import SynthSystem

/// The request line and headers of a request, with derived properties.
package struct HTTPRequestHead: Equatable, Sendable {
    /// A supported HTTP version.
    package enum Version: Sendable {
        case http10
        case http11
    }

    /// The framing of the request body.
    package enum Body: Equatable, Sendable {
        /// The number of bytes, or 0 if there is no body.
        case length(Int)
        case chunked
    }

    static let longestMethod = 32

    package let method: String
    package let target: HTTPTarget
    package let version: Version
    package internal(set) var headers = HTTPHeaders()
    package private(set) var body = Body.length(0)
    /// Whether another request may follow on this connection. Always false for HTTP/1.0, because an old proxy may
    /// forward a Connection header without understanding it.
    package private(set) var keepsAlive = false
    /// Whether the client waits for "100 Continue" before it sends the body. (Clients stop waiting after a few seconds.)
    package private(set) var expectsContinue = false

    init(requestLine line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        let parts = line.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty else { throw .requestLine }
        guard HTTPHeaders.isToken(parts[0]), parts[0].count <= Self.longestMethod else { throw .method }
        method = String(decoding: parts[0], as: UTF8.self)
        version = try Self.version(parts[2])
        target = try HTTPTarget(parts[1])
    }

    private static func version(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> Version {
        switch String(decoding: bytes, as: UTF8.self) {
        case "HTTP/1.1": return .http11
        case "HTTP/1.0": return .http10
        case let other:
            let form = Array(other.utf8)
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            guard form.count == 8, form.starts(with: "HTTP/".utf8), digits.contains(form[5]), digits.contains(form[7]),
                form[6] == UInt8(ascii: ".")
            else { throw .requestLine }
            throw .version
        }
    }

    /// Validates the headers that determine the message framing. Call this after the last header.
    mutating func finish(longestBody: Int) throws(HTTPRefusal) {
        try checkHost()
        let connection = headers.list("connection")
        guard connection.allSatisfy({ HTTPHeaders.isToken($0.utf8) }) else { throw .connection }
        keepsAlive = version == .http11 && !connection.contains("close")
        body = try framing(longestBody: longestBody)
        let expectations = headers.values("expect")
        guard version == .http11, !expectations.isEmpty else { return }
        guard expectations.count == 1, HTTPHeaders.lowercased(expectations[0].utf8) == "100-continue" else {
            throw .expectation
        }
        expectsContinue = body != .length(0)
    }

    private func checkHost() throws(HTTPRefusal) {
        let hosts = headers.values("host")
        if hosts.count > 1 { throw .hostRepeated }
        if hosts.isEmpty, version == .http11 { throw .hostMissing }
        if let host = hosts.first, HTTPHosts.Authority(host) == nil { throw .hostMalformed }
    }

    private func framing(longestBody: Int) throws(HTTPRefusal) -> Body {
        let lengths = headers.values("content-length")
        let codings = headers.values("transfer-encoding")
        if !codings.isEmpty {
            if !lengths.isEmpty { throw .lengthAndCoding }
            guard codings.count == 1, HTTPHeaders.lowercased(codings[0].utf8) == "chunked" else { throw .coding }
            if version == .http10 { throw .codingInOldVersion }
            return .chunked
        }
        guard let text = lengths.first else { return .length(0) }
        if lengths.count > 1 { throw .lengthRepeated }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !text.isEmpty, text.utf8.allSatisfy(digits.contains), text.utf8.count <= 20 else {
            throw .lengthMalformed
        }
        // If the number overflows `Int`, the body is too long, but the header is not malformed.
        guard let length = Int(text), length <= longestBody else { throw .bodyTooLong }
        return .length(length)
    }
}

/// A request target: a path and a query (RFC 9112, section 3.2.1). Other forms, which are meant for proxies, are
/// rejected.
package struct HTTPTarget: Equatable, Sendable {
    /// The target as received, in visible ASCII.
    package let text: String
    /// The decoded path, which begins with "/". No segment is "." or "..", and only the last one may be empty. Escaped
    /// separators are rejected, so each "/" is a real separator.
    package let path: String
    package let query: HTTPQuery

    init(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard bytes.first == UInt8(ascii: "/") else { throw .targetForm }
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let query = bytes[path.endIndex...].dropFirst()
        guard path.allSatisfy(Self.isPathByte), query.allSatisfy(Self.isQueryByte) else { throw .targetByte }
        text = String(decoding: bytes, as: UTF8.self)
        self.path = try Self.decodedPath(path)
        guard let fields = HTTPQuery(query) else { throw .query }
        self.query = fields
    }

    private static func decodedPath(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> String {
        guard let decoded = PercentEncoding.decoded(bytes), let path = String(validating: decoded, as: UTF8.self),
            path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\\" })
        else { throw .targetEncoding }
        let slash = UInt8(ascii: "/")
        guard decoded.count(where: { $0 == slash }) == bytes.count(where: { $0 == slash }) else {
            throw .targetEncoding
        }
        let segments = decoded.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        for (number, segment) in segments.enumerated() {
            let isDots = segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
            if isDots || segment.isEmpty && number < segments.count - 1 { throw .targetSegment }
        }
        return path
    }

    /// Whether a byte is allowed in paths (RFC 3986, section 3.3) or is a percent sign.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "!$%&'()*+,-./:;=@_~".utf8.contains(byte)
    }

    /// Whether a byte is allowed in paths, or is one that browsers leave unescaped in queries (URL Standard, "query
    /// percent-encode set").
    private static func isQueryByte(_ byte: UInt8) -> Bool {
        isPathByte(byte) || "?[]^`{|}".utf8.contains(byte)
    }
}

/// The fields of a query string or of an `application/x-www-form-urlencoded` body.
package struct HTTPQuery: Equatable, Sendable {
    /// A decoded field.
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    package static let maximumFields = 64

    package private(set) var fields: [Field] = []

    package init() {}

    /// Returns nil if the bytes contain an incomplete escape, invalid UTF-8, a NUL, a repeated name or more than
    /// ``maximumFields`` fields.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        var names: Set<String> = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[part.endIndex...].dropFirst()
            if part.isEmpty { continue }
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard let field = Self.field(name: name, value: part[name.endIndex...].dropFirst()),
                names.insert(field.name).inserted, names.count <= Self.maximumFields
            else { return nil }
            fields.append(field)
        }
    }

    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    private static func field(name: some Collection<UInt8>, value: some Collection<UInt8>) -> Field? {
        guard let name = text(name), let value = text(value) else { return nil }
        return Field(name: name, value: value)
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        guard let decoded = PercentEncoding.decoded(spaced), !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }
}
