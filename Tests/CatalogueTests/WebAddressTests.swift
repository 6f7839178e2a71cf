import Testing

@testable import SynthCatalogue

@Suite("URLs")
struct WebAddressTests {
    @Test("URLs use https, or http for this machine only")
    func allowed() {
        for good in [
            "https://example.org/a", "https://example.org:8443/a?b=c", "http://127.0.0.1:80/a", "http://127.9.8.7/",
            "http://localhost:1/a", "http://[::1]:8080/a", "HTTPS://example.org/",
        ] { #expect(WebAddress.refusal(of: good) == nil, "\(good)") }
        for bad in [
            "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "//example.org/", "example.org/a", "",
            "http://127.0.0.1.example.org/", "http://localhost.example.org/", "http://127.1/", "https:///a",
            "https://user@example.org/", "https://user:word@example.org/", "https://example.org:a/",
            "https://example.org:70000/", "https://example.org%2fa/", "https:/example.org/a", "https://[::1/a",
            "https://a\\b/", "https://exa\"mple.org/", "https://exa mple.org/", "https://example.org/\n",
            "http://127.0.0.1@example.org/", "http://127.0.0.256/", "https://[]/", "http://127.0.0.08/",
            "http://127.0.0.010/", "https://example.org:+443/", "https://example.org:-0/", "https://a]/",
            "http://[::1]a/",
        ] { #expect(WebAddress.refusal(of: bad) != nil, "\(bad)") }
    }

    @Test("Redirects from https to http are rejected")
    func redirects() {
        #expect(WebAddress.mayRedirect(from: "https://a.example/", to: "https://b.example/"))
        #expect(!WebAddress.mayRedirect(from: "https://a.example/", to: "http://127.0.0.1/"))
        #expect(!WebAddress.mayRedirect(from: "https://a.example/", to: "http://b.example/"))
        #expect(!WebAddress.mayRedirect(from: "http://127.0.0.1/", to: "http://b.example/"))
        #expect(WebAddress.mayRedirect(from: "http://127.0.0.1/", to: "https://b.example/"))
    }

    @Test("Redirects may lead to the same port or to port 443")
    func ports() {
        for (address, port) in [
            ("https://a.example/", 443), ("http://127.0.0.1/", 80), ("https://a.example:8443/x", 8443),
            ("http://[::1]:9/", 9), ("a.example", nil), ("https://a.example:0x50/", nil),
        ] as [(String, UInt16?)] { #expect(WebAddress.port(of: address) == port, "\(address)") }
        #expect(WebAddress.mayRedirect(from: "https://a.example:8443/", to: "https://b.example:8443/"))
        #expect(WebAddress.mayRedirect(from: "https://a.example:8443/", to: "https://b.example/"))
        #expect(!WebAddress.mayRedirect(from: "https://a.example/", to: "https://b.example:8443/"))
        #expect(!WebAddress.mayRedirect(from: "http://127.0.0.1:8080/", to: "http://127.0.0.1:6379/"))
    }

    @Test("A mirror's URL is its base URL followed by the original host and path")
    func mirrored() {
        #expect(
            WebAddress.mirrored("https://h.example/a/b", below: "https://m.example/x")
                == "https://m.example/x/h.example/a/b")
    }

    @Test("The file name is the last path component, percent-decoded")
    func fileNames() {
        for (address, name) in [
            ("https://h.example/a/b%20c.onnx?download=true#top", "b c.onnx"), ("https://h.example/%C3%A9", "é"),
            ("https://h.example", nil), ("https://h.example/a/", nil), ("https://h.example/%", nil),
            ("https://h.example/%FF", nil), ("https://h.example/a%2Fb", nil), ("https://h.example/..", nil),
            ("a/b", nil),
        ] { #expect(WebAddress.fileName(of: address) == name, "\(address)") }
    }

    @Test("The host name is extracted from a URL with or without a port")
    func hosts() {
        #expect(WebAddress.host(of: "https://h.example:8443/a@b") == "h.example")
        #expect(WebAddress.host(of: "http://[::1]:80/") == "[::1]")
        #expect(WebAddress.host(of: "https://user@h.example?x") == "h.example")
        #expect(WebAddress.host(of: "h.example") == nil)
    }
}
