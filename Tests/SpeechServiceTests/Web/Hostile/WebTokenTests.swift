import SynthDocuments
import SynthHost
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthService
@testable import SynthWeb

@Suite("Token requirements of the HTTP routes", .ownThreads)
struct WebTokenTests {
    private typealias Header = (name: String, value: String)
    private let engine = TestEngine(framesPerByte: 10)

    private static let needs: [String: WebRoute.Need] = [
        "GET /": .nothing, "GET /page/": .nothing, "GET /page/text.json": .nothing, "GET /health": .nothing,
        "GET /api/session": .nothing, "DELETE /api/session": .nothing, "GET /metrics": .access,
        "GET /api/status": .access, "POST /v1/audio/speech": .access, "POST /dev/captioned_speech": .access,
        "GET /v1/models": .access, "GET /v1/models/": .access, "GET /v1/audio/models": .access,
        "GET /v1/audio/voices": .access, "GET /api/voices": .access, "GET /api/events": .access,
        "POST /api/session": .token, "DELETE /api/voices": .token, "POST /api/downloads": .token,
        "DELETE /api/downloads": .token, "PUT /api/profiles": .token, "PUT /api/chosen": .token,
        "PUT /api/marks": .token, "POST /api/documents": .access,
    ]

    private func serving(
        isOpen: Bool, _ limits: ServiceLimits = ServiceLimits(), _ body: (WebServing, TestBackend) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        try folder.write("<p>Page".utf8, to: "index.html")
        try folder.write("{\"name\":\"English\"}".utf8, to: "text/en.json")
        let library = TestBackend(ready: ["Ann", "Bob"], missing: ["Eve"])
        try WebServing.run(
            engine, limits, isOpen: isOpen, page: try PageFiles(folder: folder.path), library: library,
            documents: DocumentProgram(path: "/none")
        ) { web throws in try body(web, library) }
    }

    private func example(_ route: WebRoute) -> String {
        switch route.path {
        case .exact(let path): path
        case .below(let folder): "\(folder)x"
        }
    }

    private func name(_ route: WebRoute) -> String {
        switch route.path {
        case .exact(let path): "\(route.method) \(path)"
        case .below(let folder): "\(route.method) \(folder)"
        }
    }

    @Test("Every route has the access requirement listed in the table")
    func table() throws {
        try serving(isOpen: true) { web, _ in
            #expect(Dictionary(uniqueKeysWithValues: web.server.routes.map { (name($0), $0.need) }) == Self.needs)
        }
    }

    @Test("A request without the token, or with a token in the wrong place, is rejected", arguments: [true, false])
    func refused(isOpen: Bool) throws {
        let wrong: [[Header]] = [
            [], [("Authorization", "Bearer")], [("Authorization", "Basic \(WebServing.token)")],
            [("Authorization", WebServing.token)], [("Authorization", "Bearer \(WebServing.token)x")],
            [("Authorization", "Bearer \(WebServing.token.uppercased())")],
            [("Authorization", "Bearer \(WebServing.token)"), ("Authorization", "Bearer \(WebServing.token)")],
            [("Cookie", "synthhost=\(WebServing.token)x")], [("Cookie", "Synthhost=\(WebServing.token)")],
            [("Cookie", "synthhost=\(WebServing.token); synthhost=other")], [("X-Api-Key", WebServing.token)],
        ]
        try serving(isOpen: isOpen) { web, library in
            for route in web.server.routes where route.need == .token || route.need == .access && !isOpen {
                for headers in wrong {
                    let path = example(route)
                    let reply = try web.ask(route.method, path, headers, body: route.method == "GET" ? nil : "{}")
                    #expect([401, 429].contains(reply.status), "\(name(route)) \(headers)")
                    #expect(reply["set-cookie"] == nil)
                    let query = try web.ask(route.method, "\(path)?token=\(WebServing.token)")
                    #expect(query.status == 401, "\(name(route))")
                }
            }
            #expect(engine.spoken.isEmpty && library.presets.profiles.isEmpty && library.downloadCount(of: "Eve") == 0)
        }
    }

    @Test("The token is accepted in a header or a cookie", arguments: [true, false])
    func allowed(isOpen: Bool) throws {
        try serving(isOpen: isOpen) { web, _ in
            for route in web.server.routes {
                for headers in [WebServing.bearer, [("Cookie", "a=b; synthhost=\(WebServing.token); c=d")]] {
                    let client = try web.client()
                    try client.send(route.method, example(route), headers, body: route.method == "GET" ? nil : "{}")
                    let status = try client.head().status
                    #expect(![401, 403, 421, 429].contains(status), "\(name(route)): \(status)")
                }
            }
        }
    }

    @Test(
        "The token cannot be guessed through headers, cookies or session checks",
        arguments: [0, 1, 2, 3])
    func guesses(_ way: Int) throws {
        try serving(isOpen: way == 3) { web, _ in
            let replies = try (0..<60).map { number -> WebReply in
                let guess = "guess-number-\(number)-of-many"
                let bearer: [Header] = [("Authorization", "Bearer \(guess)")]
                let cookie: [Header] = [("Cookie", "synthhost=\(guess)")]
                return switch way {
                case 0: try web.ask("GET", "/v1/models", bearer)
                case 1: try web.ask("GET", "/v1/models", cookie)
                case 2: try web.ask("GET", "/api/session", bearer)
                default: try web.ask("GET", "/api/session", cookie)
                }
            }
            #expect(replies.suffix(30).allSatisfy { $0.status == 429 && $0.errorCode == "too_many_tokens" })
            #expect(replies.last?["retry-after"] != nil && replies[0].status != 429)
            // The correct token is still accepted, and without any token, the error says that one is required.
            #expect(try web.ask("GET", "/api/session", WebServing.bearer).json?.flag("trusted") == true)
            #expect(try web.ask("GET", "/v1/models", WebServing.bearer).status == 200)
            #expect(try web.ask("POST", "/api/session").errorCode == "token_needed")
            #expect(try web.ask("GET", "/api/session").status == 200)
        }
    }

    @Test("Safe methods change nothing")
    func safeMethods() throws {
        try serving(isOpen: true) { web, library in
            let chosen = try library.library().chosen
            for route in web.server.routes {
                for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PATCH", "get"] {
                    let path = example(route) + "?key=test%2FEve&rate=2&chosen=test%2FBob&_method=DELETE"
                    let client = try web.client()
                    try client.send(method, path, WebServing.bearer + [("X-HTTP-Method-Override", "DELETE")])
                    let reply = try client.head()
                    #expect(reply.status < 500 && reply["set-cookie"] == nil, "\(method) \(path)")
                }
            }
            #expect(library.presets.profiles.isEmpty && library.downloadCount(of: "Eve") == 0)
            #expect(try library.library().chosen == chosen && engine.spoken.isEmpty)
        }
    }

    @Test("The response to a HEAD request is not a stream, and its connection stays open")
    func heads() throws {
        try serving(isOpen: true) { web, _ in
            let client = try web.client()
            for path in ["/", "/api/events", "/v1/models", "/health", "/page/index.html", "/metrics"] {
                let reply = try client.ask("HEAD", path)
                #expect(reply.status == 200 && reply.body.isEmpty, "\(path)")
            }
            #expect(try client.ask("HEAD", "/v1/audio/speech").status == 405)
            #expect(try client.ask("GET", "/v1/models").status == 200)
        }
    }
}
