import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthWeb

@Suite("Requests from untrusted pages", .ownThreads)
struct WebOriginTests {
    private typealias Header = (name: String, value: String)
    private let engine = TestEngine(framesPerByte: 10)
    private static let paths = [
        "/", "/v1/models", "/v1/audio/voices", "/health", "/api/session", "/api/status", "/nothing",
    ]

    /// The headers that a browser sends for a page from a different origin.
    private static let foreign: [[Header]] = [
        [("Origin", "http://evil.example")], [("Origin", "https://evil.example")], [("Origin", "null")],
        [("Origin", "")], [("Origin", "*")], [("Origin", "http://127.0.0.1")], [("Origin", "https://127.0.0.1:PORT")],
        [("Origin", "http://127.0.0.1:PORT.evil.example")], [("Origin", "http://127.0.0.1:PORT@evil.example")],
        [("Origin", "http://127.0.0.1:PORT http://evil.example")], [("Origin", "http://127.0.0.1:PORT, null")],
        [("Origin", "http://127.0.0.1:PORT/")], [("Origin", "http://[::1]:PORT")],
        [("Origin", "http://localhost:PORT")], [("Origin", "http://0.0.0.0:PORT")],
        [("Origin", "chrome-extension://abcdefghijklmnop")], [("Origin", "file://")],
        [("Origin", "http://127.0.0.1:PORT"), ("Origin", "http://evil.example")],
        [("Origin", "http://127.0.0.1:PORT"), ("Origin", "http://127.0.0.1:PORT")],
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "audio")],
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "cors")], [("Sec-Fetch-Site", "cross-site")],
    ]

    private func headers(_ headers: [Header], _ web: WebServing) -> [Header] {
        headers.map { ($0.name, $0.value.replacing("PORT", with: "\(web.port)")) }
    }

    @Test("All requests from untrusted pages are rejected, and nothing is spoken", arguments: foreign.indices)
    func refused(_ number: Int) throws {
        try WebServing.run(engine, page: Self.page()) { web throws in
            let headers = headers(Self.foreign[number], web)
            for path in Self.paths { #expect(try web.ask("GET", path, headers).status == 403, "\(path)") }
            let token = headers + WebServing.bearer
            #expect(try web.ask("POST", "/v1/audio/speech", token, body: WebServing.call("Evil.")).status == 403)
            #expect(try web.ask("POST", "/api/session", token).status == 403)
            let asked = headers + [("Access-Control-Request-Method", "POST")]
            #expect(try web.ask("OPTIONS", "/v1/audio/speech", asked).status == 403)
            #expect(engine.spoken.isEmpty)
        }
    }

    @Test("An untrusted page cannot read any response, not even an error")
    func noPermission() throws {
        try WebServing.run(engine, page: Self.page()) { web throws in
            for headers in Self.foreign + [[]] {
                for (method, path) in [("GET", "/"), ("OPTIONS", "/v1/models"), ("POST", "/nothing"), ("PUT", "/")] {
                    let reply = try web.ask(method, path, self.headers(headers, web))
                    #expect(reply.headers.allSatisfy { !$0.name.hasPrefix("access-control") }, "\(headers)")
                    #expect(reply["cross-origin-resource-policy"] == "same-origin")
                    #expect(reply["x-content-type-options"] == "nosniff")
                    #expect(reply["referrer-policy"] == "no-referrer")
                }
            }
            let malformed = try web.client()
            try malformed.send("GET / HTTP/1.1\r\nOrigin: http://evil.example\r\n\r\n")
            let reply = try malformed.reply()
            #expect(reply.status == 400 && reply.headers.allSatisfy { !$0.name.hasPrefix("access-control") })
        }
    }

    @Test("An untrusted page may link to the service")
    func link() throws {
        try WebServing.run(engine, page: Self.page()) { web throws in
            let click: [Header] = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
            let reply = try web.ask("GET", "/", click)
            #expect(reply.status == 200 && reply["x-frame-options"] == "DENY")
            #expect(reply["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        }
    }

    @Test("Only configured origins may send requests, and they must present the token instead of the cookie")
    func named() throws {
        try WebServing.run(engine, origins: ["https://reader.example"]) { web throws in
            let origin: [Header] = [("Origin", "https://reader.example")]
            let preflight = try web.ask(
                "OPTIONS", "/v1/audio/speech", origin + [("Access-Control-Request-Method", "POST")])
            #expect(preflight.status == 204 && preflight["access-control-allow-origin"] == "https://reader.example")
            #expect(preflight["vary"]?.contains("Origin") == true)
            #expect(preflight["access-control-allow-credentials"] == nil)
            let speech = try web.ask("POST", "/v1/audio/speech", origin, body: WebServing.call("Hello."))
            #expect(speech.status == 200 && speech["access-control-allow-origin"] == "https://reader.example")
            for other in ["http://reader.example", "https://reader.example:444", "https://x.reader.example", "null"] {
                let reply = try web.ask("GET", "/v1/models", [("Origin", other)])
                #expect(reply.status == 403 && reply["access-control-allow-origin"] == nil, "\(other)")
            }
            // An unknown host name that resolves to this server is rejected, regardless of the origin.
            #expect(try web.ask("OPTIONS", "/v1/models", origin + [("Host", "evil.example")]).status == 421)
            #expect(try web.ask("GET", "/v1/models", origin + [("Host", "evil.example")]).status == 421)
        }
    }

    @Test(
        "An unknown host name that resolves to this server is rejected",
        arguments: [
            "evil.example", "evil.example:PORT", "127.0.0.1:1", "127.0.0.1", "localhost", "localhost:1",
            "localhost.evil.example:PORT", "127.0.0.1.evil.example:PORT", "0.0.0.0:PORT", "0.1.2.3:PORT", "[::]:PORT",
            "[::ffff:0.0.0.0]:PORT", "[::1]:1", "xn--localhost:PORT", "localhost-:PORT", "127-0-0-1.evil.example:PORT",
        ])
    func rebinding(_ host: String) throws {
        try WebServing.run(engine, page: Self.page()) { web throws in
            let name: [Header] = [("Host", host.replacing("PORT", with: "\(web.port)"))]
            for path in Self.paths { #expect(try web.ask("GET", path, name).status == 421, "\(path)") }
            let own = name + [("Origin", "http://\(name[0].value)")]
            let speech = try web.ask("POST", "/v1/audio/speech", own, body: WebServing.call("Evil."))
            #expect(speech.status == 421 && engine.spoken.isEmpty)
        }
    }

    @Test(
        "Malformed host names are rejected",
        arguments: [
            ("", 400), ("Host:", 400), ("Host: a b", 400), ("Host: 127.1:PORT", 400), ("Host: [::1", 400),
            ("Host: 0x7f.1:PORT", 421), ("Host: 2130706433:PORT", 400), ("Host: 127.0.0.1:PORT\r\nHost: evil", 400),
        ])
    func noName(_ header: String, _ status: Int) throws {
        try WebServing.run(engine) { web throws in
            let client = try web.client()
            let line = header.isEmpty ? "" : header.replacing("PORT", with: "\(web.port)") + "\r\n"
            try client.send("GET /v1/models HTTP/1.1\r\n\(line)\r\n")
            #expect(try client.reply().status == status)
        }
    }

    @Test(
        "The server's own host names are accepted",
        arguments: ["127.0.0.1:PORT", "localhost:PORT", "LOCALHOST:PORT", "[::1]:PORT"])
    func ownNames(_ host: String) throws {
        try WebServing.run(engine) { web throws in
            let host = host.replacing("PORT", with: "\(web.port)")
            #expect(try web.ask("GET", "/v1/models", [("Host", host), ("Origin", "http://\(host)")]).status == 200)
        }
    }

    private static func page() throws -> PageFiles {
        let folder = try TemporaryFolder()
        try folder.write("<p>Page".utf8, to: "index.html")
        return try PageFiles(folder: folder.path)
    }
}
