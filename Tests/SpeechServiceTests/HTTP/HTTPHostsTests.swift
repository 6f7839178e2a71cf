import Testing

@testable import SynthHTTPServer

@Suite("HTTP hosts and origins")
struct HTTPHostsTests {
    private static func hosts(_ port: UInt16 = 8880) throws -> HTTPHosts {
        try #require(
            HTTPHosts(
                port: port, names: ["speech.example", "box.local:8880"],
                origins: ["https://reader.example", "http://127.0.0.1:3000"]))
    }

    @Test(
        "The server's own host names and the allowed host names are accepted",
        arguments: [
            "localhost:8880", "LOCALHOST:8880", "127.0.0.1:8880", "127.8.9.1:8880", "[::1]:8880", "192.168.1.5:8880",
            "[fe80::1]:8880", "speech.example", "Speech.Example:443", "speech.example:1", "box.local:8880",
        ])
    func accepted(host: String) throws {
        #expect(try Self.hosts().accept(host: host))
    }

    @Test(
        "All other names and ports and all invalid hosts are rejected",
        arguments: [
            "", "localhost", "localhost:80", "127.0.0.1", "127.0.0.1:8881", "[::1]", "evil.example",
            "evil.example:8880",
            "localhost.evil.example:8880", "localhost.:8880", "127.0.0.1.evil.example:8880", "0.0.0.0:8880",
            "0.1.2.3:8880",
            "[::]:8880", "[::ffff:0.0.0.0]:8880", "127.1:8880", "2130706433:8880", "0177.0.0.1:8880", "127.0.0.01:8880",
            "[127.0.0.1]:8880", "::1:8880", "[::1%25lo]:8880", "[::1]8880", "[::1\0x]:8880", "127.0.0.1\0:8880",
            "user@localhost:8880", "localhost:8880/",
            "localhost:08880x",
            "localhost: 8880", "localhost:+8880", "box.local", "boX\u{301}.local:8880", "box.local:80",
            "x.speech.example",
            "localhost:8880,evil.example",
        ])
    func refused(host: String) throws {
        #expect(try !Self.hosts().accept(host: host))
    }

    @Test("The port may be omitted if it is 80")
    func usualPort() throws {
        let hosts = try Self.hosts(80)
        #expect(
            hosts.accept(host: "localhost") && hosts.accept(host: "127.0.0.1:80") && !hosts.accept(host: "a.example"))
        #expect(hosts.accept(origin: "http://localhost", host: "localhost:80"))
    }

    @Test(
        "The service's own pages and pages from allowed origins may send requests",
        arguments: [
            (nil, "localhost:8880", true), ("http://localhost:8880", "localhost:8880", true),
            ("http://LOCALHOST:8880", "localhost:8880", true), ("http://[::1]:8880", "[::1]:8880", true),
            ("https://speech.example", "speech.example", true), ("http://speech.example", "speech.example", true),
            ("http://speech.example:80", "speech.example", true), ("https://reader.example", "localhost:8880", true),
            ("https://reader.example:443", "localhost:8880", true), ("http://127.0.0.1:3000", "127.0.0.1:8880", true),
            ("null", "localhost:8880", false), ("", "localhost:8880", false),
            ("http://localhost:3000", "localhost:8880", false),
            ("http://localhost", "localhost:8880", false), ("http://127.0.0.1:8880", "localhost:8880", false),
            ("https://localhost:8880", "localhost:8880", false), ("http://evil.example", "localhost:8880", false),
            ("http://evil.example:8880", "evil.example:8880", false),
            ("http://reader.example", "localhost:8880", false),
            ("https://speech.example:8880", "speech.example", false), ("file://", "localhost:8880", false),
            ("http://localhost:8880/", "localhost:8880", false),
            ("http://localhost:8880 http://evil.example", "localhost:8880", false),
            ("ftp://localhost:8880", "localhost:8880", false), ("localhost:8880", "localhost:8880", false),
            ("http://user@localhost:8880", "localhost:8880", false),
        ] as [(String?, String, Bool)])
    func origins(origin: String?, host: String, accepted: Bool) throws {
        #expect(try Self.hosts().accept(origin: origin, host: host) == accepted)
    }

    @Test("An invalid list of allowed hosts or origins is rejected")
    func malformed() {
        for name in ["", "*", "a b", "http://a", "a:b"] { #expect(HTTPHosts(port: 1, names: [name]) == nil, "\(name)") }
        for origin in ["", "*", "null", "a.example", "https://a.example/", "https://"] {
            #expect(HTTPHosts(port: 1, origins: [origin]) == nil, "\(origin)")
        }
    }
}
