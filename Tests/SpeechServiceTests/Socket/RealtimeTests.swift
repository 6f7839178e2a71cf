import Foundation
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

@Suite("The realtime socket", .ownThreads)
struct RealtimeTests {
    private let home: RecognizerHome

    init() throws { home = try RecognizerHome() }

    private func serving<Value>(
        _ limits: ServiceLimits = ServiceLimits(), isOpen: Bool = true, _ home: RecognizerHome? = nil,
        _ body: (WebServing) throws -> Value
    ) throws -> Value {
        try WebServing.run(
            TestEngine(framesPerByte: 10), limits, isOpen: isOpen, transcription: (home ?? self.home).host, body)
    }

    private static let path = "/v1/realtime?intent=transcription"

    private func open(
        _ web: WebServing, _ path: String = path, _ more: [(name: String, value: String)] = []
    ) throws -> SocketConversation { try SocketConversation(web.client(), path, more) }

    /// Audio that is loud enough to be treated as speech, followed by silence. The lengths are in seconds.
    private static func said(_ seconds: Double, silence: Double, rate: Double = 16_000) -> [UInt8] {
        let samples = (0..<Int(seconds * rate)).map { place -> Int16 in
            let level = 0.5 + 0.45 * sin(Double(place) / rate * 2 * .pi * 4)
            return Int16(sin(Double(place) / rate * 2 * .pi * 700) * level * 20_000)
        }
        return PCMBytes.bytes(samples + [Int16](repeating: 0, count: Int(silence * rate)))
    }

    private static let update =
        #"{"type":"session.update","session":{"type":"transcription","include":["synthhost"],"#
        + #""audio":{"input":{"format":{"type":"audio/pcm","rate":16000}}}}}"#

    /// A session that also sends synthhost's own events, with audio at 16 kHz.
    private func session(_ web: WebServing) throws -> SocketConversation {
        let socket = try open(web)
        try socket.send(Self.update)
        #expect(try socket.events(until: "session.updated").first?.text("type") == "session.created")
        return socket
    }

    private static let completed = "conversation.item.input_audio_transcription.completed"
    private static let delta = "conversation.item.input_audio_transcription.delta"

    @Test("Speech is transcribed as it arrives, and pauses separate the turns")
    func turns() throws {
        try serving { web throws in
            let socket = try session(web)
            try socket.send(sound: Self.said(1, silence: 1))
            try socket.send(sound: Self.said(1, silence: 1))
            let first = try socket.events(until: Self.completed)
            let kinds = first.compactMap { $0.text("type") }
            for kind in [
                "synthhost.state", "input_audio_buffer.speech_started", "synthhost.tentative", Self.delta,
                "input_audio_buffer.speech_stopped", "input_audio_buffer.committed", "conversation.item.added",
            ] { #expect(kinds.contains(kind), "\(kind)") }
            let whole = try #require(first.last)
            #expect(whole.text("transcript") == "Hello, world." && whole.text("item_id") == "item_1")
            let deltas = first.filter { $0.text("type") == Self.delta }.compactMap { $0.text("delta") }
            #expect(deltas.joined() == "Hello, world.")
            #expect(abs((whole.number("end") ?? 0) - 1) < 0.4, "\(whole)")
            let words = whole.elements("words")
            #expect(words.compactMap { $0.text("word") } == ["Hello,", "world."])
            #expect(words.last?.number("character_start") == 7 && words.last?.number("character_end") == 13)
            try socket.send(#"{"type":"synthhost.finish"}"#)
            let second = try socket.events(until: "synthhost.finished")
            let next = try #require(second.first { $0.text("type") == Self.completed })
            #expect(next.text("transcript") == "Hello, world." || next.text("transcript") == "forty-two point five")
            #expect((next.number("start") ?? 0) > 1.5)
            // On a busy machine, the second turn may be committed before the first one is transcribed.
            let committed = (first + second).last { $0.text("type") == "input_audio_buffer.committed" }
            #expect(committed?.text("item_id") == "item_2" && committed?.text("previous_item_id") == "item_1")
            #expect(try socket.next() == .close(1000))
        }
    }

    @Test("OpenAI's event format is accepted, with base64 audio at 24 kHz and commits by the client")
    func commits() throws {
        try serving { web throws in
            let socket = try open(web, "/v1/realtime?model=gpt-realtime")
            #expect(try socket.event()?.text("session", "type") == "realtime")
            let off =
                #"{"type":"session.update","session":{"type":"transcription","audio":{"input":{"turn_detection":null}}}}"#
            try socket.send(off)
            #expect(try socket.event()?.text("session", "type") == "transcription")
            try socket.send(#"{"type":"input_audio_buffer.commit","event_id":"mine"}"#)
            let empty = try socket.event()
            #expect(empty?.text("error", "code") == "input_audio_buffer_commit_empty")
            #expect(empty?.text("error", "event_id") == "mine")
            let sound = Base64.text(of: Self.said(1, silence: 0.5, rate: 24_000))
            try socket.send(#"{"type":"input_audio_buffer.append","audio":"\#(sound)"}"#)
            try socket.send(#"{"type":"input_audio_buffer.commit"}"#)
            let events = try socket.events(until: Self.completed)
            #expect(events.last?.text("transcript") == "Hello, world.")
            // OpenAI's clients do not get any of synthhost's own events.
            #expect(events.allSatisfy { $0.text("type")?.hasPrefix("synthhost.") == false })
            try socket.send(#"{"type":"input_audio_buffer.append","audio":"\#(sound)"}"#)
            try socket.send(#"{"type":"input_audio_buffer.clear"}"#)
            #expect(
                try socket.events(until: "input_audio_buffer.cleared").allSatisfy { $0.text("type") != Self.completed })
        }
    }

    @Test("Turn detection uses the requested padding within limits, and the session reports the value in use")
    func padding() throws {
        try serving { web throws in
            var starts: [Double] = []
            for (asked, told) in [(0, 0.0), (500, 500.0), (9000, 1000.0)] {
                let socket = try session(web)
                try socket.send(
                    #"{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad","threshold":0.9,"prefix_padding_ms":\#(asked)}}}}}"#
                )
                let session = try socket.events(until: "session.updated").last
                #expect(session?.number("session", "audio", "input", "turn_detection", "prefix_padding_ms") == told)
                #expect(session?.number("session", "audio", "input", "turn_detection", "threshold") == 0.5)
                let quiet = [UInt8](repeating: 0, count: 64_000)
                try socket.send(sound: quiet + Self.said(1, silence: 1))
                let events = try socket.events(until: "input_audio_buffer.speech_started")
                starts.append(try #require(events.last?.number("audio_start_ms")))
            }
            #expect(abs(starts[0] - starts[1] - 500) <= 20 && abs(starts[0] - starts[2] - 1000) <= 20, "\(starts)")
        }
    }

    @Test("An invalid event causes an error, and the session continues")
    func mistakes() throws {
        try serving { web throws in
            let socket = try session(web)
            let wrong: [(String, String)] = [
                ("no", "not_json"), ("[]", "not_json"), ("{}", "missing_parameter"),
                (#"{"type":"session.delete"}"#, "unknown_parameter"),
                (#"{"type":"input_audio_buffer.append"}"#, "invalid_parameter"),
                (#"{"type":"input_audio_buffer.append","audio":"%"}"#, "invalid_parameter"),
                (#"{"type":"session.update"}"#, "invalid_parameter"),
                (#"{"type":"session.update","session":{"type":"x"}}"#, "invalid_parameter"),
                (
                    #"{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcm","rate":1}}}}}"#,
                    "invalid_parameter"
                ),
                (
                    #"{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"nobody"}}}}}"#,
                    "unknown_model"
                ),
                (
                    #"{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"ears"}}}}}"#,
                    "invalid_parameter"
                ),
                (
                    #"{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad","threshold":2}}}}}"#,
                    "invalid_parameter"
                ),
                (
                    #"{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad","prefix_padding_ms":-1}}}}}"#,
                    "invalid_parameter"
                ),
                (#"{"type":"response.cancel"}"#, "response_cancel_not_active"),
                (#"{"type":"conversation.item.create","item":{"type":"function_call"}}"#, "invalid_parameter"),
                (#"{"type":"response.create"}"#, "nothing_to_say"),
            ]
            for (text, code) in wrong {
                try socket.send(text)
                #expect(try socket.events(until: "error").last?.text("error", "code") == code, "\(text)")
            }
            try socket.send(#"{"type":"synthhost.finish"}"#)
            #expect(try socket.events(until: "synthhost.finished").count > 0)
        }
    }

    @Test("The client's items are spoken one response at a time")
    func speech() throws {
        try serving { web throws in
            for isBeta in [false, true] {
                let socket = try open(web, "/v1/realtime", isBeta ? [("OpenAI-Beta", "realtime=v1")] : [])
                try socket.send(
                    #"{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello there."}]}}"#
                )
                try socket.send(#"{"type":"response.create","response":{"voice":"Ann"}}"#)
                let events = try socket.events(until: "response.done")
                let done = try #require(events.last)
                #expect(done.text("response", "status") == "completed", "\(done)")
                let sound = isBeta ? "audio" : "output_audio"
                let deltas = events.filter { $0.text("type") == "response.\(sound).delta" }
                #expect(deltas.compactMap { $0.text("delta").flatMap(Base64.bytes) }.joined().count > 100)
                let said = events.first { $0.text("type") == "response.\(sound)_transcript.done" }
                #expect(said?.text("transcript") == "Hello there.")
                try socket.send(#"{"type":"response.create"}"#)
                #expect(try socket.events(until: "error").last?.text("error", "code") == "nothing_to_say")
            }
        }
    }

    @Test("The socket requires permission to transcribe, and only the service's own pages may use it")
    func access() throws {
        func status(_ web: WebServing, _ more: [(name: String, value: String)]) throws -> Int {
            let client = try web.client()
            try client.send("GET", Self.path, SocketConversation.headers + more)
            return try client.interim()
        }
        try serving { web throws in
            #expect(try web.ask("GET", Self.path).status == 426)
            #expect(try status(web, [("Origin", "http://127.0.0.1:\(web.port)")]) == 101)
            #expect(try status(web, [("Origin", "https://example.org")]) == 403)
            #expect(try status(web, [("Host", "example.org")]) == 421)
            #expect(
                try status(web, [("Sec-WebSocket-Protocol", "realtime, openai-insecure-api-key.not-needed")]) == 101)
        }
        try serving(isOpen: false) { web throws in
            #expect(try status(web, []) == 401)
            #expect(try status(web, WebServing.bearer) == 101)
            #expect(try status(web, [("Cookie", "synthhost=\(WebServing.token)")]) == 101)
            let key = "openai-insecure-api-key.\(WebServing.token)"
            #expect(try status(web, [("Sec-WebSocket-Protocol", "realtime, \(key)")]) == 101)
            #expect(try status(web, [("Sec-WebSocket-Protocol", "realtime, openai-insecure-api-key.wrong")]) == 401)
        }
        var limits = ServiceLimits()
        limits.realtimeSessions = 1
        try serving(limits) { web throws in
            let first = try open(web)
            #expect(try status(web, []) == 503)
            try first.send(frame: WebSocketReaderTests.frame(0x88, [3, 232]))
            while try first.next() != nil {}
            #expect(first.web.isClosed())
        }
    }

    @Test("Malicious frames cause the connection to be closed with a specific code, and pings are answered")
    func frames() throws {
        try serving { web throws in
            let socket = try session(web)
            try socket.send(frame: WebSocketReaderTests.frame(0x89, [1, 2]))
            var seen = try socket.next()
            while case .text = seen { seen = try socket.next() }
            #expect(seen == .pong([1, 2]))
            let hostile: [([UInt8], UInt16)] = [
                ([0x81, 1, 65], 1002), (WebSocketReaderTests.frame(0x81, [0xFF]), 1007),
                (WebSocketReaderTests.frame(0x82, [], stated: [127, 0, 0, 1, 0, 0, 0, 0, 0]), 1009),
                (WebSocketReaderTests.frame(0x88, [3, 233]), 1001), (WebSocketReaderTests.frame(0x88, []), 1000),
            ]
            for (bytes, code) in hostile {
                let socket = try open(web)
                try socket.send(frame: bytes)
                var last = try socket.next()
                while case .text = last { last = try socket.next() }
                #expect(last == .close(code))
                #expect(try socket.next() == nil)
            }
        }
    }

    @Test("Transcription stops when the client disconnects, and sessions end when the service exits")
    func leaving() throws {
        try serving { web throws in
            let socket = try session(web)
            try socket.send(sound: Self.said(1, silence: 0))
            _ = try socket.events(until: "input_audio_buffer.speech_started")
            socket.web.stream.stop()
            web.service.counters.waitForTranscriptions { $0.running == 0 && $0.waiting == 0 && $0.cancelled == 1 }
            let other = try session(web)
            web.server.drain()
            #expect(try other.events(until: "error").last?.text("error", "code") == "ending")
            #expect(try other.next() == .close(1001))
        }
    }

    @Test("The recognition models are listed")
    func recognizers() throws {
        try serving { web throws in
            let list = try #require(try web.ask("GET", "/api/recognizers").json)
            #expect(list.text("chosen") == "scripted/script")
            let entry = list.elements("recognizers").first { $0.text("key") == "scripted/script" }
            #expect(entry?.text("state") == "ready" && entry?.number("missing") == 0)
            #expect(try web.ask("GET", "/api/recognizers?key=scripted/script").json?.text("model") == "script")
            #expect(try web.ask("GET", "/api/recognizers?key=no/one").errorCode == "unknown_model")
            let post = try web.ask(
                "POST", "/api/recognizers/downloads", WebServing.bearer, body: #"{"key":"scripted/script"}"#)
            #expect(post.status == 200 && post.json?.text("state") == "ready")
            #expect(try web.ask("POST", "/api/recognizers/downloads", body: "{}").status == 401)
            #expect(
                try web.ask("DELETE", "/api/recognizers/downloads?key=scripted/script", WebServing.bearer).status == 200
            )
        }
    }
}
