import SynthHostTesting
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

@Suite("Malicious bytes sent to the HTTP server", .ownThreads)
struct WebBytesTests {
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 20)

    /// The deadlines are short so that a client that stops in the middle of a request soon gets a response.
    private static let timeouts: HTTPConnection.Timeouts = {
        var timeouts = WebServing.timeouts
        timeouts.head = .milliseconds(100)
        return timeouts
    }()

    private var limits: ServiceLimits {
        var limits = ServiceLimits()
        limits.webRequestsAtOnce = 1 << 20
        return limits
    }

    private func request(_ web: WebServing, _ body: String) -> [UInt8] {
        Array((web.head("POST /v1/audio/speech HTTP/1.1", "Content-Length: \(body.utf8.count)") + "\r\n" + body).utf8)
    }

    @Test("Incomplete requests are never spoken, and their clients get an error or are disconnected")
    func cut() throws {
        try WebServing.run(engine, limits, timeouts: Self.timeouts) { web throws in
            let request = request(web, WebServing.call("Hello."))
            for end in request.indices {
                let client = try web.client()
                try client.send(Array(request[..<end]))
                if end % 3 == 0 { client.stream.finishWriting() }
                let answer = String(decoding: client.rest(), as: UTF8.self)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408 "), "\(end): \(answer.prefix(40))")
            }
            #expect(engine.spoken.isEmpty)
        }
        try WebServing.run(engine, limits) { web throws in
            #expect(try web.ask("POST", "/v1/audio/speech", body: WebServing.call("Hello.")).status == 200)
            #expect(engine.spoken == ["Hello."])
        }
    }

    @Test("A request may arrive byte by byte")
    func pieces() throws {
        try WebServing.run(engine, limits) { web throws in
            let whole = try web.ask("POST", "/v1/audio/speech", body: WebServing.call("Hello."))
            let client = try web.client()
            for byte in request(web, WebServing.call("Hello.")) { try client.send([byte]) }
            let reply = try client.reply()
            #expect(reply.status == 200 && reply.body == whole.body)
        }
    }

    @Test("Hundreds of pipelined requests are answered in order")
    func pipelined() throws {
        try WebServing.run(engine, limits) { web throws in
            let client = try web.client()
            var all: [UInt8] = []
            for number in 0..<400 {
                all += Array(
                    (web.head("GET /v1/models/\(number % 2 == 0 ? "test" : "no\(number)") HTTP/1.1") + "\r\n").utf8)
                if number % 50 == 0 { all += request(web, WebServing.call("Number \(number).")) }
            }
            try client.send(all)
            for number in 0..<400 {
                let reply = try client.reply()
                #expect(reply.status == (number % 2 == 0 ? 200 : 404), "\(number)")
                if number % 50 == 0 { #expect(try client.reply().status == 200) }
            }
            #expect(engine.spoken == stride(from: 0, to: 400, by: 50).map { "Number \($0)." })
        }
    }

    @Test("Further requests wait until the client reads its responses")
    func unreadAnswers() throws {
        try WebServing.run(engine, limits) { web throws in
            let client = try web.client()
            // A response is longer than the system's buffers, so the next request waits for the reader.
            let text = String(repeating: "What is said is long. ", count: 20_000)
            try client.send(request(web, WebServing.call(text)) + request(web, WebServing.call("The next one.")))
            let first = try client.reply()
            #expect(first.status == 200 && first.body.count > 16 << 20)
            #expect(try client.reply().status == 200 && engine.spoken.last == "The next one.")
        }
    }

    @Test("A client can send thousands of requests over one connection")
    func keepsAlive() throws {
        try WebServing.run(engine, limits) { web throws in
            let client = try web.client()
            let first = try client.ask("GET", "/v1/audio/voices").body
            for number in 0..<3000 {
                let reply = try client.ask("GET", "/v1/audio/voices")
                guard reply.status == 200, reply.body == first else {
                    Issue.record("\(number): \(reply.status)")
                    return
                }
            }
            #expect(web.door.clientCount == 1)
        }
    }

    @Test("If there are too many requests, further ones are temporarily rejected, even on a different connection")
    func rate() throws {
        var limits = ServiceLimits()
        limits.webRequestsAtOnce = 20
        limits.webRequestsPerSecond = 1
        try WebServing.run(engine, limits) { web throws in
            var replies: [WebReply] = []
            // On a slow machine, this loop takes several seconds.
            while replies.count(where: { $0.status == 429 }) <= 10, replies.count < 10_000 {
                replies.append(try web.ask("GET", "/v1/models"))
            }
            #expect(replies.prefix(20).allSatisfy { $0.status == 200 })
            let refused = replies.filter { $0.status == 429 }
            #expect(refused.count > 10 && replies.allSatisfy { [200, 429].contains($0.status) })
            #expect(refused.allSatisfy { $0.errorCode == "too_many_requests" && $0["retry-after"] == "1" })
            #expect(refused.allSatisfy { $0["connection"] == "close" })
        }
    }

    /// Data that another program could interpret as two requests or as a request with a different body. `⏎` represents
    /// CRLF.
    private static let smuggled = [
        "Content-Length: 4⏎Transfer-Encoding: chunked⏎⏎0⏎⏎", "Transfer-Encoding: chunked⏎Content-Length: 0⏎⏎0⏎⏎",
        "Content-Length: 0⏎Content-Length: 40⏎⏎", "Content-Length: 0, 40⏎⏎", "Content-Length: +0⏎⏎",
        "Content-Length: 0x0⏎⏎", "Content-Length : 0⏎⏎", "Content-Length: 0\n⏎", "Transfer-Encoding: xchunked⏎⏎0⏎⏎",
        "Transfer-Encoding: chunked, identity⏎⏎0⏎⏎", "Transfer-Encoding : chunked⏎⏎0⏎⏎",
        "Transfer-Encoding:\u{B}chunked⏎⏎0⏎⏎", "X: 1⏎ Transfer-Encoding: chunked⏎⏎0⏎⏎",
        "Transfer-Encoding: chunked⏎Transfer-Encoding: x⏎⏎0⏎⏎", "Transfer-Encoding: chunked⏎⏎0x0⏎⏎",
        "Transfer-Encoding: chunked⏎⏎0 ⏎⏎", "Transfer-Encoding: chunked⏎⏎-0⏎⏎", "Transfer-Encoding: chunked⏎⏎0;\n⏎⏎",
        "Transfer-Encoding: chunked⏎⏎1⏎xx0⏎⏎", "Transfer-Encoding: chunked⏎⏎0\n\n",
        "Transfer-Encoding: chunked⏎⏎0⏎Content-Length: 9⏎⏎", "X: \rGET / HTTP/1.1⏎⏎", "\nContent-Length: 5⏎⏎",
    ]

    @Test("Ambiguous requests are rejected, and no second response follows", arguments: smuggled)
    func smuggling(_ text: String) throws {
        try WebServing.run(engine, limits, timeouts: Self.timeouts) { web throws in
            let client = try web.client()
            let hidden = web.head("GET /v1/models HTTP/1.1") + "\r\n"
            try client.send(web.head("POST /v1/audio/speech HTTP/1.1") + text.replacing("⏎", with: "\r\n") + hidden)
            let answers = String(decoding: client.rest(), as: UTF8.self)
            #expect(answers.hasPrefix("HTTP/1.1 4") || answers.hasPrefix("HTTP/1.1 501 "), "\(answers.prefix(60))")
            #expect(answers.matches(of: #/HTTP/1\.1 /#).count == 1 && !answers.contains("\"object\""))
        }
    }

    /// The start of a TLS 1.3 handshake, an HTTP/2 preface, and other protocols.
    private static let foreign: [[UInt8]] = [
        [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + [UInt8](repeating: 0xA5, count: 500),
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), Array("SSH-2.0-OpenSSH_9.2\r\n".utf8),
        Array("\r\n\r\n\r\nGET / HTTP/1.1\r\n".utf8), Array("{\"type\":\"describe\"}\n".utf8),
        Array("GET /\r\n".utf8), Array("EHLO a\r\nMAIL FROM:<a>\r\n".utf8), [0], [0xFF, 0xFE, 0xFD],
    ]

    @Test("Bytes in a different protocol get a single error response, and the connection is closed", arguments: foreign)
    func otherProtocols(_ bytes: [UInt8]) throws {
        try WebServing.run(engine, limits, timeouts: Self.timeouts) { web throws in
            let client = try web.client()
            try client.send(bytes)
            let answer = String(decoding: client.rest(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 505 "), "\(answer.prefix(60))")
            #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix("}\n"))
        }
    }

    @Test("Random bytes cause an error status or no response")
    func random() throws {
        try WebServing.run(engine, limits, timeouts: Self.timeouts) { web throws in
            let whole = request(web, WebServing.call("Hello."))
            for seed in 0..<150 {
                var numbers = SeededRandom(UInt64(seed))
                var bytes = whole
                if seed % 2 == 0 {
                    bytes = (0..<Int.random(in: 1...2000, using: &numbers)).map { _ in
                        .random(in: 0...255, using: &numbers)
                    }
                } else {
                    for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                        bytes[Int.random(in: bytes.indices, using: &numbers)] = .random(in: 0...255, using: &numbers)
                    }
                }
                let client = try web.client()
                try client.send(bytes)
                client.stream.finishWriting()
                let answer = String(decoding: client.rest(), as: UTF8.self)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 "), "seed \(seed): \(answer.prefix(60))")
                #expect(seed % 2 == 1 || !answer.hasPrefix("HTTP/1.1 2"), "seed \(seed)")
            }
            #expect(try web.ask("GET", "/v1/models").status == 200)
        }
    }

    @Test("A body that is too long or never ends is rejected before it is read")
    func tooLong() throws {
        try WebServing.run(engine, limits) { web throws in
            for length in ["1073741824", "4000000", "99999999999999999999"] {
                let client = try web.client()
                try client.send(web.head("POST /v1/audio/speech HTTP/1.1", "Content-Length: \(length)") + "\r\n")
                let reply = try client.reply()
                #expect(reply.status == 413 && reply["connection"] == "close", "\(length)")
            }
            let careful = try web.client()
            try careful.send(
                web.head("POST /v1/audio/speech HTTP/1.1", "Content-Length: 1073741824", "Expect: 100-continue")
                    + "\r\n")
            #expect(String(decoding: careful.rest(), as: UTF8.self).hasPrefix("HTTP/1.1 413 "))
            let endless = try web.client()
            try endless.send(web.head("POST /v1/audio/speech HTTP/1.1", "Transfer-Encoding: chunked") + "\r\n")
            let chunk = "10000\r\n" + String(repeating: " ", count: 1 << 16) + "\r\n"
            var sent = 0
            while sent < 1 << 30, !endless.stream.hasEnded, (try? endless.send(chunk)) != nil { sent += 1 << 16 }
            #expect(sent < 64 << 20 && engine.spoken.isEmpty)
        }
    }

    @Test("The total size of request bodies is limited; beyond that, bodies are temporarily rejected")
    func room() throws {
        var limits = ServiceLimits()
        limits.webBodyBytes = 100_000
        try WebServing.run(engine, limits) { web throws in
            let path = "/v1/audio/speech"
            let holder = try web.client()
            try holder.send(web.head("POST \(path) HTTP/1.1", "Content-Length: 90000") + "\r\n")
            try holder.send(String(repeating: " ", count: 80_000))
            web.server.bodies.waitForTaken(80_000)
            let padded = String(repeating: " ", count: 30_000) + WebServing.call("Hello.")
            let reply = try web.ask("POST", path, body: padded)
            #expect(reply.status == 503 && reply.errorCode == "busy" && reply["retry-after"] == "1")
            #expect(try web.ask("POST", path, body: WebServing.call("Hello.")).status == 200)
            holder.stream.stop()
            web.server.bodies.waitForTaken(0)
            #expect(try web.ask("POST", path, body: padded).status == 200)
        }
    }

    @Test("`100 Continue` is sent only if the client waits for it and the body is needed")
    func expectations() throws {
        try WebServing.run(engine, limits) { web throws in
            let client = try web.client()
            let body = WebServing.call("Hello.")
            let wait = ["Content-Length: \(body.utf8.count)", "Expect: 100-continue"]
            try client.send(web.head("POST /v1/audio/speech HTTP/1.1", wait[0], wait[1]) + "\r\n")
            #expect(try client.interim() == 100)
            try client.send(body)
            #expect(try client.reply().status == 200)
            try client.send(web.head("POST /nothing HTTP/1.1", wait[0], wait[1]) + "\r\n")
            let refused = try client.reply()
            #expect(refused.status == 404 && refused["connection"] == "close")
        }
    }

    @Test("HTTP/1.0 requests get a response without chunks, after which the connection is closed")
    func oldVersion() throws {
        try WebServing.run(engine, limits) { web throws in
            let new = try web.ask("POST", "/v1/audio/speech", body: WebServing.call("Hello."))
            let client = try web.client()
            let body = WebServing.call("Hello.")
            try client.send(
                "POST /v1/audio/speech HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            let reply = try client.reply()
            #expect(reply.status == 200 && !reply.isChunked && reply["connection"] == "close" && reply.body == new.body)
            let events = try web.client()
            try events.send("HEAD /v1/models HTTP/1.0\r\n\r\n")
            #expect(String(decoding: events.rest(), as: UTF8.self).hasSuffix("\r\n\r\n"))
        }
    }
}
