import Glibc
import Testing
import TestNumbers

@testable import SynthHTTPServer

@Suite("Writing HTTP responses")
struct HTTPResponseTests {
    private static let time = Duration.seconds(784_111_777)
    private static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    private func request(_ text: String) throws -> HTTPRequestHead {
        try #require(HTTPReading(Array("\(text)\r\nHost: a\r\n\r\n".utf8)).heads.first)
    }

    /// Returns all bytes that are sent for a two-part body.
    private func sent(
        _ status: HTTPStatus, _ length: HTTPResponse.Length, _ request: HTTPRequestHead?, closing: Bool = false
    ) throws -> (text: String, isLast: Bool) {
        var writer = HTTPResponse(status).begin(length, answering: request, closing: closing, at: Self.time)
        let body = try writer.bytes(of: Array("ab".utf8)) + writer.bytes(of: []) + writer.bytes(of: Array("cde".utf8))
        let text = try String(decoding: writer.head + body + writer.end(), as: UTF8.self)
        #expect(text.contains("\r\n\(Self.date)"))
        return (text.replacing(Self.date, with: ""), writer.isLast)
    }

    @Test("Depending on the request, a response has a length, is chunked, or ends when the connection is closed")
    func framing() throws {
        let get = try request("GET / HTTP/1.1")
        let old = try request("GET / HTTP/1.0")
        let head = try request("HEAD / HTTP/1.1")
        let start = "HTTP/1.1 200 OK\r\n"
        let cases: [(HTTPRequestHead?, HTTPResponse.Length, Bool, String, Bool)] = [
            (get, .bytes(5), false, "Content-Length: 5\r\n\r\nabcde", false),
            (get, .bytes(5), true, "Content-Length: 5\r\nConnection: close\r\n\r\nabcde", true),
            (get, .stream, false, "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n", false),
            (old, .bytes(5), false, "Content-Length: 5\r\nConnection: close\r\n\r\nabcde", true),
            (old, .stream, false, "Connection: close\r\n\r\nabcde", true),
            (head, .bytes(5), false, "Content-Length: 5\r\n\r\n", false),
            (head, .stream, false, "Transfer-Encoding: chunked\r\n\r\n", false),
            (nil, .bytes(5), false, "Content-Length: 5\r\nConnection: close\r\n\r\nabcde", true),
        ]
        for (request, length, closing, rest, isLast) in cases {
            let (text, last) = try sent(.ok, length, request, closing: closing)
            #expect(text == start + rest && last == isLast)
        }
    }

    @Test("A response has no body if its status forbids one", arguments: [HTTPStatus.noContent, .notModified])
    func empty(status: HTTPStatus) throws {
        for length in [HTTPResponse.Length.bytes(5), .stream] {
            let (text, isLast) = try sent(status, length, request("GET / HTTP/1.1"))
            #expect(text == "HTTP/1.1 \(status.code) \(status.reason)\r\n\r\n" && !isLast)
        }
    }

    @Test("A body whose length differs from the declared length causes an error")
    func length() throws {
        let get = try request("GET / HTTP/1.1")
        var writer = HTTPResponse(.ok).begin(.bytes(3), answering: get, at: Self.time)
        #expect(throws: HTTPFailure.bodyTooLong) { try writer.bytes(of: [1, 2, 3, 4]) }
        #expect(try writer.bytes(of: [1, 2]) == [1, 2])
        #expect(throws: HTTPFailure.bodyTooShort(by: 1)) { try writer.end() }
        #expect(try writer.bytes(of: [3]) == [3] && writer.end() == [])
        var chunks = HTTPResponse(.ok).begin(.stream, answering: get, at: Self.time)
        let long = [UInt8](repeating: 7, count: 300)
        #expect(try chunks.bytes(of: long) == Array("12c\r\n".utf8) + long + [13, 10])
        // The end is sent only once.
        #expect(try chunks.end() == Array("0\r\n\r\n".utf8) && chunks.end() == [])
    }

    @Test("A complete response is written in a single call")
    func whole() throws {
        var response = HTTPResponse(.notFound)
        try response.add("Content-Type", "text/plain; charset=utf-8")
        let (bytes, isLast) = response.bytes(
            body: Array("no".utf8), answering: try request("GET / HTTP/1.1"), at: Self.time)
        let head =
            "HTTP/1.1 404 Not Found\r\n\(Self.date)content-type: text/plain; charset=utf-8\r\nContent-Length: 2\r\n\r\n"
        #expect(bytes == Array("\(head)no".utf8) && !isLast)
        let asked = response.bytes(body: Array("no".utf8), answering: try request("HEAD / HTTP/1.1"), at: Self.time)
        #expect(asked.bytes == Array(head.utf8))
    }

    @Test(
        "A header that is malformed or that the server sets itself is rejected",
        arguments: [
            ("X", "a\r\nSet-Cookie: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "a\0b"), ("X", "a\u{85}b"), ("X", " a"),
            ("X", "a "),
            ("X", "a\tb"), ("X y", "a"), ("X\r\n", "a"), ("X:", "a"), ("", "a"), ("Content-Length", "1"),
            ("transfer-encoding", "chunked"), ("CONNECTION", "close"), ("Date", "now"),
        ])
    func headers(name: String, value: String) {
        var response = HTTPResponse(.ok)
        let isName = name == "X"
        #expect(throws: isName ? HTTPFailure.headerValue(of: "x") : .headerName(name.lowercased())) {
            do throws(HTTPFailure) { try response.add(name, value) } catch {
                if case .headerName(let given) = error { throw HTTPFailure.headerName(given.lowercased()) }
                throw error
            }
        }
        #expect(response.headers.fields.isEmpty)
    }

    @Test("Dates match those of the C library")
    func dates() {
        var random = SeededRandom(1)
        let edges = [0, 951_782_399, 951_782_400, 951_868_800, 4_107_542_399, 4_107_542_400, 253_402_300_799]
        let dates = edges + (0..<2000).map { _ in Int.random(in: 0...253_402_300_799, using: &random) }
        for seconds in dates {
            var time = time_t(seconds)
            var parts = tm()
            gmtime_r(&time, &parts)
            var text = [CChar](repeating: 0, count: 64)
            let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            let expected = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            #expect(HTTPResponse.date(.seconds(seconds)) == expected)
        }
    }
}
