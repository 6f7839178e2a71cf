import SynthAudio
import SynthEngineWire
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthService
@testable import SynthWyoming

@Suite("Transcribing audio over Wyoming", .ownThreads)
struct WyomingTranscriptionTests {
    private let home: RecognizerHome

    init() throws { home = try RecognizerHome() }

    private struct Served {
        let door: ConnectionServer
        let service: SpeechService
        let transcription: TranscriptionService

        func client() throws -> WyomingConversation { try WyomingConversation(door.address) }
    }

    /// The limits are long, because the machine may be busy.
    private static let limits: ServiceLimits = {
        var limits = ServiceLimits()
        limits.livePause = .seconds(600)
        return limits
    }()

    private func serving<Value>(
        _ limits: ServiceLimits = limits, _ home: RecognizerHome? = nil, _ body: (Served) throws -> Value
    ) throws -> Value {
        let double = TestBackend(TestEngine(framesPerByte: 10), limits)
        let service = SpeechService(double, limits)
        defer { service.close() }
        let transcription = TranscriptionService((home ?? self.home).host, double.warm, limits) { service.noteUse() }
        let words = ServiceMessages(
            version: "1", malformed: "malformed", tooLong: "too long", busy: "busy", sentence: { "\($0)" },
            code: { _ in "failure" }, transcription: { ("\($0)", "deaf") }, note: { _ in })
        let door = ConnectionServer.wyoming(
            try SocketListener(.tcp(host: "127.0.0.1", port: 0)), service, words, transcription: transcription)
        startThread("door") { door.run() }
        defer { door.drain(until: .now) }
        return try body(Served(door: door, service: service, transcription: transcription))
    }

    private static let format: [JSONNode.Member] = [
        .init("rate", 16_000), .init("width", 2), .init("channels", 1),
    ]

    /// Sends audio. A server that has sent an error may stop reading it.
    private func send(_ samples: [Int16], to client: WyomingConversation, _ format: [JSONNode.Member] = format) {
        let bytes = PCMBytes.bytes(samples)
        guard (try? client.send(WyomingEvent(type: "audio-start", data: format))) != nil else { return }
        for start in stride(from: 0, to: bytes.count, by: 2048) {
            let payload = Array(bytes[start..<min(start + 2048, bytes.count)])
            let chunk = WyomingEvent(type: "audio-chunk", data: format, payload: payload)
            guard (try? client.send(chunk)) != nil else { return }
        }
    }

    @Test("Audio in Home Assistant's event order is transcribed, and the text is streamed")
    func pipeline() throws {
        try serving { served in
            let client = try served.client()
            try client.send("describe")
            let info = try #require(try client.next())
            let asr = try #require(JSONNode(.object(info.data)).elements("asr").first)
            #expect(asr.flag("supports_transcript_streaming") == true && asr.elements("models").count == 1)
            #expect(asr.elements("models").first?.text("name") == "scripted/script")
            try client.send("transcribe", .init("language", "en"), .init("name", "script"))
            send(RecognizerHome.twice, to: client)
            try client.send("audio-stop")
            let (types, _, transcript) = try client.events(until: "transcript")
            #expect(types.first == "transcript-start" && types.contains("transcript-chunk"))
            #expect(transcript?.text("text") == "Hello, world. forty-two point five")
            #expect(transcript?.text("language") == "en")
            #expect(try client.next()?.type == "transcript-stop")
        }
    }

    @Test("Other audio formats yield the same text, and streaming must be requested")
    func forms() throws {
        try serving { served in
            let client = try served.client()
            let doubled = RecognizerHome.twice.flatMap { [$0, $0] }
            send(doubled, to: client, [.init("rate", 16_000), .init("width", 2), .init("channels", 2)])
            try client.send("audio-stop")
            let stereo = try client.next()
            #expect(stereo?.type == "transcript" && stereo?.text("text") == "Hello, world. forty-two point five")
            send(doubled, to: client, [.init("rate", 32_000), .init("width", 2), .init("channels", 1)])
            try client.send("audio-stop")
            #expect(try client.next()?.text("text") == "Hello, world. forty-two point five")
            // The audio contains no speech.
            send([Int16](repeating: 0, count: 16_000), to: client)
            try client.send("audio-stop")
            let nothing = try client.next()
            #expect(nothing?.type == "transcript" && nothing?["text"] == .string(""))
            for format in [("rate", 7), ("width", 1), ("channels", 99)] {
                let other = try served.client()
                try other.send("audio-start", .init(format.0, format.1))
                #expect(try other.next()?.type == "error" && other.next() == nil)
            }
            #expect(served.service.loadedModels == 1 && served.transcription.waitingBytes == 0)
            let transcriptions = served.service.figures().transcriptions
            #expect(
                transcriptions.transcribed == 3 && transcriptions.running == 0
                    && transcriptions.sound > .seconds(5))
            #expect(served.service.figures().engines.isEmpty)
        }
    }

    @Test("Transcription and speech work concurrently on one connection")
    func both() throws {
        try serving { served in
            let client = try served.client()
            try client.send("synthesize", .init("text", "Hello."))
            send(RecognizerHome.twice, to: client)
            try client.send("audio-stop")
            var seen: Set<String> = []
            while !seen.isSuperset(of: ["audio-stop", "transcript"]), let event = try client.next() {
                seen.insert(event.type)
                #expect(event.type != "error")
            }
            #expect(seen.contains("transcript"))
        }
    }

    @Test("Audio that is too long or needs too much memory causes an error, and the next audio is still transcribed")
    func bounds() throws {
        var limits = Self.limits
        limits.liveTime = .seconds(3)
        try serving(limits) { served in
            let client = try served.client()
            send([Int16](repeating: 0, count: 16_000 * 4), to: client)
            try? client.send("audio-stop")
            #expect(try client.next()?.text("text")?.contains("longer than") == true)
            #expect(try client.next() == nil)
            let next = try served.client()
            send(RecognizerHome.twice, to: next)
            try next.send("audio-stop")
            #expect(try next.next()?.type == "transcript")
            served.transcription.budget.waitForTaken(0)
        }
        limits.soundMemory = 1000
        try serving(limits) { served in
            let client = try served.client()
            send([Int16](repeating: 0, count: 16_000), to: client)
            #expect(try client.next()?.text("text")?.contains("cannot accept more transcriptions") == true)
            served.transcription.budget.waitForTaken(0)
        }
    }

    @Test("Transcription stops when the audio stops arriving or the client disconnects")
    func leave() throws {
        var limits = Self.limits
        try serving(limits) { served in
            let client = try served.client()
            send([Int16](repeating: 0, count: 16_000), to: client)
            served.service.counters.waitForTranscriptions { $0.running == 1 }
            client.stream.stop()
            served.service.counters.waitForTranscriptions { $0.cancelled == 1 && $0.running == 0 }
            served.transcription.budget.waitForTaken(0)
        }
        limits.livePause = .milliseconds(50)
        try serving(limits) { served in
            let client = try served.client()
            try client.send("audio-start")
            #expect(try client.next() == nil)
            served.service.counters.waitForTranscriptions { $0.cancelled == 1 && $0.running == 0 }
            // A client that sends only other events does not occupy a recognizer.
            let other = try served.client()
            try other.send("audio-start")
            let end = ContinuousClock.now + .seconds(300)
            while ContinuousClock.now < end, (try? other.send("ping")) != nil, try other.next() != nil {}
            #expect(ContinuousClock.now < end)
            served.service.counters.waitForTranscriptions { $0.cancelled == 2 && $0.running == 0 }
        }
    }

    @Test("If no model is suitable or the recognizer fails, an error is sent and the connection is closed")
    func failures() throws {
        try serving { served in
            let client = try served.client()
            try client.send("transcribe", .init("name", "nobody"))
            try client.send("audio-start")
            #expect(try client.next()?.text("code") == "deaf" && client.next() == nil)
        }
        for fault in ["CRASH", "BEYOND", "ENDLESS"] {
            let deaf = try RecognizerHome("deaf", [fault, "TRANSCRIBES"], as: "deaf")
            try serving(Self.limits, deaf) { served in
                for _ in 0..<2 {
                    let client = try served.client()
                    send(RecognizerHome.twice, to: client)
                    try? client.send("audio-stop")
                    #expect(try client.next()?.text("code") == "deaf", "\(fault)")
                    #expect(try client.next() == nil)
                }
                served.service.counters.waitForTranscriptions { $0.failed == 2 }
            }
        }
    }

    @Test("Each stable part of the text is sent exactly once")
    func told() {
        var told = TranscriptDeltas()
        func heard(_ text: String, stable: Int? = nil) -> RecognizedText {
            RecognizedText(text, isFinal: stable == nil, stable: stable, frames: 0..<1)
        }
        #expect(told.take(heard("One tw", stable: 3)) == "One")
        #expect(told.take(heard("One", stable: 3)) == "")
        #expect(told.take(heard("One two.")) == " two.")
        #expect(told.take(heard("Th", stable: 0)) == "" && told.take(heard("")) == "")
        #expect(told.take(heard("Three.")) == " Three.")
        #expect(told.whole == "One two. Three.")
        // A stable beginning may extend over two later texts.
        #expect(told.take(heard("Four. Five and", stable: 10)) == " Four. Five" && told.tentative == " and")
        #expect(told.take(heard("Four.")) == "" && told.tentative == "")
        #expect(told.take(heard("Five and six", stable: 4)) == "" && told.tentative == " and six")
        #expect(told.take(heard("Five and six.")) == " and six.")
        #expect(told.stable == told.whole && told.whole == "One two. Three. Four. Five and six.")
        var japanese = TranscriptDeltas()
        #expect(japanese.take(heard("はい。そう", stable: 9)) == "はい。")
        #expect(japanese.take(heard("はい。")) == "" && japanese.take(heard("そう。")) == "そう。")
    }

    @Test("Samples may be two to four bytes long")
    func samples() throws {
        func samples(_ width: Int, _ bytes: [UInt8]) throws -> [Float] {
            try #require(WyomingPCM(WyomingEvent(type: "", data: [.init("width", width)]))).samples(bytes)
        }
        #expect(try samples(2, [0, 0x80, 0, 0x40, 7]) == [-1, 0.5])
        #expect(try samples(3, [0, 0, 0x80, 0, 0, 0x40]) == [-1, 0.5])
        #expect(try samples(4, [0, 0, 0, 0x80, 0, 0, 0, 0x40]) == [-1, 0.5])
        #expect(WyomingPCM(WyomingEvent(type: "", data: [.init("rate", JSONNode.Value.number(.infinity))])) == nil)
    }
}
