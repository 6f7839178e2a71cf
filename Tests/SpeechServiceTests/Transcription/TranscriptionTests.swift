import Foundation
import SynthEngineProcesses
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

@Suite("Transcribing recordings over HTTP", .ownThreads)
struct TranscriptionTests {
    private let home: RecognizerHome

    init() throws { home = try RecognizerHome() }

    private func serving<Value>(
        _ limits: ServiceLimits = ServiceLimits(), isOpen: Bool = true, _ home: RecognizerHome? = nil,
        _ body: (WebServing) throws -> Value
    ) throws -> Value {
        try WebServing.run(TestEngine(), limits, isOpen: isOpen, transcription: (home ?? self.home).host, body)
    }

    private static let text = "Hello, world. forty-two point five"

    @Test("A recording is transcribed in each response format of OpenAI's API")
    func forms() throws {
        try serving { serving throws in
            let json = try serving.transcribe(["model": "whisper-1"])
            #expect(json.status == 200 && json["content-type"] == "application/json", "\(json.text)")
            #expect(json.json?.text("text") == Self.text)
            #expect(json.json?.text("usage", "type") == "duration")
            #expect(try serving.transcribe(["response_format": "text"]).text == Self.text + "\n")
            let srt = try serving.transcribe(["response_format": "srt"]).text.split(separator: "\n")
            #expect(srt.count == 6 && srt[0] == "1" && srt[1].contains(",") && srt[2] == "Hello, world.", "\(srt)")
            let vtt = try serving.transcribe(["response_format": "vtt"])
            #expect(vtt.text.hasPrefix("WEBVTT\n\n00:00:0") && vtt["content-type"] == "text/vtt; charset=utf-8")
            let verbose = try #require(
                try serving.transcribe(
                    ["response_format": "verbose_json", "language": "en", "temperature": "0.2", "prompt": "Numbers."],
                    repeated: [("timestamp_granularities[]", "word"), ("timestamp_granularities[]", "segment")]
                ).json)
            #expect(verbose.text("language") == "en" && verbose.text("text") == Self.text)
            #expect(verbose.number("duration") == 2.5)
            let (segments, words) = (verbose.elements("segments"), verbose.elements("words"))
            #expect(segments.count == 2 && words.map { $0.text("word") }.first == "Hello," && words.count == 5)
            let start = try #require(segments.last?.number("start"))
            #expect(abs(start - 1.5) < 0.05)
            let usual = try #require(try serving.transcribe(["response_format": "verbose_json"]).json)
            #expect(usual.value(at: ["words"]) == nil && usual.elements("segments").count == 2)
        }
    }

    @Test("The verbose_json format lists the omitted text")
    func leftOut() throws {
        try serving(ServiceLimits(), try RecognizerHome("deaf", ["LEAVES_OUT=3", "TRANSCRIBES"], as: "deaf")) {
            serving throws in
            let verbose = try serving.transcribe(["response_format": "verbose_json"])
            #expect(verbose.json?.text("text") == "Hello")
            let one = try #require(verbose.json?.elements("left_out").first)
            #expect(one.text("text") == "Thank you." && one.text("reason") == "no_speech" && one.number("end") == 0.5)
        }
    }

    @Test("Channels are transcribed separately if requested")
    func channels() throws {
        let tones = RecognizerHome.stretches([(0.5, 2)]) + RecognizerHome.stretches([(0.5, 0.5)])
        let call = tones.enumerated().flatMap { (place, sample) -> [Int16] in
            place < 32_000 ? [sample, 0] : [0, sample]
        }
        let sound = RecognizerHome.wav(PCMBytes.bytes(call), channels: 2)
        let each = "Left: Hello, world.\nRight: Hello, world."
        try serving { serving throws in
            #expect(try serving.transcribe(["channels": "mix"], file: sound).json?.text("text") == Self.text)
            #expect(try serving.transcribe(["channels": "split"], file: sound).json?.text("text") == each)
            let vtt = try serving.transcribe(["channels": "split", "response_format": "vtt"], file: sound).text
            #expect(vtt.contains("\n<v Left>Hello, world.\n") && vtt.contains("\n<v Right>Hello, world.\n"), "\(vtt)")
            let verbose = try serving.transcribe(["channels": "split", "response_format": "verbose_json"], file: sound)
            #expect(verbose.json?.elements("segments").map { $0.number("channel") } == [1, 2])
            let wrong = try serving.transcribe(["channels": "both"], file: sound)
            #expect(wrong.status == 400 && wrong.json?.text("error", "param") == "channels")
            let client = try serving.client()
            try client.send(serving.form(["stream": "true", "channels": "split"], file: sound))
            _ = try client.head()
            var deltas = ""
            while let event = try client.event() {
                deltas += try JSONReader.read(Array((event.data ?? "").utf8)).text("delta") ?? ""
            }
            #expect(deltas == each)
        }
    }

    @Test(
        "A recording may be in any format that ffmpeg can read",
        .enabled(if: GeneratedMedia.isPossible, "\(GeneratedMedia.missing)"))
    func media() throws {
        let path = home.home.file("talk.wav")
        try Data(RecognizerHome.talk).write(to: URL(filePath: path))
        try serving { serving throws in
            for media in GeneratedMedia.allCases {
                let sound = Array(try Data(contentsOf: URL(filePath: try media.make(of: path))))
                let reply = try serving.transcribe([:], file: sound)
                #expect(reply.status == 200 && reply.json?.text("text") == Self.text, "\(media) \(reply.text)")
            }
            for file in [[], Array("A text.".utf8)] {
                let reply = try serving.transcribe([:], file: file)
                #expect(reply.status == 400 && reply.errorCode == "invalid_sound", "\(reply.text)")
            }
        }
    }

    @Test(
        "A request with an unknown form field is rejected before it has been read completely, and the error names it"
    )
    func unknownFields() throws {
        try serving { serving throws in
            let ignored = [
                "include[]": "logprobs", "chunking_strategy[type]": "server_vad", "known_speaker_names[]": "Ann",
            ]
            #expect(try serving.transcribe(ignored).status == 200)
            for name in ["lang", "audio", "Model", "temperatur"] {
                let reply = try serving.transcribe([name: "x"])
                #expect(reply.status == 400 && reply.errorCode == "unknown_parameter", "\(reply.text)")
                #expect(reply.json?.text("error", "param") == name)
            }
            for text in ["hot", "0x1", "3", ""] {
                #expect(try serving.transcribe(["temperature": text]).status == (text.isEmpty ? 200 : 400), "\(text)")
            }
        }
    }

    @Test("If streaming is requested, each piece is sent as an event")
    func stream() throws {
        try serving { serving throws in
            let client = try serving.client()
            try client.send(
                serving.form(["stream": "true"], repeated: [("timestamp_granularities[]", "word")]))
            #expect(try client.head()["content-type"] == "text/event-stream")
            var events: [JSONNode] = []
            while let event = try client.event() { events.append(try JSONReader.read(Array((event.data ?? "").utf8))) }
            let deltas = events.filter { $0.text("type") == "transcript.text.delta" }
            #expect(deltas.count == events.count - 1 && events.last?.text("type") == "transcript.text.done")
            #expect(deltas.compactMap { $0.text("delta") }.joined() == Self.text)
            // The recognizer reports the first word before the complete sentence.
            #expect(deltas.first?.text("delta") == "Hello," && deltas.first?.value(at: ["start"]) == nil)
            let sentences = deltas.filter { $0.value(at: ["start"]) != nil }
            #expect(sentences.map { $0.text("text") } == ["Hello, world.", " forty-two point five"])
            let done = try #require(events.last)
            #expect(
                done.text("text") == Self.text && done.elements("words").count == 5 && done.number("duration") == 2.5)
            let second = try #require(sentences.last).elements("words")
            #expect(second.first?.text("word") == "forty-two" && second.first?.number("character_start") == 1)
            #expect((sentences.last?.number("start") ?? 0) > 0.9)
        }
    }

    @Test("Recordings are limited in size and duration, require the token, and leave no files behind")
    func bounds() throws {
        var limits = ServiceLimits()
        limits.spoolFolder = home.home.file("spool")
        try home.home.write("", to: "spool/x")
        limits.recordingBytes = RecognizerHome.talk.count
        limits.recordingTime = .seconds(3)
        try serving(limits, isOpen: false) { serving throws in
            #expect(try serving.transcribe([:]).status == 401)
            #expect(try serving.transcribe([:], WebServing.bearer).status == 200)
            let long = try serving.transcribe([:], WebServing.bearer, file: RecognizerHome.talk + [0])
            #expect(long.status == 413 && long.errorCode == "sound_too_long")
            let slow = RecognizerHome.wav(PCMBytes.bytes([Int16](repeating: 0, count: 16_000)), rate: 4000)
            let lasting = try serving.transcribe([:], WebServing.bearer, file: slow)
            #expect(lasting.status == 413 && lasting.errorCode == "sound_too_long")
            #expect(serving.service.loadedModels == 1)
            let large = try serving.client()
            try large.send(
                serving.head(
                    "POST /v1/audio/transcriptions HTTP/1.1", "Authorization: Bearer \(WebServing.token)",
                    "Content-Type: multipart/form-data; boundary=x", "Content-Length: \(2 << 30)") + "\r\n")
            #expect(try large.reply().status == 413)
            serving.service.counters.waitForTranscriptions { $0.running == 0 && $0.waiting == 0 }
            let transcriptions = serving.service.figures().transcriptions
            #expect(
                transcriptions.transcribed == 1 && transcriptions.failed == 1
                    && transcriptions.cancelled == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: limits.spoolFolder) == ["x"])
        // After each recording, the space that it used becomes available again.
        limits.recordingTime = .seconds(60)
        limits.recordingSpoolBytes = RecognizerHome.talk.count + 100
        try serving(limits) { serving throws in
            for _ in 0..<3 { #expect(try serving.transcribe([:]).status == 200) }
            for _ in 0..<3 { #expect(try serving.transcribe(["model": "nobody"]).errorCode == "unknown_model") }
        }
        // Space for stored responses cannot be used for recordings, and vice versa.
        limits.recordingSpoolBytes = RecognizerHome.talk.count - 1
        try serving(limits) { serving throws in
            let busy = try serving.transcribe([:])
            #expect(busy.status == 503 && busy.errorCode == "busy")
            #expect(try serving.ask("POST", "/v1/audio/speech", body: WebServing.call("Hello.")).status == 200)
        }
    }

    @Test("A request waits for a free slot, and a single limit applies to recognition models and voices")
    func room() throws {
        var limits = ServiceLimits()
        limits.models = 1
        try serving(limits) { serving throws in
            #expect(try serving.ask("POST", "/v1/audio/speech", body: WebServing.call("Hello.")).status == 200)
            #expect(serving.service.figures().models.map(\.id) == ["Ann"])
            #expect(try serving.transcribe([:]).status == 200)
            #expect(serving.service.figures().models.map(\.id) == ["script"])
            #expect(try serving.ask("POST", "/v1/audio/speech", body: WebServing.call("Hello.")).status == 200)
            #expect(serving.service.figures().models.map(\.id) == ["Ann"])
        }
        limits.recordings = 1
        let slow = try RecognizerHome("deaf", ["SLOW=20", "TRANSCRIBES"], as: "deaf")
        try serving(limits, slow) { serving throws in
            let client = try serving.client()
            try client.send(
                serving.form([:], file: RecognizerHome.wav(PCMBytes.bytes([Int16](repeating: 9000, count: 1_600_000)))))
            serving.service.counters.waitForTranscriptions { $0.running == 1 }
            let busy = try serving.transcribe([:])
            #expect(busy.status == 503 && busy.errorCode == "busy" && busy["retry-after"] == "1")
        }
    }

    @Test("A recording is translated if the recognizer supports it")
    func translation() throws {
        let able = try RecognizerHome("deaf", ["TRANSLATES", "TRANSCRIBES"], as: "deaf")
        try serving(ServiceLimits(), able) { serving throws in
            #expect(try serving.transcribe([:], path: "translations").json?.text("text") == "Hello")
            #expect(try serving.transcribe([:]).json?.text("text") == "")
        }
    }

    @Test("An unusual recording causes an error or yields an empty text, and the next recording is still transcribed")
    func hostile() throws {
        let silence = [UInt8](repeating: 0, count: 32_000)
        let nan = [UInt8](repeating: 0xFF, count: 32_000)
        let sounds: [(name: String, file: [UInt8], isText: Bool)] = [
            ("nothing", [], false), ("a text", Array("no sound".utf8), false),
            ("silence", RecognizerHome.wav(silence), true),
            ("half a header", Array(RecognizerHome.talk.prefix(20)), false),
            ("0 Hz", RecognizerHome.wav(silence, rate: 0), false),
            ("8 channels", RecognizerHome.wav(silence, channels: 8), true),
            ("no channel", RecognizerHome.wav(silence, channels: 0), false),
            ("1 bit", RecognizerHome.wav(silence, bits: 1), false),
            ("NaN", RecognizerHome.wav(nan, bits: 32, tag: 3), false),
            ("4 GB declared", RecognizerHome.wav(silence, stated: .max), true),
            ("4 GHz", RecognizerHome.wav(silence, rate: .max), false),
        ]
        try serving { serving throws in
            for sound in sounds {
                let reply = try serving.transcribe([:], file: sound.file)
                if sound.isText, reply.status == 200 {
                    #expect(reply.json?.text("text") == "", "\(sound.name)")
                } else {
                    // libsndfile may interpret an unusual header in different ways, but any outcome must be reported.
                    #expect([200, 400, 413].contains(reply.status), "\(sound.name): \(reply.status) \(reply.text)")
                    #expect(reply.status == 200 || reply.errorCode != nil)
                }
            }
            #expect(try serving.transcribe([:]).json?.text("text") == Self.text)
        }
    }

    @Test("If a field is missing or unsupported, the form is rejected, and the error names the field")
    func mistakes() throws {
        try serving { serving throws in
            func code(_ fields: [String: String], _ path: String = "transcriptions") throws -> String? {
                let reply = try serving.transcribe(fields, path: path)
                #expect(reply.status >= 400 && reply.status < 500)
                return reply.errorCode
            }
            #expect(try code(["response_format": "diarized_json"]) == "unsupported_format")
            #expect(try code(["model": "nobody"]) == "unknown_model")
            #expect(try code(["model": "scripted/huge"]) == "unknown_model")
            #expect(try code(["language": "not a language"]) == "unsupported_language")
            #expect(try code(["stream": "perhaps"]) == "invalid_parameter")
            #expect(try code(["temperature": "hot"]) == "invalid_parameter")
            #expect(try code(["timestamp_granularities[]": "letter"]) == "invalid_parameter")
            #expect(try code([:], "translations") == "cannot_translate")
            let none = try serving.ask("POST", "/v1/audio/transcriptions", body: "{}")
            #expect(none.status == 415 && none.errorCode == "bad_form")
            #expect(try code(["prompt": String(repeating: "a", count: 17 << 10)]) == "bad_form")
            let many = (0..<20).map { ("keywords[]", String(repeating: "a", count: 8000 + $0)) }
            let all = try serving.client()
            try all.send(serving.form([:], repeated: many))
            #expect(try all.reply().status == 413)
            let empty = try serving.client()
            try empty.send(serving.form([:], file: nil))
            #expect(try empty.reply().errorCode == "missing_parameter")
            #expect(try serving.transcribe(["model": "script"]).status == 200)
            #expect(try serving.transcribe(["model": "scripted"]).status == 200)
            #expect(try serving.transcribe(["model": "scripted/script"]).status == 200)
            let listed = try serving.ask("GET", "/v1/models").text
            #expect(listed.contains(#""id":"scripted/script""#) && listed.contains(#""id":"test""#))
            #expect(try serving.ask("GET", "/v1/models/scripted/script").status == 200)
        }
    }

    @Test("A recognizer that crashes, exits, sends garbage or never finishes is reported, and the service continues")
    func faults() throws {
        let rounds = ProcessInfo.processInfo.environment["SYNTHHOST_CHAOS_ROUNDS"].flatMap { Int($0) } ?? 2
        var soon = EngineLimits.patient
        soon.audio = .seconds(2)
        for fault in ["CRASH", "EXIT", "BEYOND", "CLOSES", "FLOOD", "HANG", "ENDLESS"] {
            let isSilent = ["HANG", "ENDLESS"].contains(fault)
            let deaf = try RecognizerHome(
                "deaf", [fault, "TRANSCRIBES"], as: "deaf", limits: isSilent ? soon : .patient)
            try serving(ServiceLimits(), deaf) { serving throws in
                for _ in 0..<rounds {
                    let reply = try serving.transcribe([:])
                    #expect(reply.status == 503 && reply.errorCode == "recognizer_failed", "\(fault): \(reply.text)")
                }
                #expect(serving.service.figures().transcriptions.failed == rounds)
                #expect(try serving.ask("GET", "/health").status == 200)
            }
        }
    }

    @Test("Transcription stops when the client disconnects or the service exits")
    func leave() throws {
        let deaf = try RecognizerHome("deaf", ["SLOW=20", "TRANSCRIBES"], as: "deaf")
        try serving(ServiceLimits(), deaf) { serving throws in
            let client = try serving.client()
            try client.send(
                serving.form([:], file: RecognizerHome.wav(PCMBytes.bytes([Int16](repeating: 9000, count: 1_600_000)))))
            serving.service.counters.waitForTranscriptions { $0.running == 1 }
            client.stream.stop()
            serving.service.counters.waitForTranscriptions { $0.cancelled == 1 && $0.running == 0 }
        }
    }
}

extension WebServing {
    /// Returns a request that sends a form.
    func form(
        _ fields: [String: String], _ headers: [(name: String, value: String)] = [],
        repeated: [(String, String)] = [], file: [UInt8]? = RecognizerHome.talk, path: String = "transcriptions"
    ) -> [UInt8] {
        var body: [UInt8] = []
        for (name, value) in fields.map({ ($0.key, $0.value) }) + repeated {
            body += Array("--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        if let file {
            body += Array(
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../a.wav\"\r\n\r\n".utf8)
            body += file + Array("\r\n".utf8)
        }
        body += Array("--x--\r\n".utf8)
        let more =
            headers.map { "\($0.name): \($0.value)" } + [
                "Content-Type: multipart/form-data; boundary=x", "Content-Length: \(body.count)",
            ]
        let head = "POST /v1/audio/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        return Array((head + more.map { "\($0)\r\n" }.joined() + "\r\n").utf8) + body
    }

    func transcribe(
        _ fields: [String: String], _ headers: [(name: String, value: String)] = [],
        repeated: [(String, String)] = [], file: [UInt8] = RecognizerHome.talk, path: String = "transcriptions"
    ) throws -> WebReply {
        let client = try client()
        try client.send(form(fields, headers, repeated: repeated, file: file, path: path))
        return try client.reply()
    }
}
