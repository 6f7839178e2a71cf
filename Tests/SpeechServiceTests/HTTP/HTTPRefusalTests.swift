import Testing

@testable import SynthHTTPServer

/// Requests that are rejected. `⏎` represents CRLF.
@Suite("Rejected HTTP requests")
struct HTTPRefusalTests {
    private static let lines: [(String, HTTPRefusal)] = [
        ("⏎", .method), ("\u{16}\u{3}\u{1}", .method), (" GET / HTTP/1.1⏎", .method), ("G(T / HTTP/1.1⏎", .method),
        (String(repeating: "G", count: 33) + " / HTTP/1.1⏎", .method), ("GET\t/ HTTP/1.1⏎", .requestLine),
        ("GET /⏎", .requestLine), ("GET⏎", .requestLine), ("GET  / HTTP/1.1⏎", .requestLine),
        ("GET / HTTP/1.1 ⏎", .requestLine), ("GET / x HTTP/1.1⏎", .requestLine), ("GET / HTTP/11⏎", .requestLine),
        ("GET / http/1.1⏎", .requestLine), ("GET / HTTP/1.2⏎", .version),
        ("GET / HTTP/2.0⏎", .version), ("GET / HTTP/0.9⏎", .version), ("PRI * HTTP/2.0⏎⏎SM⏎⏎", .version),
        ("GET / HTTP/1.1\n", .bareLineFeed), ("GET / HTTP/1.1\rX", .bareCarriageReturn),
        ("GET /\0 HTTP/1.1⏎", .controlByte),
        ("GET /\u{7F} HTTP/1.1⏎", .controlByte), ("GET * HTTP/1.1⏎", .targetForm),
        ("GET http://a/ HTTP/1.1⏎", .targetForm),
        ("CONNECT a:80 HTTP/1.1⏎", .targetForm), ("GET ?x HTTP/1.1⏎", .targetForm), ("GET /ä HTTP/1.1⏎", .targetByte),
        ("GET /#x HTTP/1.1⏎", .targetByte), ("GET /a\\b HTTP/1.1⏎", .targetByte), ("GET /a?b#c HTTP/1.1⏎", .targetByte),
        ("GET /<a> HTTP/1.1⏎", .targetByte), ("GET /a?\"b HTTP/1.1⏎", .targetByte),
        ("GET /%00 HTTP/1.1⏎", .targetEncoding),
        ("GET /%0A HTTP/1.1⏎", .targetEncoding), ("GET /%C2%85 HTTP/1.1⏎", .targetEncoding),
        ("GET /% HTTP/1.1⏎", .targetEncoding), ("GET /%4 HTTP/1.1⏎", .targetEncoding),
        ("GET /%g0 HTTP/1.1⏎", .targetEncoding),
        ("GET /%+4 HTTP/1.1⏎", .targetEncoding), ("GET /%ff HTTP/1.1⏎", .targetEncoding),
        ("GET /%c0%af HTTP/1.1⏎", .targetEncoding), ("GET /a%2Fb HTTP/1.1⏎", .targetEncoding),
        ("GET /a%5Cb HTTP/1.1⏎", .targetEncoding), ("GET /.. HTTP/1.1⏎", .targetSegment),
        ("GET /a/../b HTTP/1.1⏎", .targetSegment),
        ("GET /%2e%2E/b HTTP/1.1⏎", .targetSegment), ("GET /./b HTTP/1.1⏎", .targetSegment),
        ("GET //a HTTP/1.1⏎", .targetSegment),
        ("GET /a//b HTTP/1.1⏎", .targetSegment), ("GET /a// HTTP/1.1⏎", .targetSegment),
        ("GET /?a=%00 HTTP/1.1⏎", .query),
        ("GET /?a=% HTTP/1.1⏎", .query), ("GET /?%ff=1 HTTP/1.1⏎", .query), ("GET /?a=1&a=2 HTTP/1.1⏎", .query),
        ("GET /?a&%61 HTTP/1.1⏎", .query),
    ]

    private static let headers: [(String, HTTPRefusal)] = [
        ("X : 1⏎", .headerName), ("X\t: 1⏎", .headerName), ("X⏎", .headerName), (": 1⏎", .headerName),
        ("X y: 1⏎", .headerName),
        ("Xä: 1⏎", .headerName), ("X/: 1⏎", .headerName), (" X: 1⏎", .foldedHeader), ("\tX: 1⏎", .foldedHeader),
        ("X: 1⏎ 2⏎", .foldedHeader), ("X: 1\n", .bareLineFeed), ("X: 1\ry", .bareCarriageReturn),
        ("X: 1\r\ry", .bareCarriageReturn),
        ("X: \0⏎", .controlByte), ("X: \u{1B}[m⏎", .controlByte), ("X: a\u{B}⏎", .controlByte),
        ("X\0: 1⏎", .controlByte),
        ("Host: b⏎⏎", .hostRepeated), ("Host: a⏎⏎", .hostRepeated), ("Connection: a b⏎⏎", .connection),
        ("Connection: \"close\"⏎⏎", .connection),
        ("Expect: 200-maybe⏎⏎", .expectation), ("Expect: 100-continue⏎Expect: 100-continue⏎⏎", .expectation),
        ("Content-Length: 1⏎Content-Length: 2⏎⏎", .lengthRepeated),
        ("Content-Length: 1⏎Content-Length: 1⏎⏎", .lengthRepeated),
        ("Content-Length: 1, 1⏎⏎", .lengthMalformed), ("Content-Length: +1⏎⏎", .lengthMalformed),
        ("Content-Length: -1⏎⏎", .lengthMalformed), ("Content-Length:⏎⏎", .lengthMalformed),
        ("Content-Length: 0x1⏎⏎", .lengthMalformed),
        ("Content-Length: 1 1⏎⏎", .lengthMalformed), ("Content-Length: ٣⏎⏎", .lengthMalformed),
        ("Content-Length: 000000000000000000001⏎⏎", .lengthMalformed),
        ("Content-Length: 18446744073709551617⏎⏎", .bodyTooLong),
        ("Content-Length: 9223372036854775808⏎⏎", .bodyTooLong),
        ("Content-Length: 1⏎Transfer-Encoding: chunked⏎⏎", .lengthAndCoding),
        ("Transfer-Encoding: chunked⏎Content-Length: x⏎⏎", .lengthAndCoding),
        ("Transfer-Encoding: gzip, chunked⏎⏎", .coding),
        ("Transfer-Encoding: chunked⏎Transfer-Encoding: chunked⏎⏎", .coding),
        ("Transfer-Encoding: identity⏎⏎", .coding), ("Transfer-Encoding: chun\u{212A}ed⏎⏎", .coding),
        ("Connection: \u{212A}⏎⏎", .connection),
        ("Transfer-Encoding:⏎⏎", .coding), ("Transfer-Encoding: \"chunked\"⏎⏎", .coding),
        ("Transfer-Encoding: chunked;q=1⏎⏎", .coding),
    ]

    private static let chunks: [(String, HTTPRefusal)] = [
        ("⏎", .chunkSize), ("x⏎", .chunkSize), ("-1⏎", .chunkSize), ("0x1⏎", .chunkSize), (" 1⏎", .chunkSize),
        ("1 ⏎", .chunkSize),
        ("1 ;a⏎", .chunkSize), ("1,a⏎", .chunkSize), ("1;ä⏎", .chunkSize), ("1;\u{1}⏎", .controlByte),
        ("1\n", .bareLineFeed), ("1;a\n", .bareLineFeed),
        ("1\rx", .bareCarriageReturn), ("0000000000000001⏎", .chunkTooLong), ("ffffffffffffffff⏎", .chunkTooLong),
        ("fffffffffffffff⏎", .bodyTooLong), ("100001⏎", .bodyTooLong),
        ("1;" + String(repeating: "e", count: 4096) + "⏎", .chunkTooLong),
        (String(repeating: "1;" + String(repeating: "e", count: 99) + "⏎x⏎", count: 41), .chunkTooLong),
        ("1⏎xy", .chunkEnd), ("1⏎x\n", .chunkEnd), ("1⏎x\ry", .chunkEnd), ("0⏎Content-Length: 1⏎", .trailer),
        ("0⏎Host: a⏎", .trailer),
        ("0⏎X : 1⏎", .headerName), ("0⏎ x⏎", .foldedHeader), ("0⏎\n", .bareLineFeed),
        ("0⏎X: " + String(repeating: "y", count: 4096), .trailersTooLong),
        ("0⏎" + String(repeating: "X: y⏎", count: 17), .trailersTooLong),
    ]

    private func refusal(_ text: String) -> HTTPRefusal? {
        let bytes = Array(text.replacing("⏎", with: "\r\n").utf8)
        let whole = HTTPReading(bytes)
        for piece in [1, 3, 50] { #expect(HTTPReading(bytes, piece: piece) == whole) }
        return whole.refusal
    }

    @Test("An invalid request line is rejected", arguments: lines)
    func requestLine(text: String, expected: HTTPRefusal) {
        #expect(refusal(text) == expected)
    }

    @Test("An invalid header is rejected", arguments: headers)
    func headerLine(text: String, expected: HTTPRefusal) {
        #expect(refusal("POST / HTTP/1.1⏎Host: a⏎\(text)") == expected)
    }

    @Test("An invalid chunk is rejected", arguments: chunks)
    func chunkLine(text: String, expected: HTTPRefusal) {
        #expect(refusal("POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎\(text)") == expected)
    }

    @Test("A missing or invalid host or any other violation is rejected")
    func others() {
        #expect(refusal("GET / HTTP/1.1⏎⏎") == .hostMissing)
        #expect(refusal("GET / HTTP/1.0⏎Host: a⏎Host: a⏎⏎") == .hostRepeated)
        for host in [
            "", "a b", "a@b", "a/b", "a:", "a:0", "a:65536", "[::1", "127.1", "a..b", "a.", "ä", "a:b:c", "\u{212A}",
        ] {
            #expect(refusal("GET / HTTP/1.0⏎Host: \(host)⏎⏎") == .hostMalformed, "\(host)")
        }
        #expect(refusal("POST / HTTP/1.0⏎Transfer-Encoding: chunked⏎⏎") == .codingInOldVersion)
        let latin = Array("GET / HTTP/1.1\r\nX: ".utf8) + [0xE4, 0x0D, 0x0A]
        #expect(HTTPReading(latin).refusal == .headerValue)
        let names = (0...HTTPQuery.maximumFields).map { "n\($0)" }.joined(separator: "&")
        #expect(refusal("GET /?\(names) HTTP/1.1⏎") == .query)
    }

    @Test("A rejection is permanent, and the reason for it determines the status")
    func good() {
        var reader = HTTPRequestReader(longestBody: 10)
        reader.append("GET / HTTP/3.0\r\n".utf8)
        #expect(throws: HTTPRefusal.version) { try reader.next() }
        reader.append("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(throws: HTTPRefusal.version) { try reader.next() }
        #expect(HTTPRefusal.allCases.allSatisfy { (400..<600).contains($0.status.code) })
        let codes: [(HTTPRefusal, Int)] = [
            (.requestLine, 400), (.lengthAndCoding, 400), (.bodyTooLong, 413), (.requestLineTooLong, 414),
            (.expectation, 417),
            (.headTooLong, 431), (.tooManyHeaders, 431), (.coding, 501), (.version, 505),
        ]
        for (refusal, code) in codes { #expect(refusal.status.code == code, "\(refusal)") }
    }
}
