import Foundation
import SynthAudio
import SynthEngineWire
import SynthHostTesting
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Timings written along with speech", .ownThreads)
struct TimingsFileTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    private func session(_ engine: TestEngine = TestEngine()) async throws -> SpeechSession {
        let host = SpeechHost(testing: engine)
        return try await host.session(try await host.voice())
    }

    private func words(_ name: String) throws -> [[String: Any]] {
        let json = try #require(try JSONSerialization.jsonObject(with: try home.data(name)) as? [String: Any])
        let sentences = try #require(json["sentences"] as? [[String: Any]])
        return sentences.flatMap { $0["words"] as? [[String: Any]] ?? [] }
    }

    @Test("The file has the same times as the events", arguments: [1.0, 1.5])
    func events(rate: Double) async throws {
        let host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment))
        let session = try await host.session(try await host.voice("German"))
        let text = "Grüße aus Köln! Zwei drei, und noch ein paar Wörter. Schluss."
        let sink = FakeSink()
        let control = PlaybackControl<SpokenEvent>(sink: sink)
        // The events need not be requested in the options.
        try await session.speak(text, SpeechOptions(rate: rate, events: [])).run
            .play(into: sink, steeredBy: control, timings: try TimingsFile(path: home.file("a.json")))
        let sampleRate = Double(try #require(sink.now.format?.sampleRate))
        var events: [(start: Double, bytes: [Int])] = []
        while let event = await control.nextEvent() {
            guard event.kind == .word else { continue }
            events.append((Double(event.frame) / sampleRate, [event.source.lowerBound, event.source.upperBound]))
        }
        let words = try words("a.json")
        try #require(words.count == events.count && words.count == 11)
        for (word, event) in zip(words, events) {
            #expect(abs(try #require(word["start"] as? Double) - event.start) < 0.000_001)
            #expect(word["bytes"] as? [Int] == event.bytes)
            let place = try #require(word["characters"] as? [Int])
            let scalars = Array(text.unicodeScalars)[place[0]..<place[1]]
            var spoken = String.UnicodeScalarView()
            spoken.append(contentsOf: scalars)
            #expect(word["text"] as? String == String(spoken))
        }
    }

    @Test("If the host applies the rate, the times are scaled")
    func rate() async throws {
        var starts: [[Double]] = []
        for rate in [1.0, 2.0] {
            try await session().speak("One two three. Four five six.", SpeechOptions(rate: rate))
                .write(to: home.file("a.wav"), timings: home.file("a.json"))
            starts.append(try words("a.json").compactMap { $0["start"] as? Double })
        }
        #expect(starts[0].count == 6 && starts[1].count == 6)
        for (usual, fast) in zip(starts[0], starts[1]) { #expect(abs(usual / 2 - fast) < 0.02, "\(usual), \(fast)") }
    }

    @Test("The file contains the timings of the speech before an engine failure")
    func crash() async throws {
        let engine = TestEngine()
        engine.crash(at: "crash")
        await #expect(throws: SpeechError.self) {
            try await session(engine).speak("One two. A crash here.")
                .write(to: home.file("a.wav"), timings: home.file("a.json"))
        }
        let texts = try words("a (stopped).json").compactMap { $0["text"] as? String }
        #expect(texts.starts(with: ["One", "two."]))
        #expect(try !String(decoding: home.data("a (stopped).json"), as: UTF8.self).contains("here"))
    }

    @Test("If the timings cannot be written, neither the audio nor an existing timings file is changed")
    func unwritable() async throws {
        try home.write("precious", to: "a.wav")
        let error = await #expect(throws: SpeechError.self) {
            try await session().speak("One.").write(to: home.file("a.wav"), timings: home.file("none/a.vtt"))
        }
        guard error?.code == .timingsNotWritten, error?.facts.errno == ENOENT else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try home.data("a.wav") == Data("precious".utf8))
        let other = await #expect(throws: SpeechError.self) {
            try await session().speak("One.").write(to: home.file("a.wav"), timings: "a.txt")
        }
        guard other?.code == .timingsFormatUnknown, other?.facts.path == "a.txt" else {
            Issue.record("\(String(describing: other))")
            return
        }
    }

    @Test("Cancellation before anything has been spoken does not change an existing file")
    func cancelled() async throws {
        try home.write("precious", to: "a.srt")
        let speech = try await session().speak("One.")
        speech.cancel()
        await #expect(throws: SpeechError.self) {
            try await speech.write(to: home.file("a.wav"), timings: home.file("a.srt"))
        }
        #expect(try home.data("a.srt") == Data("precious".utf8))
    }
}
