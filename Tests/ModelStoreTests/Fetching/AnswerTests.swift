import SynthModelStore
import Testing

@testable import synthhost_fetch

@Suite("The header section of a server's response")
struct AnswerTests {
    private func head(_ lines: String...) -> AnswerHead { head(lines) }

    private func head(_ lines: [String]) -> AnswerHead {
        var head = AnswerHead()
        for line in lines where !head.take(line + "\r\n") { Issue.record("\(line)") }
        return head
    }

    private func answer(_ lines: String..., offset: Int64 = 0) -> String {
        "\(Answer(head(lines + [""]), to: .init(url: "http://a.example/m", offset: offset, size: 100, tag: nil)))"
    }

    @Test("Field names are case-insensitive, values are trimmed, and a blank line ends the header section")
    func fields() {
        let open = head("HTTP/1.1 200 OK", "ETag: \t\"v1\" ", "CONTENT-length:7", "X-Empty:", "no field")
        #expect(open.status == 200 && !open.isWhole)
        #expect(open["etag"] == "\"v1\"" && open["content-length"] == "7" && open["x-empty"] == "")
        #expect(head("HTTP/1.1 200 OK", "").isWhole)
    }

    @Test("An interim response is followed by the final one")
    func interim() {
        let first = head("HTTP/1.1 103 Early Hints", "Location: /other", "")
        #expect(!first.isWhole)
        let both = head("HTTP/1.1 103 Early Hints", "Location: /other", "", "HTTP/1.1 200 OK", "")
        #expect(both.isWhole && both.status == 200 && both["location"] == nil)
    }

    @Test("A response that switches protocols is rejected")
    func otherProtocol() { #expect(answer("HTTP/1.1 101 Switching Protocols").contains("refused")) }

    @Test("An overlong header section is rejected")
    func large() {
        var head = AnswerHead()
        var taken = 0
        while head.take("X-More: and more\r\n"), taken < 100_000 { taken += 1 }
        #expect((10_000..<20_000).contains(taken))
    }

    @Test(
        "Retry-After is a number of seconds or a date; a past date means no wait, and invalid values are ignored",
        arguments: [
            ("7", "Optional(7.0)"), ("-3", "Optional(0.0)"), ("inf", "Optional(inf)"), ("nan", "nil"), ("soon", "nil"),
            ("Wed, 21 Oct 2015 07:28:00 GMT", "Optional(0.0)"),
        ])
    func retryAfter(value: String, seconds: String) {
        #expect(answer("HTTP/1.1 503 No", "Retry-After: \(value)").hasSuffix("after: \(seconds)))"))
    }

    @Test("A date in the distant future results in a long delay")
    func farDate() {
        let text = answer("HTTP/1.1 429 No", "Retry-After: Fri, 01 Jan 2100 00:00:00 GMT")
        let seconds = text.split(separator: "(").last?.prefix { $0 != ")" }
        #expect(seconds.flatMap { Double($0) }.map { $0 > 1e9 } == true, "\(text)")
    }

    @Test(
        "Redirects are resolved relative to the request's URL",
        arguments: [
            ("/b?c", "https://a.example/b?c"), ("b", "https://a.example/x/b"), ("//b.example/", "https://b.example/"),
            ("http://b.example/c", "http://b.example/c"), ("file:///etc/passwd", "file:///etc/passwd"),
            ("gopher://b.example/", "gopher://b.example/"), ("/a b", "https://a.example/a%20b"), ("http://[", nil),
        ])
    func target(location: String, address: String?) {
        #expect(Connection.target(location, from: "https://a.example/x/y") == address)
    }
}
