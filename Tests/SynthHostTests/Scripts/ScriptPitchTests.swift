import SynthEngineWire
import SynthHostTesting
import Testing

@testable import SynthHost
@testable import SynthSpeech

@Suite("Pitch in a script")
struct ScriptPitchTests {
    private let shaping = TestEngine(framesPerByte: 100, abilities: [.shapesPitch, .whispers])
    private let plain = TestEngine(framesPerByte: 100)

    /// Speaks a script and returns the notices.
    private func speak(
        _ content: String, _ options: SpeechOptions = SpeechOptions(), by engine: TestEngine
    ) async throws -> [SpeechNotice] {
        let host = SpeechHost(testing: engine, voices: ["Anna"])
        let speech = try await host.session(try await host.voice()).speak(ssml: "<speak>\(content)</speak>", options)
        for try await _ in speech {}
        return speech.notices
    }

    private static let step = "You <prosody pitch='200%'>never</prosody> told."
    private static let contour = "<prosody contour='(0%,-50%) (100%,+100%)'>Is it so?</prosody>"

    @Test("If an engine shapes pitch, a sentence with a pitch change is sent as a single request")
    func shaped() async throws {
        #expect(try await speak(Self.step, SpeechOptions(pitch: 0.75), by: shaping).isEmpty)
        let request = try #require(shaping.requests.first)
        #expect(shaping.spoken == ["You never told."])
        #expect(request.pitchPoints.map(\.offset) == [0, 4, 4, 10, 10, 15])
        #expect(request.pitchPoints.map(\.factor) == [0.75, 0.75, 1.5, 1.5, 0.75, 0.75])
        #expect(request.pitch > 0.75 && request.pitch < 1)
    }

    @Test("If an engine does not shape pitch, a pitch change splits a sentence")
    func cut() async throws {
        #expect(try await speak(Self.step, by: plain).isEmpty)
        #expect(plain.spoken == ["You", "never", "told."])
        #expect(plain.requests.allSatisfy { $0.pitchPoints.isEmpty && $0.pitch == 1 })
    }

    @Test("Without pitch shaping, a contour is replaced with its mean, and a single notice is issued")
    func contour() async throws {
        #expect(try await speak(Self.contour, by: shaping).isEmpty)
        #expect(shaping.requests.map { $0.pitchPoints.map(\.offset) } == [[0, 9]])
        #expect(shaping.requests.map { $0.pitchPoints.map(\.factor) } == [[0.5, 2]])
        #expect(shaping.requests.map(\.pitch) == [1])
        #expect(try await speak(Self.contour + " " + Self.contour, by: plain) == [.contourSkipped(engine: "test")])
        #expect(plain.spoken == ["Is it so?", "Is it so?"])
    }

    @Test("A narrow pitch range reduces the intonation if the engine supports this")
    func range() async throws {
        let script = "<prosody range='low'>One.</prosody> Two."
        #expect(try await speak(script, by: shaping).isEmpty)
        #expect(shaping.requests.map(\.intonation) == [-0.5, 0])
        // A range causes no notice, because documents contain ranges whether or not the engine supports them.
        #expect(try await speak(script, by: plain).isEmpty)
        #expect(plain.requests.map(\.intonation) == [0, 0])
        // The option multiplies the range.
        #expect(try await speak(script, SpeechOptions(intonation: 0.5), by: shaping).isEmpty)
        #expect(shaping.requests.suffix(2).map(\.intonation) == [-0.75, -0.5])
    }

    @Test("Whispered text is passed as such to an engine that can whisper; for other engines, a notice is reported")
    func whisper() async throws {
        let script = "One <amazon:effect name='whispered'>two</amazon:effect> three."
        #expect(try await speak(script, by: shaping).isEmpty)
        #expect(shaping.spoken == ["One", "two", "three."])
        #expect(shaping.requests.map(\.isWhispered) == [false, true, false])
        #expect(try await speak(script, by: plain) == [.whisperSkipped(engine: "test")])
        #expect(try await speak("Four.", SpeechOptions(isWhispered: true), by: shaping).isEmpty)
        #expect(shaping.requests.last?.isWhispered == true)
        #expect(
            try await speak("Four.", SpeechOptions(isWhispered: true), by: plain) == [.whisperSkipped(engine: "test")])
        #expect(plain.requests.allSatisfy { !$0.isWhispered })
    }
}
