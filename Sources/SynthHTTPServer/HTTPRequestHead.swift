/// The request line and the headers of a request, and what follows from them.
package struct HTTPRequestHead: Equatable, Sendable {
    package enum Version: Sendable {
        case http10
        case http11
    }

    /// What comes after the head.
    package enum Body: Equatable, Sendable {
        /// So many bytes; 0 = there is none.
        case length(Int)
        case chunked
    }

    static let longestMethod = 32

    package let method: String
    package let target: HTTPTarget
    package let version: Version
    package internal(set) var headers = HTTPHeaders()
    package private(set) var body = Body.length(0)
    /// Whether another request may follow in this connection. Not in HTTP/1.0, whatever it asks for: an old proxy may
    /// hand on what it does not know.
    package private(set) var keepsAlive = false
    /// Whether the body is sent only after "100 Continue", or after some seconds.
    package private(set) var expectsContinue = false

    /// A head without headers.
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

    /// After the last header: checks the headers that say how the message is to be read.
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
        // More digits than an integer has are a length, too.
        guard let length = Int(text), length <= longestBody else { throw .bodyTooLong }
        return .length(length)
    }
}
