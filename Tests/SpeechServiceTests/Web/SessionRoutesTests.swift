import SynthHostTesting
import Testing
import TestSupport

@Suite("Page sessions", .ownThreads)
struct SessionRoutesTests {
    private let engine = TestEngine()

    @Test(
        "A session begins with the token, which is stored in a cookie that scripts cannot read",
        arguments: [true, false])
    func begin(isOpen: Bool) throws {
        try WebServing.run(engine, isOpen: isOpen) { web throws in
            let before = try web.ask("GET", "/api/session").json
            #expect(before?.flag("trusted") == false && before?.flag("open") == isOpen)
            let reply = try web.ask("POST", "/api/session", WebServing.bearer)
            #expect(reply.status == 204 && reply.body.isEmpty && reply["cache-control"] == "no-store")
            let parts = try #require(reply["set-cookie"]?.split(separator: "; ").map(String.init))
            #expect(parts[0] == "synthhost=\(WebServing.token)")
            #expect(Set(parts.dropFirst()) == ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=31536000"])
            let cookie = [(name: "Cookie", value: parts[0])]
            #expect(try web.ask("GET", "/api/session", cookie).json?.flag("trusted") == true)
            #expect(try web.ask("GET", "/api/status", cookie).status == 200)
        }
    }

    @Test(
        "Behind a proxy, the cookie applies to the page's path",
        arguments: [
            ("/tts/", "/tts/"), ("/a/b%20c/", "/a/b%20c/"), ("/tts", "/"), ("tts/", "/"), ("", "/"),
            ("/a;Domain=x/", "/"),
            ("/a,b/", "/"), ("/a b/", "/"), ("/ü/", "/"),
        ])
    func path(_ given: String, _ kept: String) throws {
        let text = given.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try WebServing.run(engine) { web throws in
            for (method, headers) in [("POST", WebServing.bearer), ("DELETE", [])] {
                let reply = try web.ask(method, "/api/session?path=\(text)", headers)
                let parts = try #require(reply["set-cookie"]?.split(separator: "; "))
                #expect(parts.filter { $0.hasPrefix("Path=") } == ["Path=\(kept)"], "\(parts)")
                #expect(parts.contains("HttpOnly") && parts.contains("SameSite=Strict") && parts.count == 5)
            }
        }
    }

    @Test("An incorrect token does not start a session, and attempts to guess it are soon blocked")
    func refused() throws {
        try WebServing.run(engine) { web throws in
            let none = try web.ask("POST", "/api/session")
            #expect(none.status == 401 && none.errorCode == "token_needed" && none["set-cookie"] == nil)
            var last: WebReply?
            for number in 0..<30 {
                last = try web.ask(
                    "POST", "/api/session", [("Authorization", "Bearer guess-number-\(number)-of-many")])
                #expect(last?["set-cookie"] == nil)
                if number == 0 { #expect(last?.status == 401 && last?.errorCode == "bad_token") }
            }
            #expect(last?.status == 429 && last?["retry-after"] != nil)
            #expect(try web.ask("POST", "/api/session", WebServing.bearer).status == 204)
            let page = WebServing.bearer + [("Origin", "http://evil.example")]
            #expect(try web.ask("POST", "/api/session", page).status == 403)
        }
    }

    @Test("The page can end its session")
    func end() throws {
        try WebServing.run(engine) { web throws in
            let reply = try web.ask("DELETE", "/api/session", [("Cookie", "synthhost=\(WebServing.token)")])
            #expect(reply.status == 204)
            #expect(reply["set-cookie"]?.hasPrefix("synthhost=;") == true)
            #expect(reply["set-cookie"]?.contains("Max-Age=0") == true)
        }
    }
}
