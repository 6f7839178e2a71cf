import Testing
import TestNumbers

@testable import SynthHTTPServer

@Suite("Reading HTTP requests")
struct HTTPRequestReaderTests {
    /// The requests on a connection, and their bodies.
    private static let streams: [(text: String, bodies: [String])] = [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", [""]),
        ("GET /a?b=c HTTP/1.0\r\n\r\n", [""]),
        ("POST /x HTTP/1.1\r\nhost: [::1]:8880\r\nContent-Length: 5\r\n\r\nhe\r\no", ["he\r\no"]),
        (
            "POST /x HTTP/1.1\r\nHost:a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3\r\nabc\r\n0A;x=\"y;z\"\r\n0123456789\r\n000\r\nX-Sum: 1\r\n\r\n", ["abc0123456789"]
        ),
        (
            "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nabHEAD /2 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "PUT /3 HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\n\0\r\n0\r\n\r\n"
                + "GET /4 HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\nGET /5", ["ab", "", "\0", ""]
        ),
    ]

    @Test("The result does not depend on how the bytes of requests are split", arguments: streams)
    func cuts(text: String, bodies: [String]) {
        let bytes = Array(text.utf8)
        let whole = HTTPReading(bytes)
        #expect(whole.refusal == nil && whole.bodies == bodies)
        for size in [1, 2, 3, 7, 64] { #expect(HTTPReading(bytes, piece: size) == whole, "\(size)") }
        for cut in 0...bytes.count { #expect(HTTPReading(bytes, cuts: [cut]) == whole, "\(cut)") }
        // A request without its last bytes is not reported as complete.
        for count in 0..<bytes.count {
            let part = HTTPReading(Array(bytes[..<count]))
            #expect(part.refusal == nil && bodies.starts(with: part.bodies), "\(count)")
        }
    }

    @Test("A request has a method, a target, a version and headers")
    func head() throws {
        let text =
            "POST /v1/%C3%A4?x=1+2&y HTTP/1.1\r\nHOST: \t localhost:8880 \t\r\nX-A:\r\nx-a: b  c\t\r\nX-Ü-no: 1\r\n\r\n"
        #expect(HTTPReading(Array(text.utf8)).refusal == .headerName)
        let right = text.replacing("X-Ü-no", with: "X-Yes").replacing(": 1", with: ": Grüße")
        let head = try #require(HTTPReading(Array(right.utf8)).heads.first)
        #expect(head.method == "POST" && head.version == .http11 && head.keepsAlive && head.body == .length(0))
        #expect(head.target.text == "/v1/%C3%A4?x=1+2&y" && head.target.path == "/v1/ä")
        #expect(head.target.query["x"] == "1 2" && head.target.query["y"] == "" && head.target.query["z"] == nil)
        #expect(head.headers["host"] == "localhost:8880" && head.headers["x-yes"] == "Grüße")
        #expect(head.headers.values("x-a") == ["", "b  c"] && head.headers["x-a"] == nil)
    }

    @Test(
        "Each request determines whether the connection stays open",
        arguments: [
            ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: keep-alive\r\n", true),
            ("HTTP/1.1", "Connection: close\r\n", false), ("HTTP/1.1", "Connection: , x,CLOSE\r\n", false),
            ("HTTP/1.1", "Connection: x\r\nConnection: close\r\n", false), ("HTTP/1.0", "", false),
            ("HTTP/1.0", "Connection: keep-alive\r\n", false),
        ])
    func connection(version: String, header: String, stays: Bool) {
        let one = "GET / \(version)\r\nHost: a\r\n\(header)\r\n"
        let reading = HTTPReading(Array((one + one).utf8))
        #expect(reading.refusal == nil && reading.isClosed == !stays)
        #expect(reading.heads.map(\.keepsAlive) == (stays ? [true, true] : [false]))
    }

    @Test(
        "A request may demand an interim response before its body",
        arguments: [
            ("1.1", "100-Continue", "Content-Length: 3", true),
            ("1.1", "100-continue", "Transfer-Encoding: chunked", true),
            ("1.1", "100-continue", "Content-Length: 0", false), ("1.0", "100-continue", "Content-Length: 3", false),
            ("1.0", "wonders", "Content-Length: 3", false),
        ])
    func expectation(version: String, expect: String, body: String, waits: Bool) throws {
        let text = "POST / HTTP/\(version)\r\nHost: a\r\nExpect: \(expect)\r\n\(body)\r\n\r\n"
        #expect(try #require(HTTPReading(Array(text.utf8)).heads.first).expectsContinue == waits)
    }

    @Test("The reader reports whether it is in the middle of a request")
    func middle() throws {
        var reader = HTTPRequestReader(longestBody: 10)
        #expect(!reader.isInRequest)
        reader.append("GET / HTTP/1.1\r\nHo".utf8)
        #expect(try reader.next() == nil && reader.isInRequest)
        reader.append("st: a\r\nContent-Length: 1\r\n\r\n".utf8)
        guard case .head? = try reader.next() else { throw HTTPRefusal.requestLine }
        #expect(try reader.next() == nil && reader.isInRequest)
        reader.append("xG".utf8)
        #expect(try reader.next() == .body([UInt8(ascii: "x")]) && reader.next() == .end)
        #expect(reader.isInRequest && !reader.isClosed)
    }

    @Test("A request may be as large as the limit allows but no larger")
    func limits() {
        func head(_ headers: [String]) -> [UInt8] {
            Array(("GET / HTTP/1.1\r\nHost: a\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
        }
        let most = HTTPRequestReader.maximumHeaders - 1
        #expect(HTTPReading(head(Array(repeating: "X: 1", count: most))).refusal == nil)
        #expect(HTTPReading(head(Array(repeating: "X: 1", count: most + 1))).refusal == .tooManyHeaders)
        let rest = HTTPRequestReader.longestHead - head(["X: "]).count
        let large = head(["X: " + String(repeating: "y", count: rest)])
        #expect(large.count == HTTPRequestReader.longestHead && HTTPReading(large).refusal == nil)
        let larger = head(["X: " + String(repeating: "y", count: rest + 1)])
        // The reader must not wait for the end of the head, which may never arrive.
        for piece in [1, 1000, .max] { #expect(HTTPReading(larger, piece: piece).refusal == .headTooLong) }
        func line(_ length: Int) -> [UInt8] {
            Array(("GET /" + String(repeating: "y", count: length - 14) + " HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
        }
        #expect(HTTPReading(line(HTTPRequestReader.longestRequestLine)).refusal == nil)
        #expect(HTTPReading(line(HTTPRequestReader.longestRequestLine + 1)).refusal == .requestLineTooLong)
        for headers in [
            "Content-Length: 9\r\n\r\n123456789",
            "Transfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n5\r\n56789\r\n0\r\n\r\n",
        ] {
            let bytes = Array("PUT / HTTP/1.1\r\nHost: a\r\n\(headers)".utf8)
            #expect(HTTPReading(bytes, longestBody: 9).bodies == ["123456789"])
            #expect(HTTPReading(bytes, longestBody: 8).refusal == .bodyTooLong)
        }
    }

    @Test("A megabyte can be read byte by byte or in small chunks")
    func small() {
        let start = "PUT / HTTP/1.1\r\nHost: a\r\n"
        let chunks = start + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\nx\r\n", count: 170_000)
        let chunked = HTTPReading(Array((chunks + "0\r\n\r\n").utf8))
        #expect(chunked.bodies.map(\.utf8.count) == [170_000])
        let body = String(repeating: "x", count: 1 << 20)
        let bytes = Array("\(start)Content-Length: \(1 << 20)\r\n\r\n\(body)".utf8)
        #expect(HTTPReading(bytes, piece: 1).bodies == [body])
    }

    @Test(
        "Random bytes and damaged requests produce the same result regardless of how they are split", arguments: 0..<100
    )
    func random(seed: UInt64) {
        var random = SeededRandom(seed)
        let stream = Array(Self.streams.randomElement(using: &random)?.text.utf8 ?? "".utf8)
        for round in 0..<30 {
            var bytes = stream
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert([10, 13, 32, 58, 0, 37].randomElement(using: &random) ?? 0, at: place)
                case 2 where bytes.count > 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes.suffix(from: place).prefix(20), at: place)
                }
            }
            if round == 0 { bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) } }
            let whole = HTTPReading(bytes)
            #expect(whole.bodies.count <= 1 + bytes.count / 16)
            #expect(HTTPReading(bytes, piece: 1) == whole, "\(bytes)")
            #expect(HTTPReading(bytes, piece: 1 + round) == whole, "\(bytes)")
        }
    }
}
