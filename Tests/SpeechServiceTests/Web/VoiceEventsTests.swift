import SynthHost
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

@Suite("Voice events over HTTP", .ownThreads)
struct VoiceEventsTests {
    private let engine = TestEngine(framesPerByte: 10)

    private func listen(_ web: WebServing) throws -> WebConversation {
        let client = try web.client()
        try client.send("GET", "/api/events")
        #expect(try client.head().status == 200)
        return client
    }

    /// Returns the next event. Skips comments, which the server sends if a busy machine delays an event.
    private func event(_ client: WebConversation) throws -> (type: String, data: String?)? {
        while let event = try client.event() { if event.type != "" { return event } }
        return nil
    }

    private func post(_ id: String, _ web: WebServing) throws {
        let reply = try web.ask("POST", "/api/downloads", WebServing.bearer, body: #"{"key":"test/\#(id)"}"#)
        #expect(reply.status == 202)
    }

    private func node(_ data: String?) throws -> JSONNode { try JSONReader.read(Array((data ?? "").utf8)) }

    @Test("The events start with the complete list, followed by events for individual voices")
    func single() throws {
        let library = TestBackend(ready: ["Ann"], missing: (0..<400).map { "v\($0)" })
        try WebServing.run(engine, library: library) { web throws in
            let client = try listen(web)
            let first = try #require(try event(client))
            #expect(try first.type == "voices" && node(first.data).elements("voices").count == 401)
            #expect(try node(first.data).text("chosen") == "test/Ann")
            try post("v7", web)
            var bytes = 0.0
            let download = library.download(of: "v7")
            for step in 1...5 {
                download.arrive(Int64(step) * 100, of: 1000)
                while bytes < Double(step) * 100 {
                    let event = try #require(try event(client))
                    #expect(event.type == "voice" && (event.data?.utf8.count ?? 0) < 1500)
                    let voice = try node(event.data)
                    #expect(voice.text("key") == "test/v7")
                    bytes = voice.number("progress", "bytes") ?? 0
                }
            }
        }
    }

    @Test("The complete list is sent again when voices are added or a different voice is selected")
    func lists() throws {
        let library = TestBackend(ready: ["Ann", "Bob"])
        try WebServing.run(engine, library: library) { web throws in
            let client = try listen(web)
            #expect(try event(client)?.type == "voices")
            _ = try web.ask("PUT", "/api/chosen", WebServing.bearer, body: #"{"key":"test/Bob"}"#)
            let chosen = try #require(try event(client))
            #expect(try chosen.type == "voices" && node(chosen.data).text("chosen") == "test/Bob")
            library.add("Eve")
            _ = try web.ask("GET", "/api/voices")
            let grown = try #require(try event(client))
            #expect(try grown.type == "voices" && node(grown.data).elements("voices").count == 3)
            _ = try web.ask("PUT", "/api/profiles?key=test/Ann", WebServing.bearer, body: #"{"rate":2}"#)
            let tuned = try #require(try event(client))
            #expect(try tuned.type == "voice" && node(tuned.data).number("profile", "rate") == 2)
        }
    }

    @Test("The rate of events is limited, and a slow client gets the latest state")
    func slow() throws {
        let library = TestBackend(ready: [], missing: ["Eve"])
        try WebServing.run(engine, library: library) { web throws in
            let begin = ContinuousClock.now
            let (slow, quick) = (try listen(web), try listen(web))
            try post("Eve", web)
            let download = library.download(of: "Eve")
            var (count, bytes) = (0, 0.0)
            for step in 1...20_000 { download.arrive(Int64(step), of: 20_000) }
            while bytes < 20_000 {
                let event = try #require(try quick.event())
                guard event.type == "voice" else { continue }
                count += 1
                bytes = try node(event.data).number("progress", "bytes") ?? 0
            }
            let seconds = (ContinuousClock.now - begin).seconds
            #expect(Double(count) <= seconds * 5 + 1, "\(count) in \(seconds) s")
            library.finish("Eve")
            var (state, events) = ("", 0)
            while state != "ready" {
                let event = try #require(try slow.event())
                events += 1
                guard event.type == "voice" else { continue }
                state = try node(event.data).text("state") ?? ""
            }
            #expect(Double(events) <= (ContinuousClock.now - begin).seconds * 5 + 1)
        }
    }

    @Test("Comments keep the connection alive without the library having to be read")
    func comments() throws {
        let library = TestBackend(ready: ["Ann"])
        let double = TestBackend(engine)
        let service = SpeechService(double)
        defer { service.close() }
        try WebServing.run(engine) { other throws in
            let token = try #require(AccessToken(WebServing.token))
            let listener = try SocketListener(.tcp(host: "127.0.0.1", port: 0))
            guard case .tcp(_, let port) = listener.address, let hosts = HTTPHosts(port: port) else { return }
            let routes = VoiceRoutes(
                library: ServiceLibrary(SpeechHost(library), double.warm), words: other.server.words,
                streams: (Budget(limit: 8), Budget(limit: 8)), quiet: .milliseconds(20))
            let server = WebServer(service, other.server.words, WebAccess(hosts, token, isOpen: true), routes.routes)
            let door = ConnectionServer.web(listener, server, WebServing.timeouts)
            startThread("door") { door.run() }
            defer { door.drain(until: .now) }
            let client = try WebConversation(door.address)
            client.host = "127.0.0.1:\(port)"
            try client.send("GET", "/api/events")
            _ = try client.head()
            #expect(try client.event()?.type == "voices")
            let readings = library.looks
            for _ in 0..<3 {
                let event = try #require(try client.event())
                #expect(event.type == "" && event.data == nil)
            }
            #expect(library.looks == readings)
        }
    }

    @Test("When the service exits, an event stream is ended as a complete response")
    func drain() throws {
        let library = TestBackend(ready: ["Ann"])
        try WebServing.run(engine, library: library) { web throws in
            let clients = try (0..<5).map { _ in try listen(web) }
            for client in clients { #expect(try event(client)?.type == "voices") }
            web.server.drain()
            for client in clients {
                #expect(try event(client) == nil)
                #expect(try client.ask("GET", "/health").status == 503)
            }
        }
    }

    @Test("Clients that disconnect do not leave any resources in use")
    func leaving() throws {
        let library = TestBackend(ready: ["Ann"])
        try WebServing.run(engine, library: library) { web throws in
            for _ in 0..<20 {
                let client = try listen(web)
                #expect(try event(client)?.type == "voices")
                client.stream.stop()
            }
            web.door.waitForClients(0)
            #expect(try web.ask("GET", "/api/voices").status == 200)
        }
    }

    @Test("The response to HEAD has no body")
    func head() throws {
        try WebServing.run(engine, library: TestBackend(ready: ["Ann"])) { web throws in
            let client = try web.client()
            #expect(try client.ask("HEAD", "/api/events").status == 200)
            #expect(try client.ask("GET", "/api/voices").status == 200)
        }
    }
}
