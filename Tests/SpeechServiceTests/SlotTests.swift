import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWyoming

@Suite("A server without free slots", .ownThreads)
struct SlotTests {
    /// A text whose audio exceeds the system's buffers for a connection.
    private static let long = String(repeating: "This is what somebody says. ", count: 400)
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 4000, lanes: 1)
    private static let speech = "/v1/audio/speech"

    private func limits(_ change: (inout ServiceLimits) -> Void = { _ in }) -> ServiceLimits {
        var limits = ServiceLimits()
        (limits.clients, limits.webClients, limits.reserve) = (4, 4, 4)
        limits.grace = .zero
        limits.webRequestsAtOnce = 1 << 20
        change(&limits)
        return limits
    }

    private func isBusy(_ reply: WebReply) -> Bool {
        reply.status == 503 && reply.errorCode == "busy" && reply["retry-after"] == "1"
            && reply["connection"] == "close"
    }

    // MARK: - HTTP

    @Test("Waiting clients keep their slots, and new ones are rejected, except for token holders and health checks")
    func waiting() throws {
        try WebServing.run(engine, limits { $0.reserve = 128 }) { web throws in
            engine.hold()
            let waiting = try (0..<4).map { _ in
                let client = try web.client()
                try client.send("POST", Self.speech, body: WebServing.call("One."))
                return client
            }
            web.double.warm.counters.waitForSpeeches(4)
            for _ in 0..<20 {
                #expect(isBusy(try web.ask("GET", "/v1/models")))
                #expect(isBusy(try web.ask("POST", Self.speech, body: WebServing.call("Two."))))
                #expect(try web.ask("GET", "/health").status == 200)
                #expect(try web.ask("GET", "/v1/models", WebServing.bearer).status == 200)
            }
            // Even in the reserved slots, a client cannot guess the token.
            let wrong = [(name: "Authorization", value: "Bearer no-token-of-anybody")]
            let guesses = try (0..<30).map { _ in try web.ask("GET", "/v1/models", wrong).status }
            #expect(guesses.first == 503 && guesses.last == 429)
            #expect(try web.ask("GET", "/v1/models", WebServing.bearer).status == 200)
            engine.release()
            for client in waiting { #expect(try client.reply().status == 200) }
        }
    }

    @Test("Silent clients beyond the limit do not block clients with the token")
    func silence() throws {
        // On a busy machine, clients may be slow to disconnect, so there are four slots per client.
        try WebServing.run(engine, limits { $0.reserve = 16 }) { web throws in
            engine.hold()
            let waiting = try (0..<4).map { _ in
                let client = try web.client()
                try client.send("POST", Self.speech, body: WebServing.call("One."))
                return client
            }
            web.double.warm.counters.waitForSpeeches(4)
            var silent: [WebConversation] = []
            for number in 0..<20 {
                silent.append(try web.client())
                // From client number 12 on, the reserved slots are also occupied.
                if number >= 12 { #expect(try web.ask("GET", "/v1/models", WebServing.bearer).status == 200) }
            }
            #expect(isBusy(try silent[0].reply()))
            engine.release()
            for client in waiting { #expect(try client.reply().status == 200) }
        }
    }

    @Test("The slots of HTTP clients that do not read are given to other clients")
    func unread() throws {
        try WebServing.run(engine, limits { $0.reserve = 1024 }) { web throws in
            let readers = try (0..<4).map { _ in
                let client = try web.client()
                try client.send("POST", Self.speech, body: WebServing.call(Self.long))
                return client
            }
            web.double.warm.counters.waitForSpeeches(4)
            for _ in 0..<4 {
                var reply = try web.ask("GET", "/v1/models")
                // Continue until one of the clients cannot receive any more.
                while isBusy(reply) { reply = try web.ask("GET", "/v1/models") }
                #expect(reply.status == 200)
                #expect(try web.ask("GET", "/health").status == 200)
            }
            #expect(readers.contains { $0.stream.hasEnded })
        }
    }

    @Test("Event streams cannot occupy all slots")
    func events() throws {
        let library = TestBackend(ready: ["Ann"])
        let limits = limits { ($0.eventStreams, $0.webClients, $0.reserve) = (2, 8, 64) }
        try WebServing.run(engine, limits, library: library) { web throws in
            var listening: [WebConversation] = []
            for number in 0..<24 {
                let client = try web.client()
                try client.send("GET", "/api/events")
                let head = try client.head()
                #expect(head.status == (number < 2 ? 200 : 503) && (number < 2 || head["retry-after"] == "1"))
                listening.append(client)
                #expect(try web.ask("GET", "/v1/models").status == 200)
            }
            let owner = try web.client()
            try owner.send("GET", "/api/events", WebServing.bearer)
            #expect(try owner.head().status == 200)
            // A client that disconnects frees its slot.
            listening[0].stream.stop()
            var status = 503
            let next = try web.client()
            while status == 503 {
                try next.send("GET", "/api/events")
                status = try next.head().status
                if status == 503 { while try next.piece() != nil {} }
            }
            #expect(status == 200)
        }
    }

    // MARK: - Wyoming

    private func serving<Value>(
        _ limits: ServiceLimits, _ body: (ConnectionServer, TestBackend) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder()
        let double = TestBackend(engine, limits)
        let service = SpeechService(double, limits)
        defer { service.close() }
        let words = ServiceMessages(
            version: "1", malformed: "malformed", tooLong: "too long", busy: "busy", sentence: { "\($0)" },
            code: { _ in "failure" }, note: { _ in })
        let door = ConnectionServer.wyoming(try SocketListener(.unix("\(folder.path)/wyoming.sock")), service, words)
        startThread("door") { door.run() }
        defer { door.drain(until: .now) }
        return try body(door, double)
    }

    @Test("The slots of clients with unfinished texts are given to other clients, and the previous owners are notified")
    func openTexts() throws {
        try serving(limits()) { door, _ in
            let open = try (0..<4).map { _ in
                let client = try WyomingConversation(door.address)
                try client.send("synthesize-start")
                try client.send("synthesize-chunk", .init("text", "Once"))
                #expect(try client.pong())
                return client
            }
            let next = try WyomingConversation(door.address)
            #expect(try next.pong())
            // The server's threads record which client last sent data, in an order that depends on the machine's load.
            let deadline = ContinuousClock.now + .seconds(300)
            while !open.contains(where: { $0.stream.hasEnded }), ContinuousClock.now < deadline {
                #expect(try next.pong())
            }
            for client in open {
                guard client.stream.hasEnded else {
                    #expect(try client.pong())
                    continue
                }
                let told = try client.next()
                #expect(told?.type == "error" && told?.text("code") == "busy")
                #expect(try client.next() == nil)
            }
            #expect(open.count { $0.stream.hasEnded } == 1)
        }
    }

    @Test("Waiting Wyoming clients keep their slots, and new clients are rejected with an error")
    func waitingForWyoming() throws {
        try serving(limits()) { door, double in
            engine.hold()
            let waiting = try (0..<4).map { _ in
                let client = try WyomingConversation(door.address)
                try client.send("synthesize", .init("text", "One."))
                return client
            }
            double.warm.counters.waitForSpeeches(4)
            for _ in 0..<20 {
                let client = try WyomingConversation(door.address)
                let told = try client.next()
                #expect(told?.type == "error" && told?.text("code") == "busy")
                #expect(try client.next() == nil)
            }
            engine.release()
            for client in waiting { #expect(try client.events(until: "audio-stop").types.last == "audio-stop") }
        }
    }

    @Test("The slots of Wyoming clients that do not read are given to other clients")
    func unreadWyoming() throws {
        try serving(limits()) { door, double in
            let readers = try (0..<4).map { _ in
                let client = try WyomingConversation(door.address)
                try client.send("synthesize", .init("text", Self.long))
                return client
            }
            double.warm.counters.waitForSpeeches(4)
            var isServed = false
            // Continue until one of the clients cannot receive any more.
            while !isServed { isServed = try WyomingConversation(door.address).pong() }
            #expect(readers.contains { $0.stream.hasEnded })
        }
    }
}
