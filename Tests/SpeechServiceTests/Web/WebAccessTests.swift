import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@Suite("Access over HTTP", .ownThreads)
struct WebAccessTests {
    private let engine = TestEngine(framesPerByte: 10)
    private typealias Header = (name: String, value: String)
    private let speech = #"{"input":"a","voice":"Ann","response_format":"pcm"}"#

    @Test(
        "An unknown host name is rejected because DNS may resolve it to this server",
        arguments: ["evil.example", "127.0.0.1:1", "localhost.evil.example", "0.0.0.0", "[::]"])
    func hosts(_ host: String) throws {
        try WebServing.run(engine) { web throws in
            #expect(try web.ask("GET", "/v1/models", [("Host", host)]).status == 421)
            #expect(try web.ask("POST", "/v1/audio/speech", [("Host", host)], body: speech).status == 421)
        }
    }

    @Test(
        "Pages from other servers may not send requests",
        arguments: ["null", "http://evil.example", "http://127.0.0.1:1", "file://"])
    func origins(_ origin: String) throws {
        try WebServing.run(engine) { web throws in
            let reply = try web.ask("POST", "/v1/audio/speech", [("Origin", origin)], body: speech)
            #expect(reply.status == 403)
            #expect(reply["access-control-allow-origin"] == nil)
            #expect(try web.ask("OPTIONS", "/v1/audio/speech", [("Origin", origin)]).status != 204)
        }
    }

    @Test("The service's own page and programs may send requests")
    func own() throws {
        try WebServing.run(engine) { web throws in
            for host in ["127.0.0.1", "localhost"] {
                let headers: [Header] = [("Host", "\(host):\(web.port)"), ("Origin", "http://\(host):\(web.port)")]
                #expect(try web.ask("POST", "/v1/audio/speech", headers, body: speech).status == 200)
            }
            #expect(try web.ask("POST", "/v1/audio/speech", body: speech).status == 200)
        }
    }

    @Test("A page from a configured origin may send requests and read the responses")
    func named() throws {
        try WebServing.run(engine, origins: ["https://reader.example"]) { web throws in
            let origin: [Header] = [("Origin", "https://reader.example")]
            let preflight = try web.ask("OPTIONS", "/v1/audio/speech", origin)
            #expect(preflight.status == 204)
            #expect(preflight["access-control-allow-origin"] == "https://reader.example")
            #expect(preflight["access-control-allow-methods"] == "POST")
            let reply = try web.ask("POST", "/v1/audio/speech", origin, body: speech)
            #expect(reply.status == 200 && reply["access-control-allow-origin"] == "https://reader.example")
            #expect(try web.ask("OPTIONS", "/nothing", origin).status == 404)
        }
    }

    @Test("On this machine, clients may send an arbitrary API key")
    func anyKey() throws {
        try WebServing.run(engine) { web throws in
            let key: [Header] = [("Authorization", "Bearer not-needed-here")]
            for _ in 0..<40 { #expect(try web.ask("GET", "/v1/models", key).status == 200) }
        }
    }

    @Test("All requests from other machines require the token")
    func token() throws {
        try WebServing.run(engine, isOpen: false) { web throws in
            let none = try web.ask("POST", "/v1/audio/speech", body: speech)
            #expect(none.status == 401 && none["www-authenticate"] == "Bearer")
            #expect(none.json?.value(at: ["error", "code"]) == .string("token_needed"))
            #expect(try web.ask("GET", "/nothing").status == 401)
            #expect(try web.ask("POST", "/v1/audio/speech", WebServing.bearer, body: speech).status == 200)
            let cookie: [Header] = [("Cookie", "other=1; synthhost=\(WebServing.token)")]
            #expect(try web.ask("POST", "/v1/audio/speech", cookie, body: speech).status == 200)
        }
    }

    @Test("Attempts to guess the token are soon blocked, but the correct token is still accepted")
    func guesses() throws {
        try WebServing.run(engine, isOpen: false) { web throws in
            let client = try web.client()
            var statuses: [Int] = []
            for number in 0..<30 {
                let guess: [Header] = [("Authorization", "Bearer guess-number-\(number)-of-many")]
                statuses.append(try client.ask("GET", "/v1/models", guess).status)
            }
            #expect(statuses.prefix(20).allSatisfy { $0 == 401 } && statuses.last == 429)
            #expect(try web.ask("GET", "/v1/models", WebServing.bearer).status == 200)
        }
    }

    @Test("Unknown paths and invalid requests cause errors in OpenAI's format")
    func errors() throws {
        try WebServing.run(engine) { web throws in
            let missing = try web.ask("GET", "/nothing")
            #expect(missing.status == 404 && missing.json?.value(at: ["error", "type"]) == .string("not_found_error"))
            let method = try web.ask("GET", "/v1/audio/speech")
            #expect(method.status == 405 && method["allow"] == "POST")
            #expect(try web.ask("POST", "/v1/audio/speech", body: "{").status == 400)
            #expect(try web.ask("POST", "/v1/audio/speech", body: "[]").status == 400)
            #expect(try web.ask("HEAD", "/v1/models").body.isEmpty)
        }
    }
}
