import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

@Suite("Draining a service over HTTP", .ownThreads)
struct WebDrainTests {
    private static let path = "/v1/audio/speech"
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 200)

    /// Drains on a separate thread, as the service does after a signal.
    private func drain(
        _ web: WebServing, _ time: Duration, timeout: Duration = .seconds(600)
    ) -> Monitor<Bool> {
        let isDone = Monitor(false)
        web.server.drain()
        web.door.stop()
        startThread("drain") { [door = web.door] in
            door.drain(until: .now + time, timeout: timeout)
            isDone.update { $0 = true }
        }
        return isDone
    }

    @Test("Running requests are completed, new clients are rejected, and connected clients are notified")
    func whole() throws {
        try WebServing.run(engine) { web throws in
            let text = "The first one. The second one."
            let alone = try web.ask("POST", Self.path, body: WebServing.call(text)).body
            let watcher = try web.client()
            #expect(try watcher.ask("GET", "/health").json?.text("status") == "ok")
            // The request is sent before the drain begins, and its response arrives during the drain.
            let other = try web.client()
            #expect(try other.ask("GET", "/v1/models").status == 200)
            engine.hold()
            let speaking = try web.client()
            try speaking.send("POST", Self.path, body: WebServing.call(text))
            engine.waitForSentences(3)
            let isDone = drain(web, .seconds(600))
            let health = try watcher.ask("GET", "/health")
            #expect(
                health.status == 503 && health.json?.text("status") == "draining" && health["connection"] == "close")
            #expect(watcher.isClosed())
            #expect((try? web.ask("GET", "/health")) == nil)
            #expect(!isDone.read { $0 })
            engine.release()
            let reply = try speaking.reply()
            #expect(reply.status == 200 && reply.body == alone)
            _ = isDone.wait { $0 ? true : nil }
            web.door.waitForClients(0)
            #expect(other.isClosed() && web.door.clientCount == 0)
        }
    }

    @Test(
        "A response that takes too long is visibly truncated, whether or not the client reads",
        arguments: [Duration.zero, .seconds(600)])
    func cut(_ timeout: Duration) throws {
        let engine = TestEngine(sampleRate: 24_000, framesPerByte: 4000)
        try WebServing.run(engine) { web throws in
            let text = String(repeating: "This is long. ", count: 1000)
            let old = try web.client()
            let call = WebServing.call(text)
            try old.send(web.head("POST \(Self.path) HTTP/1.0", "Content-Length: \(call.utf8.count)") + "\r\n\(call)")
            let new = try web.client()
            try new.send("POST", Self.path, body: call)
            for client in [old, new] { #expect(try client.head().status == 200) }
            let isDone = drain(web, .milliseconds(100), timeout: timeout)
            // If the timeout is zero, connections close before their clients have read the audio.
            if timeout == .zero { web.door.waitForClients(0) }
            for client in [old, new] {
                #expect(throws: WebConversation.Failure.cut) { while try client.piece() != nil {} }
            }
            _ = isDone.wait { $0 ? true : nil }
            web.door.waitForClients(0)
            #expect(web.door.clientCount == 0 && web.service.figures().speeches == .init(running: 0, waiting: 0))
        }
    }

    @Test("Clients that are waiting for audio, or whose bodies are incomplete, get an error")
    func waiting() throws {
        try WebServing.run(engine) { web throws in
            engine.hold()
            let waits = try web.client()
            try waits.send("POST", Self.path, body: WebServing.call("Hello."))
            engine.waitForSentences(1)
            let isDone = drain(web, .milliseconds(50))
            let reply = try waits.reply()
            #expect(reply.status == 503 && reply.errorCode == "ending" && reply["retry-after"] != nil)
            _ = isDone.wait { $0 ? true : nil }
        }
        try WebServing.run(engine) { web throws in
            let half = try web.client()
            try half.send(web.head("POST \(Self.path) HTTP/1.1", "Content-Length: 9000") + "\r\n{")
            web.server.bodies.waitForTaken(1)
            let isDone = drain(web, .milliseconds(50), timeout: .milliseconds(50))
            #expect(half.rest().isEmpty)
            _ = isDone.wait { $0 ? true : nil }
        }
    }
}
