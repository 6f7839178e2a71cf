import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("The scripted recognizer", .ownThreads)
struct ScriptedTests {
    private func finals(_ parts: [RecognizedPart]) -> [RecognizedText] {
        parts.compactMap { if case .text(let text) = $0, text.isFinal { text } else { nil } }
    }

    @Test("The worker returns the recognizer's description")
    func description() throws {
        let described = try RecognizerFixture(RecognizerFixture.scripted).recognizer().description
        #expect(described.id == "scripted" && described.name == "Scripted" && described.sampleRate == 16_000)
        #expect(described.capabilities.contains([.transcribes, .detectsSpeech, .givesPartials, .isExample]))
        #expect(described.roles.map(\.name) == ["script"] && described.roles[0].isOptional)
        #expect(described.models.map(\.id) == ["script"] && described.models[0].languages == ["en"])
    }

    @Test("Speech activity, partial text, and final text with word timings are reported")
    func everything() throws {
        let parts = try listen(try RecognizerFixture(RecognizerFixture.scripted).lane())
        let finals = finals(parts)
        #expect(finals.map(\.text) == ["Hello, world.", "forty-two point five", "Yes."])
        #expect(finals[0].frames == 8000..<24_000 && finals[0].confidence == 0.9 && finals[1].confidence == nil)
        #expect(finals[0].words.map(\.text) == [0..<6, 7..<13])
        #expect(finals[0].words.map(\.frames) == [8000..<16_000, 16_000..<24_000])
        #expect(parts.first == .speechBegins(frame: 8000) && parts.contains(.speechEnds(frame: 24_000)))
        let partials = parts.compactMap { part -> String? in
            if case .text(let text) = part, !text.isFinal { text.text } else { nil }
        }
        #expect(partials.first == "Hello," && partials.contains("forty-two point"))
    }

    @Test("The result does not depend on how the audio is divided", arguments: [1, 64, 6400])
    func pieces(piece: Int) throws {
        let lane = try RecognizerFixture(RecognizerFixture.scripted).lane()
        let sound = Array(CompleteAudio.three.prefix(piece == 1 ? 24_000 : .max))
        let whole = try listen(lane, to: CompleteAudio(sound))
        #expect(try listen(lane, to: CompleteAudio(sound, piece: piece)) == whole)
    }

    @Test("Only the requested parts are reported, and silence yields an empty text")
    func wants() throws {
        let lane = try RecognizerFixture(RecognizerFixture.scripted).lane()
        let parts = try listen(lane, RecognitionJob())
        #expect(parts == finals(parts).map { .text($0) } && parts.count == 3)
        #expect(finals(parts).allSatisfy { $0.words.isEmpty })
        for sound in [[], [Float](repeating: 0, count: 100_000)] {
            #expect(finals(try listen(lane, to: CompleteAudio(sound))) == [RecognizedText("", frames: 0..<0)])
        }
    }

    @Test(
        "A custom script is used, a matching phrase is reported as the choice, and an unreadable script causes an error"
    )
    func script() throws {
        let fixture = try RecognizerFixture(RecognizerFixture.scripted)
        let script = try fixture.write("Grüße\nno\n", to: "script.txt")
        let lane = try fixture.lane(files: [HandedFile(role: "script", path: script)])
        let hints = RecognitionJobHints(.choice, phrases: ["yes", "no"])
        let heard = finals(try listen(lane, RecognitionJob(hints: hints, wants: [.words])))
        #expect(heard.map(\.text) == ["Grüße", "no", ""] && heard.map(\.choice) == [nil, 1, nil])
        #expect(heard[0].words.map(\.text) == [0..<7])
        let failure = #expect(throws: EngineFailure.self) {
            try fixture.lane(files: [HandedFile(role: "script", path: script + "s")])
        }
        #expect(failure?.reason == .reported(EngineError(.badFile, "The script cannot be read.", role: "script")))
    }

    @Test("Live audio is transcribed as it arrives, even after a long wait")
    func live() throws {
        // Waiting for audio is not treated as a hang.
        var limits = EngineLimits.patient
        limits.audio = .seconds(3)
        let lane = try RecognizerFixture(RecognizerFixture.scripted).lane(limits)
        let sound = try LiveSound()
        // The silence after the first tone is long enough for the tone's end to be detected.
        let half = 32_000
        let heard = Monitor<[String]>([])
        startThread("speaker") {
            sound.add(Array(CompleteAudio.three.prefix(half)))
            // The first tone has ended, so its text is reported even though no more audio arrives.
            _ = heard.wait { $0.isEmpty ? nil : true }
            usleep(4_000_000)
            sound.add(Array(CompleteAudio.three.dropFirst(half)))
            sound.end()
        }
        let isWhole = try lane.listen(RecognitionJob(isLive: true), to: sound) { part in
            if case .text(let text) = part { heard.update { $0.append(text.text) } }
            return true
        }
        #expect(isWhole && heard.read { $0 } == ["Hello, world.", "forty-two point five", "Yes."])
    }

    @Test("A request can be cancelled while it waits for audio, and the next request is not affected")
    func cancelled() throws {
        let lane = try RecognizerFixture(RecognizerFixture.scripted).lane()
        let whole = try listen(lane)
        for _ in 1...20 {
            let sound = try LiveSound()
            sound.add(Array(CompleteAudio.three.prefix(30_000)))
            var parts = 0
            let isWhole = try lane.listen(RecognitionJob(wants: .everything), to: sound) { part in
                if case .speechEnds = part { startThread("canceller") { lane.cancel() } }
                parts += 1
                return true
            }
            #expect(!isWhole && parts > 0 && lane.isAlive)
            #expect(try listen(lane) == whole)
        }
        var parts = 0
        let isWhole = try lane.listen(RecognitionJob(wants: .everything), to: CompleteAudio(CompleteAudio.three)) { _ in
            parts += 1
            return false
        }
        #expect(!isWhole && parts == 1)
        #expect(
            try !lane.listen(RecognitionJob(), to: CompleteAudio(CompleteAudio.three), unless: { true }) { _ in true })
        #expect(try listen(lane) == whole)
    }

    @Test("A recognizer cannot be used as an engine, and an engine cannot be used as a recognizer")
    func others() throws {
        let fixture = try RecognizerFixture(RecognizerFixture.scripted)
        let asEngine = #expect(throws: EngineFailure.self) {
            try EngineFile(path: fixture.file).describe(by: fixture.program, limits: .patient)
        }
        #expect(asEngine?.reason == .refused(Refusal(.noEntry)))
        let asRecognizer = #expect(throws: EngineFailure.self) {
            try EngineFile(path: "\(BuildFolder.path)/libTone.so").describe(
                as: RecognizerDescription.self, by: fixture.program, limits: .patient)
        }
        #expect(asRecognizer?.reason == .refused(Refusal(.noRecognizer)))
    }
}
