import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

@Suite("Engine failures over HTTP", .ownThreads)
struct WebFailureTests {
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 200)
    private static let path = "/v1/audio/speech"
    private static let breaking = "One two three four. Then boom comes. Nobody hears this."

    private func call(_ more: String) -> String {
        #"{"voice":"Ann","input":"\#(Self.breaking)"\#(more)}"#
    }

    /// Returns the received bytes of a truncated response; nil if it is complete.
    private func cut(_ client: WebConversation) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            while let piece = try client.piece() { bytes += piece }
            return nil
        } catch WebConversation.Failure.cut {
            return bytes
        }
    }

    @Test(
        "If an engine fails in the middle of a response, every client can detect the truncation",
        arguments: ["pcm", "wav", "mp3", "opus", "flac"])
    func cutsInside(_ format: String) throws {
        try WebServing.run(engine) { web throws in
            engine.crash(at: "boom")
            for version in ["1.0", "1.1"] {
                let body = call(#","response_format":"\#(format)""#)
                let client = try web.client()
                try client.send(
                    web.head("POST \(Self.path) HTTP/\(version)", "Content-Length: \(body.utf8.count)") + "\r\n\(body)")
                let head = try client.head()
                // An encoder with large buffers may not have written anything yet.
                if head.status == 503 { continue }
                #expect(head.status == 200)
                #expect(try cut(client) != nil, "\(version)")
                #expect(client.rest().isEmpty)
            }
            engine.crash(at: nil)
            #expect(try web.ask("POST", Self.path, body: call("")).status == 200)
        }
    }

    @Test("In an event stream, a failure is reported as an event, even to a slow client")
    func event() throws {
        let engine = TestEngine(sampleRate: 24_000, framesPerByte: 4000)
        try WebServing.run(engine) { web throws in
            engine.crash(at: "boom")
            let client = try web.client()
            try client.send("POST", Self.path, body: call(#","response_format":"pcm","stream_format":"sse""#))
            engine.waitForSentences(2)
            var last = ""
            #expect(throws: WebConversation.Failure.cut) {
                _ = try client.head()
                while let event = try client.event() { last = event.data ?? last }
            }
            #expect(last.contains(#""type":"error""#) && last.contains("engine_failed"))
        }
    }

    @Test("In captions, a failure is reported after all the complete lines that precede it")
    func captions() throws {
        try WebServing.run(engine) { web throws in
            engine.crash(at: "boom")
            let client = try web.client()
            try client.send("POST", "/dev/captioned_speech", body: call(#","response_format":"pcm""#))
            #expect(try client.head().status == 200)
            let lines = try #require(try cut(client)).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            #expect(lines.last?.contains("engine_failed") == true && lines.contains { $0.contains("\"three\"") })
        }
    }

    @Test("An engine that hangs before its first audio does not affect other voices")
    func hangs() throws {
        let other = TestEngine(sampleRate: 24_000, framesPerByte: 20)
        try WebServing.run(engine) { web throws in
            web.double.enginesOfVoices.update { $0["Eve"] = other }
            let alone = try web.ask("POST", Self.path, body: WebServing.call("Hello there.", voice: "Eve")).body
            engine.hold()
            let waiting = try (0..<8).map { number in
                let client = try web.client()
                try client.send("POST", Self.path, body: WebServing.call("Number \(number)."))
                return client
            }
            engine.waitForSentences(1)
            for _ in 0..<5 {
                #expect(
                    try web.ask("POST", Self.path, body: WebServing.call("Hello there.", voice: "Eve")).body == alone)
            }
            web.double.broken.update { $0 = ["Bob"] }
            let broken = try web.ask("POST", Self.path, body: WebServing.call("Hello.", voice: "Bob"))
            #expect(
                broken.status == 503 && broken.errorCode == "engine_failed"
                    && broken.json?.text("error", "type") == "server_error")
            engine.release()
            for client in waiting { #expect(try client.reply().status == 200) }
        }
    }

    @Test("When a client disconnects, its engine becomes free immediately, and the metrics include the request")
    func leaves() throws {
        let engine = TestEngine(sampleRate: 24_000, framesPerByte: 4000, lanes: 1)
        try WebServing.run(engine) { web throws in
            let text = String(repeating: "This is long. ", count: 500)
            for round in 1...6 {
                let count = engine.spoken.count
                let client = try web.client()
                try client.send("POST", Self.path, body: WebServing.call(text))
                if round % 2 == 0 { _ = try client.head() } else { engine.waitForSentences(count + 1) }
                client.stream.stop()
                web.door.waitForClients(0)
                let figures = web.service.figures()
                #expect(figures.speeches == .init(running: 0, waiting: 0) && figures.utterances.failed == 0)
                #expect(try web.ask("POST", Self.path, body: WebServing.call("Next.")).status == 200)
                web.door.waitForClients(0)
            }
            #expect(web.service.figures().utterances.cancelled > 0)
            #expect(web.server.requests.metrics.contains(#"kind="speech",status="2xx""#))
        }
    }

    @Test("No resources remain in use even if many clients disconnect at arbitrary times")
    func storm() throws {
        try WebServing.run(engine) { web throws in
            let ended = Monitor(0)
            for number in 0..<8 {
                startThread("storm") {
                    for round in 0..<15 {
                        guard let client = try? web.client() else { continue }
                        let text = String(repeating: "Client \(number) says. ", count: 1 + round * 20)
                        try? client.send("POST", Self.path, body: WebServing.call(text))
                        if round % 3 > 0 { _ = try? client.head() }
                        if round % 3 > 1 { _ = try? client.piece() }
                        client.stream.stop()
                    }
                    ended.update { $0 += 1 }
                }
            }
            _ = ended.wait { $0 == 8 ? true : nil }
            web.door.waitForClients(0)
            #expect(web.service.figures().speeches == .init(running: 0, waiting: 0))
            #expect(try web.ask("POST", Self.path, body: WebServing.call("Well.")).status == 200)
        }
    }
}
