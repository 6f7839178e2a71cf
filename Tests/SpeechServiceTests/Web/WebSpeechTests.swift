import Foundation
import SynthHost
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService

@Suite("Speech over HTTP", .ownThreads)
struct WebSpeechTests {
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 10)
    private static let path = "/v1/audio/speech"

    private func body(_ input: String, _ more: String = "") -> String {
        #"{"model":"tts-1","voice":"Ann","input":"\#(input)"\#(more)}"#
    }

    /// The test engine generates ten frames of constant level per byte. Pauses between sentences are not counted.
    private func loud(_ pcm: [UInt8]) -> Int {
        stride(from: 0, to: pcm.count - 1, by: 2).count { pcm[$0 + 1] >= 0x18 }
    }

    @Test("Samples are sent in chunks as they are computed")
    func pcm() throws {
        try WebServing.run(engine) { web throws in
            let reply = try web.ask("POST", Self.path, body: body("Hello there.", #","response_format":"pcm""#))
            #expect(reply.status == 200 && reply.isChunked)
            #expect(reply["content-type"]?.hasPrefix("audio/pcm") == true)
            #expect(reply["synthhost-voice"] == "test/Ann")
            #expect(loud(reply.body) >= 100)
        }
    }

    @Test("Repeated requests over one connection get the same audio")
    func keepAlive() throws {
        try WebServing.run(engine) { web throws in
            let client = try web.client()
            let bodies = try (0..<20).map { _ in
                try client.ask("POST", Self.path, body: body("Again.", #","response_format":"wav""#)).body
            }
            #expect(Set(bodies).count == 1 && bodies[0].starts(with: "RIFF".utf8))
        }
    }

    @Test(
        "Text that produces no audio causes an error in every response format",
        arguments: [
            "", #","stream":false"#, #","response_format":"wav""#, #","stream_format":"sse","timestamps":true"#,
        ], [path, "/dev/captioned_speech"])
    func nothingToSay(more: String, path: String) throws {
        try WebServing.run(engine) { web throws in
            let input = "<speak><mark name='m'/></speak>"
            let reply = try web.ask("POST", path, body: body(input, #","input_format":"ssml""# + more))
            #expect(reply.status == 400 && reply.errorCode == "nothing_to_say", "\(reply.text)")
        }
    }

    @Test("A pause on its own yields silence")
    func pauseAlone() throws {
        let more = #","response_format":"pcm","input_format":"ssml""#
        try WebServing.run(engine) { web throws in
            let reply = try web.ask("POST", Self.path, body: body("<speak><break time='500ms'/></speak>", more))
            #expect(reply.status == 200 && reply.body.count == 24_000 && reply.body.allSatisfy { $0 == 0 })
        }
    }

    @Test("The response starts before the remaining audio has been computed")
    func streams() throws {
        try WebServing.run(engine) { web throws in
            let client = try web.client()
            // The second sentence is not spoken until the first one has been received.
            let text = String(repeating: "word ", count: 40) + "one. Two."
            try client.send("POST", Self.path, body: body(text, #","response_format":"pcm""#))
            let head = try client.head()
            #expect(head.status == 200)
            var sound = try client.piece() ?? []
            #expect(!sound.isEmpty)
            while let piece = try client.piece() { sound += piece }
            #expect(loud(sound) >= 10 * 200)
        }
    }

    @Test("Events report words and sentences with their positions and times")
    func events() throws {
        try WebServing.run(engine) { web throws in
            let client = try web.client()
            try client.send(
                "POST", Self.path,
                body: body("Grüße, you.", #","response_format":"pcm","stream_format":"sse","timestamps":true"#))
            #expect(try client.head()["content-type"] == "text/event-stream")
            var found: [(type: String, node: JSONNode)] = []
            while let event = try client.event() {
                guard let data = event.data else { continue }
                let node = try JSONReader.read(Array(data.utf8))
                guard case .string(let type)? = node.value(at: ["type"]) else { continue }
                found.append((type, node))
            }
            #expect(found.last?.type == "speech.audio.done")
            let words = found.filter { $0.type == "speech.word" }.map { $0.node.value(at: ["text"]) }
            #expect(words == [.string("Grüße,"), .string("you.")])
            let starts = found.filter { $0.type == "speech.word" }.map { $0.node.value(at: ["start"]) }
            #expect(starts == [.number(0), .number(9)])
            #expect(found.first { $0.type == "speech.sentence" }?.node.value(at: ["end"]) == .number(13))
            let sound = found.filter { $0.type == "speech.audio.delta" }.reduce(into: [UInt8]()) { sound, event in
                if case .string(let text)? = event.node.value(at: ["audio"]) {
                    sound += Data(base64Encoded: text).map { [UInt8]($0) } ?? []
                }
            }
            let plain = try web.ask("POST", Self.path, body: body("Grüße, you.", #","response_format":"pcm""#))
            #expect(sound == plain.body)
        }
    }

    @Test("Captions are in Kokoro-FastAPI's format", arguments: [true, false])
    func captions(_ isStreamed: Bool) throws {
        try WebServing.run(engine) { web throws in
            let reply = try web.ask(
                "POST", "/dev/captioned_speech",
                body: body("Hello, world.", #","response_format":"pcm","stream":\#(isStreamed)"#))
            let lines = try reply.body.split(separator: 0x0A).map { try JSONReader.read(Array($0)) }
            #expect(isStreamed || lines.count == 1)
            var words: [JSONNode.Value?] = []
            var last = -1.0
            for case .array(let times)? in lines.map({ $0.value(at: ["timestamps"]) }) {
                for time in times {
                    words.append(time.value(at: ["word"]))
                    guard case .number(let start)? = time.value(at: ["start_time"]),
                        case .number(let end)? = time.value(at: ["end_time"])
                    else {
                        Issue.record("\(time)")
                        continue
                    }
                    #expect(start >= last && end > start)
                    last = end
                }
            }
            #expect(words == [.string("Hello,"), .string("world.")])
        }
    }

    @Test("A failure before any audio is sent results in a specific status")
    func failsBefore() throws {
        try WebServing.run(engine) { web throws in
            web.double.broken.update { $0 = ["Ann"] }
            let reply = try web.ask("POST", Self.path, body: body("Hello."))
            #expect(reply.status == 503)
            #expect(reply.json?.value(at: ["error", "code"]) == .string("engine_failed"))
            web.double.broken.update { $0 = [] }
            #expect(try web.ask("POST", Self.path, body: body("Hello.")).status == 200)
        }
    }

    @Test("A failure in the middle of the audio truncates the response, and events include the reason")
    func failsInside() throws {
        try WebServing.run(engine) { web throws in
            engine.crash(at: "boom")
            let text = "One two three four. Then boom comes."
            let client = try web.client()
            try client.send("POST", Self.path, body: body(text, #","response_format":"pcm""#))
            #expect(try client.head().status == 200)
            #expect(throws: WebConversation.Failure.cut) { while try client.piece() != nil {} }
            let events = try web.client()
            try events.send(
                "POST", Self.path, body: body(text, #","response_format":"pcm","stream_format":"sse""#))
            _ = try events.head()
            var last: String?
            #expect(throws: WebConversation.Failure.cut) { while let event = try events.event() { last = event.data } }
            #expect(last?.contains(#""type":"error""#) == true && last?.contains("engine_failed") == true)
            engine.crash(at: nil)
            #expect(try web.ask("POST", Self.path, body: body("Well.")).status == 200)
        }
    }

    @Test("A waiting request is cancelled when its client disconnects")
    func leaves() throws {
        try WebServing.run(engine) { web throws in
            engine.hold()
            let client = try web.client()
            try client.send("POST", Self.path, body: body("Nobody hears this."))
            engine.waitForSentences(1)
            client.stream.stop()
            web.double.warm.counters.waitForCancelled(1)
            engine.release()
            #expect(try web.ask("POST", Self.path, body: body("Next.")).status == 200)
        }
    }

    @Test("When the service exits, a running request gets an error")
    func ends() throws {
        try WebServing.run(engine) { web throws in
            engine.hold()
            let client = try web.client()
            try client.send("POST", Self.path, body: body("This waits."))
            engine.waitForSentences(1)
            web.door.drain(until: .now, timeout: .seconds(600))
            let reply = try client.reply()
            #expect(reply.status == 503)
            #expect(reply.json?.value(at: ["error", "code"]) == .string("ending"))
        }
    }

    @Test("The configuration maps OpenAI's voice names to voices, and the default voice is used for unmapped names")
    func openAI() throws {
        try WebServing.run(engine) { web throws in
            web.double.configure { $0.openai = ["nova": "Eve"] }
            let call = #"{"input":"a","response_format":"pcm","voice":"#
            #expect(try web.ask("POST", Self.path, body: call + #""nova"}"#)["synthhost-voice"] == "test/Eve")
            #expect(try web.ask("POST", Self.path, body: call + #""alloy"}"#)["synthhost-voice"] == "test/Ann")
            let unknown = try web.ask("POST", Self.path, body: call + #""Nobody"}"#)
            #expect(unknown.status == 400)
            #expect(unknown.json?.value(at: ["error", "code"]) == .string("unknown_voice"))
        }
    }

    @Test("Engines are listed as models, and voices are listed by name")
    func lists() throws {
        try WebServing.run(engine) { web throws in
            let models = try web.ask("GET", "/v1/models").json
            guard case .array(let data)? = models?.value(at: ["data"]) else { return #expect(Bool(false)) }
            #expect(data.map { $0.value(at: ["id"]) } == [.string("test")])
            #expect(try web.ask("GET", "/v1/models/test").status == 200)
            #expect(try web.ask("GET", "/v1/models/none").status == 404)
            guard case .array(let voices)? = try web.ask("GET", "/v1/audio/voices").json?.value(at: ["voices"]) else {
                return #expect(Bool(false))
            }
            #expect(voices.map { $0.value(at: ["id"]) } == ["Ann", "Bob", "Eve"].map { .string("test/\($0)") })
            #expect(voices[0].value(at: ["name"]) == .string("Ann"))
        }
    }
}
