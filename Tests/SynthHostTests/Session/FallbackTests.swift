import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthHostTesting
import SynthScript
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Speech when an engine fails")
struct FallbackTests {
    private let first = TestEngine(sampleRate: 16_000, framesPerByte: 10)
    private let second = TestEngine(sampleRate: 8000, framesPerByte: 10)

    private func session(
        _ engine: TestEngine, _ id: String,
        open: (@Sendable () throws(EngineFailure) -> any SpeakingLane)? = nil,
        fallback: @escaping SpeechSession.FindFallback = { _, _ in nil }
    ) throws -> SpeechSession {
        let declared = DeclaredVoice(id: id, name: id, language: "en")
        return SpeechSession(
            SpeechVoice(VoiceChoice(voice: try Voice(declared, by: id)), state: .ready),
            SpeechSession.Source(
                engine: EngineDescription(
                    id: id, name: id, version: "1", license: "Apache-2.0", capabilities: [.wordTimes, .streams],
                    maxLanes: 2),
                voice: PreparedVoice(load: LoadRequest(id: id), uses: [VoiceUse(id: id)], gain: Gain(factor: 1)),
                presets: Configuration(), openLane: { _ throws(EngineFailure) in try open?() ?? engine.makeLane() }
            ) { $0.findFallback = fallback })
    }

    private struct Heard {
        var format: SpeechFormat?
        var frames = 0
        var words: [Int] = []
        var notices: [SpeechNotice] = []
    }

    private func hear(_ text: String, _ session: SpeechSession, fallsBack: Bool = true) async throws -> Heard {
        var settings = SpeechSettings()
        settings.fallsBack = fallsBack
        settings.wants = .word
        var heard = Heard()
        let speech = session.speak(try CompleteText(text)) { [settings] _ in settings }
        for try await part in speech {
            switch part {
            case .format(let format): heard.format = format
            case .audio(let audio):
                #expect(audio.frame == heard.frames)
                heard.frames += audio.samples.count
            case .word(let event): heard.words.append(event.source.lowerBound)
            default: break
            }
        }
        heard.notices = speech.notices
        return heard
    }

    @Test("A fallback voice continues from the first word that was not played and in the same format")
    func word() async throws {
        let other = try session(second, "second")
        let session = try session(first, "first", fallback: { _, failed in failed == ["first"] ? other : nil })
        first.crash(at: "four")
        let heard = try await hear("One two. Three four five. Six.", session)
        #expect(first.spoken == ["One two.", "Three four five."])
        #expect(second.spoken.last == "Six." && second.spoken.count == 2)
        #expect("Three four five.".hasSuffix(second.spoken[0]) && second.spoken[0].hasSuffix("five."))
        #expect(heard.format == SpeechFormat(sampleRate: 16_000, channels: 1))
        #expect(
            heard.notices
                == [.voiceReplaced(VoiceReplacement(session.voice, by: other.voice, because: .closed))])
        // All words are played in order. The interrupted word may be played twice.
        #expect(Set(heard.words) == [0, 4, 9, 15, 20, 26] && heard.words == heard.words.sorted())
    }

    @Test("If the first voice cannot be loaded, a second one takes over, and if that one fails, a third does")
    func loading() async throws {
        let third = TestEngine(framesPerByte: 10)
        let (last, broken) = (try session(third, "third"), Monitor(0))
        let open: @Sendable () throws(EngineFailure) -> any SpeakingLane = { () throws(EngineFailure) in
            broken.update { $0 += 1 }
            throw EngineFailure(engine: "x", reason: .crashed(signal: 11, .loading))
        }
        let next = try session(second, "second", open: open)
        let session = try session(
            first, "first", open: open, fallback: { _, failed in failed.count == 1 ? next : last })
        _ = try await hear("One. Two.", session)
        #expect(third.spoken == ["One.", "Two."] && broken.read { $0 } == 2)
    }

    @Test("A request fails if no voice can continue or if fallbacks are disabled")
    func nobody() async throws {
        let other = try session(second, "second")
        first.crash(at: "two")
        await #expect(throws: SpeechError.self) {
            try await hear("One two.", try session(first, "first"))
        }
        await #expect(throws: SpeechError.self) {
            try await hear("One two.", try session(first, "first", fallback: { _, _ in other }), fallsBack: false)
        }
        #expect(second.spoken == [])
    }

    @Test("A fallback voice does not repeat words that were spoken before the failure")
    func later() async throws {
        let other = try session(second, "second")
        let session = try session(first, "first", fallback: { _, _ in other })
        first.crash(at: "three")
        _ = try await hear("One.\n\nTwo.\n\nthree.\n\nFour.", session)
        #expect(first.spoken == ["One.", "Two.", "three."])
        #expect(second.spoken == ["three.", "Four."])
    }

    @Test("A fallback voice takes over even if a script begins with a break")
    func breakFirst() async throws {
        let other = try session(second, "second")
        let session = try session(
            first, "first",
            open: { () throws(EngineFailure) in
                throw EngineFailure(engine: "first", reason: .crashed(signal: 11, .loading))
            }, fallback: { _, failed in failed == ["first"] ? other : nil })
        var settings = SpeechSettings()
        settings.fallsBack = true
        let document = Array("<speak><break time=\"1s\"/>Hi.</speak>".utf8)
        let speech = session.speak(try ScriptSource(try SpokenScript(document, as: .ssml))) { [settings] _ in settings }
        for try await _ in speech {}
        #expect(second.spoken == ["Hi."])
    }
}
