import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService

@Suite("Slow HTTP clients", .ownThreads)
struct WebSlowClientTests {
    /// The audio of 400 such sentences exceeds the system's buffers for a connection.
    private static let sentence = "This is what somebody says. "
    private static let long = String(repeating: sentence, count: 400)
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 4000, lanes: 1)
    private let quick = TestEngine(sampleRate: 24_000, framesPerByte: 20)

    private func timeouts(_ change: (inout HTTPConnection.Timeouts) -> Void) -> HTTPConnection.Timeouts {
        var timeouts = WebServing.timeouts
        change(&timeouts)
        return timeouts
    }

    /// Sends bytes one by one, with pauses, until the server responds, and returns the response.
    private func drip(_ client: WebConversation, _ bytes: [UInt8]) throws -> WebReply {
        for byte in bytes {
            guard (try? client.send([byte])) != nil, !client.stream.hasEnded else { break }
            _ = try Poll.wait([], timeout: .milliseconds(20))
        }
        return try client.reply()
    }

    @Test("If a request header takes too long, the response is 408")
    func head() throws {
        try WebServing.run(quick, timeouts: timeouts { $0.head = .milliseconds(200) }) { web throws in
            let client = try web.client()
            let reply = try drip(client, Array(web.head("GET /v1/models HTTP/1.1", "X: \(Self.long)").utf8))
            #expect(reply.status == 408 && reply.errorCode == "too_slow" && reply["connection"] == "close")
            #expect(client.isClosed())
        }
    }

    @Test("If a body takes too long, chunked or not, the response is 408")
    func body() throws {
        let timeouts = timeouts { timeouts in
            timeouts.head = .milliseconds(200)
            timeouts.bodyRate = 1000
        }
        try WebServing.run(quick, timeouts: timeouts) { web throws in
            for framing in ["Content-Length: 5000", "Transfer-Encoding: chunked"] {
                let client = try web.client()
                try client.send(web.head("POST /v1/audio/speech HTTP/1.1", framing) + "\r\n")
                let bytes = String(repeating: framing.hasPrefix("C") ? " " : "1\r\n \r\n", count: 5000)
                let reply = try drip(client, Array(bytes.utf8))
                #expect(reply.status == 408 && reply.errorCode == "too_slow", "\(framing)")
            }
            #expect(quick.spoken.isEmpty)
        }
    }

    @Test("A silent client is disconnected without a response")
    func silence() throws {
        try WebServing.run(quick, timeouts: timeouts { $0.idle = .seconds(2) }) { web throws in
            let silent = try web.client()
            var kept = try web.client()
            // On a busy machine, a client may be disconnected before it sends its request.
            while (try? kept.ask("GET", "/v1/models"))?.status != 200 { kept = try web.client() }
            #expect(kept.rest().isEmpty && silent.rest().isEmpty)
        }
        try WebServing.run(quick, timeouts: timeouts { $0.head = .milliseconds(100) }) { web throws in
            let half = try web.client()
            try half.send("GET")
            #expect(try half.reply().status == 408)
        }
    }

    @Test("If a client does not read its response, the request is ended, and the engine becomes free")
    func takesNothing() throws {
        try WebServing.run(engine, timeouts: timeouts { $0.piece = .milliseconds(500) }) { web throws in
            let reader = try web.client()
            try reader.send("POST", "/v1/audio/speech", body: WebServing.call(Self.long))
            engine.waitForSentences(1)
            web.door.waitForClients(0)
            #expect(throws: WebConversation.Failure.cut) { _ = try reader.reply() }
            #expect(web.service.figures().speeches == .init(running: 0, waiting: 0))
            #expect(try web.ask("POST", "/v1/audio/speech", body: WebServing.call("Next.")).status == 200)
        }
    }

    @Test("The request is also ended if the client reads too slowly")
    func takesLittle() throws {
        try WebServing.run(engine, timeouts: timeouts { $0.piece = .milliseconds(500) }) { web throws in
            let reader = try web.client()
            try reader.send("POST", "/v1/audio/speech", body: WebServing.call(Self.long))
            engine.waitForSentences(1)
            var byte: [UInt8] = [0]
            while web.door.clientCount > 0 {
                _ = try? reader.stream.read(into: &byte, within: .milliseconds(20))
                _ = try Poll.wait([], timeout: .milliseconds(20))
            }
            #expect(web.service.figures().speeches == .init(running: 0, waiting: 0))
        }
    }

    @Test("Slow clients do not affect other clients, even if they occupy the only lane")
    func others() throws {
        try WebServing.run(engine) { web throws in
            let call = WebServing.call("Two words. And three more.")
            let alone = try web.ask("POST", "/v1/audio/speech", body: call).body
            let slow = try (0..<6).map { _ in
                let reader = try web.client()
                try reader.send("POST", "/v1/audio/speech", body: WebServing.call(Self.long))
                #expect(try reader.head().status == 200)
                return reader
            }
            for framing in ["Content-Length: 900000", "Transfer-Encoding: chunked"] {
                let client = try web.client()
                try client.send(web.head("POST /v1/audio/speech HTTP/1.1", framing) + "\r\n")
                for _ in 0..<3 { #expect(try web.ask("POST", "/v1/audio/speech", body: call).body == alone) }
            }
            #expect(!alone.isEmpty && web.service.figures().speeches.running == slow.count)
        }
    }

    @Test("When the limit is reached, slow clients are disconnected in favor of others, even during a request")
    func crowd() throws {
        var limits = ServiceLimits()
        limits.webClients = 16
        // On a busy machine, disconnecting clients may take some time, so many slots are reserved.
        limits.reserve = 256
        try WebServing.run(quick, limits) { web throws in
            let first = try web.client()
            var slow: [WebConversation] = []
            for number in 0..<64 {
                let client = try web.client()
                switch number % 4 {
                case 0: break
                case 1: try client.send("POST /v1/au")
                case 2: try client.send(web.head("POST /v1/audio/speech HTTP/1.1", "Content-Length: 900") + "\r\n{")
                default:
                    try client.send(
                        web.head("POST /v1/audio/speech HTTP/1.1", "Transfer-Encoding: chunked") + "\r\n5\r\n{")
                }
                slow.append(client)
                #expect(try web.ask("GET", "/v1/models").status == 200)
                #expect(web.door.clientCount <= 16)
            }
            for gone in [first, slow[0], slow[1], slow[2]] {
                let reply = try gone.reply()
                #expect(reply.status == 503 && reply.errorCode == "busy" && reply["retry-after"] == "1")
                #expect(gone.isClosed())
            }
        }
    }
}
