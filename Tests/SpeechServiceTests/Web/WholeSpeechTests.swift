import Foundation
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthService

@Suite("Complete speech files over HTTP", .ownThreads)
struct WholeSpeechTests {
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 10)
    private static let path = "/v1/audio/speech"
    private static let text = "Hello there. And on it goes."
    /// A text whose audio exceeds the memory buffer.
    private static let long = String(repeating: text + " ", count: 20)

    private func body(_ input: String, _ format: String, isWhole: Bool = true, _ more: String = "") -> String {
        #"{"voice":"Ann","input":"\#(input)","response_format":"\#(format)","stream":\#(!isWhole)\#(more)}"#
    }

    private func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    @Test("The response declares its length and contains the same audio as a stream", arguments: [text, long])
    func wav(_ text: String) throws {
        let folder = try TemporaryFolder()
        var limits = ServiceLimits()
        limits.spoolFolder = folder.path
        try WebServing.run(engine, limits) { web throws in
            let reply = try web.ask("POST", Self.path, body: body(text, "wav"))
            #expect(reply.status == 200 && !reply.isChunked && reply.length == reply.body.count)
            #expect(reply["content-type"] == "audio/wav" && reply["synthhost-voice"] == "test/Ann")
            let bytes = reply.body
            #expect(number(bytes[4..<8]) == bytes.count - 8)
            let data = try #require(Data(bytes).range(of: Data("data".utf8))).upperBound
            #expect(number(bytes[data..<data + 4]) == bytes.count - data - 4)
            let pcm = try web.ask("POST", Self.path, body: body(text, "pcm"))
            #expect(pcm.length == pcm.body.count && bytes[(data + 4)...].elementsEqual(pcm.body))
            let stream = try web.ask("POST", Self.path, body: body(text, "pcm", isWhole: false))
            #expect(stream.isChunked && stream.body == pcm.body)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("The other formats are also complete files")
    func formats() throws {
        try WebServing.run(engine) { web throws in
            for (format, start) in [("flac", "fLaC"), ("mp3", "ID3"), ("opus", "OggS"), ("ogg", "OggS")] {
                let reply = try web.ask("POST", Self.path, body: body(Self.text, format))
                if reply.errorCode == "speech_failed" { continue }
                #expect(reply.status == 200 && reply.length == reply.body.count, "\(format)")
                #expect(reply.body.starts(with: start.utf8) || format == "mp3", "\(format)")
                // The header contains the number of frames, which is unknown in a stream.
                if format == "flac" { #expect(number(reply.body[22..<26].reversed()) > 0) }
            }
        }
    }

    @Test("Captions are a single object that includes all the audio")
    func captions() throws {
        try WebServing.run(engine) { web throws in
            for text in [Self.text, Self.long] {
                let reply = try web.ask("POST", "/dev/captioned_speech", body: body(text, "pcm"))
                #expect(reply.status == 200 && reply.length == reply.body.count)
                let sound = reply.json?.text("audio").flatMap { Data(base64Encoded: $0) }
                let pcm = try web.ask("POST", Self.path, body: body(text, "pcm"))
                #expect(sound.map { [UInt8]($0) } == pcm.body)
                #expect(reply.json?.elements("timestamps").count == text.split(separator: " ").count)
                #expect(reply.json?.text("audio_format") == "audio/pcm")
            }
        }
    }

    @Test("A failure in the middle of the audio and insufficient disk space each cause a specific error")
    func fails() throws {
        var limits = ServiceLimits()
        limits.spoolBytes = 4000
        try WebServing.run(engine, limits) { web throws in
            engine.crash(at: "boom")
            let failed = try web.ask("POST", Self.path, body: body("One two three four. Then boom comes.", "wav"))
            #expect(failed.status == 503 && failed.errorCode == "engine_failed")
            engine.crash(at: nil)
            let full = try web.ask("POST", Self.path, body: body(Self.long, "wav"))
            #expect(full.status == 503 && full.errorCode == "busy" && full["retry-after"] == "1")
            #expect(try web.ask("POST", Self.path, body: body("Short.", "wav")).status == 200)
        }
        limits = ServiceLimits()
        limits.spoolFolder = "/proc/no-such-folder"
        try WebServing.run(engine, limits) { web throws in
            let failed = try web.ask("POST", Self.path, body: body(Self.long, "wav"))
            #expect(failed.status == 503 && failed.errorCode == "speech_failed")
        }
    }
}
