import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Faulty recognizers", .ownThreads)
struct FaultTests {
    private static let request = RecognitionJob(wants: [.partials, .words, .speechEvents])
    private static let second = [Float](repeating: 0.1, count: 16_000)

    private func failure(_ choice: String, _ limits: EngineLimits = .patient) throws -> EngineFailure? {
        let fixture = try RecognizerFixture(RecognizerFixture.deaf, [choice])
        return #expect(throws: EngineFailure.self, "\(choice)") {
            try fixture.lane(limits).listen(Self.request, to: CompleteAudio(Self.second)) { _ in true }
        }
    }

    @Test(
        "A violation of the recognizer API is reported",
        arguments: [
            ("BEYOND", "It reported text for audio that it had not yet read."),
            ("NO_TEXT", "It reported text that is too long, is not UTF-8, or has control characters."),
            ("HEARD=\"\\xff\"", "It reported text that is too long, is not UTF-8, or has control characters."),
            (
                "HEARD=\"\\33[2J\"", "It reported text that is too long, is not UTF-8, or has control characters."
            ),
            ("SPEAKS", "It reported an invalid language."),
            ("HEARD=\" a\"", "It reported text with leading or trailing spaces."),
            ("INSIDE -DHEARD=\"\\xc3\\xa4\\xc3\\xa4\"", "It reported words that are outside the text or the audio."),
            ("MANY", "It reported words that are outside the text or the audio."),
            ("UNSURE", "It reported a confidence that is not between 0 and 1."),
            ("DRAWN=3", "It reported a probability, repetition or temperature that is out of range."),
            (
                "DRAWN=NAN -DNAN=(0.0f/0.0f)",
                "It reported a probability, repetition or temperature that is out of range."
            ),
            ("CHOOSES", "It chose a phrase that is not in the hints."),
            ("TWICE", "It reported twice that speech started."),
            ("STOPS", "It stopped without a request to stop."),
            ("PLACELESS", "It read audio without a buffer."),
        ])
    func contract(choice: String, sentence: String) throws {
        let choices = choice.components(separatedBy: " -D")
        let fixture = try RecognizerFixture(RecognizerFixture.deaf, choices)
        let lane = try fixture.lane()
        let failure = #expect(throws: EngineFailure.self) {
            try lane.listen(Self.request, to: CompleteAudio(Self.second)) { _ in true }
        }
        #expect(failure?.reason == .reported(EngineError(.violatedContract, sentence)))
        // The process is still running and may transcribe the next audio.
        #expect(lane.isAlive)
    }

    @Test("A text's silence probability, repetition and temperature are reported")
    func origin() throws {
        let fixture = try RecognizerFixture(RecognizerFixture.deaf, ["DRAWN=0.4f"])
        let origins = Monitor<[RecognizedText.Origin]>([])
        _ = try fixture.lane().listen(Self.request, to: CompleteAudio(Self.second)) { part in
            if case .text(let text) = part, text.isFinal { origins.update { $0.append(text.origin) } }
            return true
        }
        var origin = RecognizedText.Origin()
        (origin.quietProbability, origin.repetition, origin.temperature) = (0.25, 1.5, 0.4)
        #expect(origins.read { $0 } == [origin])
    }

    @Test("If a recognizer exits, its lane ends, and a new lane can be opened")
    func ends() throws {
        #expect(try failure("CRASH")?.reason == .crashed(signal: SIGABRT, .listening))
        #expect(try failure("EXIT")?.reason == .exited(code: 3, .listening))
        #expect(try failure("CLOSES")?.reason == .violatedProtocol(.listening))
        let fixture = try RecognizerFixture(RecognizerFixture.deaf, ["CRASH"])
        let recognizer = try fixture.recognizer()
        for _ in 1...2 {
            let lane = try recognizer.openLane(on: LoadRequest(id: "deaf"))
            #expect(throws: EngineFailure.self) {
                try lane.listen(Self.request, to: CompleteAudio(Self.second)) { _ in true }
            }
            #expect(!lane.isAlive)
        }
        withExtendedLifetime(fixture) {}
    }

    @Test("A recognizer that stays idle while audio is available is reported as hung")
    func hangs() throws {
        var limits = EngineLimits.patient
        limits.idle = .seconds(2)
        // ThreadSanitizer's own thread uses CPU time, so the recognizer is never idle.
        if Sanitizer.isThread { limits.audio = .seconds(15) }
        // On a very busy machine, the recognizer may exceed the limit while loading.
        guard case .hung = try failure("HANG", limits)?.reason else {
            Issue.record("The recognizer should hang.")
            return
        }
    }

    @Test("A recognizer that is slow and has not returned any results is not terminated")
    func slow() throws {
        var limits = EngineLimits.patient
        limits.audio = .seconds(3)
        let fixture = try RecognizerFixture(RecognizerFixture.deaf, ["SLOW"])
        let sound = CompleteAudio([Float](repeating: 0, count: 20 * 1600))
        #expect(try fixture.lane(limits).listen(RecognitionJob(), to: sound) { _ in true })
    }

    @Test("A recognizer receives only finite samples within the valid range, regardless of the file's contents")
    func loud() throws {
        let fixture = try RecognizerFixture(RecognizerFixture.deaf, ["STRICT"])
        let sound = CompleteAudio([Float](repeating: 0, count: 100) + [1000, -1000, .nan, .infinity, -.infinity])
        #expect(try fixture.lane().listen(RecognitionJob(), to: sound) { _ in true })
    }

    @Test(
        "The host does not retain audio after the recognizer has read it",
        .disabled(if: Sanitizer.isActive, "A sanitizer retains freed memory."))
    func memory() throws {
        let fixture = try RecognizerFixture(RecognizerFixture.deaf)
        let recognizer = try fixture.recognizer()
        let lane = try recognizer.openLane(on: LoadRequest(id: "deaf"))
        var (before, after): (UInt64?, UInt64?)
        let sound = CompleteAudio([Float](repeating: 0, count: 10_000_000))
        let isWhole = try lane.listen(RecognitionJob(), to: sound) { part in
            switch part {
            case .progress: before = before ?? recognizer.figures.memory
            case .text: after = recognizer.figures.memory
            default: break
            }
            return true
        }
        #expect(isWhole)
        // The complete audio occupies 40 MB.
        #expect(try #require(after) < #require(before) + 20_000_000)
    }

    @Test("If a recognizer ignores cancellation, its process is terminated and the request ends")
    func deaf() throws {
        var limits = EngineLimits.patient
        (limits.cancelGrace, limits.killGrace) = (.milliseconds(100), .milliseconds(100))
        for choice in ["HANG", "SPIN"] {
            let lane = try RecognizerFixture(RecognizerFixture.deaf, [choice]).lane(limits)
            let sound = try LiveSound()
            sound.add(Self.second)
            let isWhole = try lane.listen(Self.request, to: sound) { part in
                // The recognizer has read audio and entered its faulty state.
                if case .progress = part { lane.cancel() }
                return true
            }
            #expect(!isWhole && !lane.isAlive, "\(choice)")
        }
    }

    @Test("A recognizer that never stops reporting text is terminated")
    func endless() throws {
        let lane = try RecognizerFixture(RecognizerFixture.deaf, ["ENDLESS"]).lane()
        var count = 0
        let isWhole = try lane.listen(Self.request, to: CompleteAudio(Self.second)) { _ in
            count += 1
            return count < 5000
        }
        #expect(!isWhole && count == 5000 && lane.isAlive)
        // A recognizer that reports more text than anyone could speak violates the protocol.
        let failure = #expect(throws: EngineFailure.self) {
            _ = try lane.listen(Self.request, to: CompleteAudio(Self.second)) { _ in true }
        }
        #expect(failure?.reason == .violatedProtocol(.listening))
    }

    @Test("If the connection is lost before the audio ends, the text so far is not mistaken for the complete text")
    func lostConnection() throws {
        let lane = try RecognizerFixture(RecognizerFixture.deaf, ["CUTS"]).lane()
        let sound = try LiveSound()
        sound.add(Self.second)
        var texts = 0
        let failure = #expect(throws: EngineFailure.self) {
            _ = try lane.listen(Self.request, to: sound) { part in
                if case .text = part { texts += 1 }
                return true
            }
        }
        #expect(failure?.reason == .violatedProtocol(.listening))
        #expect(texts == 1)
    }

    @Test("If a recognizer needs no more audio, the remaining audio is discarded before the next request")
    func early() throws {
        let lane = try RecognizerFixture(RecognizerFixture.deaf, ["EARLY"]).lane()
        for _ in 1...20 {
            let long = CompleteAudio([Float](repeating: 0, count: 2_000_000))
            #expect(try lane.listen(Self.request, to: long) { _ in true })
            #expect(long.place < 1_000_000)
        }
        #expect(lane.isAlive)
    }

    @Test("A failure to load or transcribe is reported along with the reason")
    func refuses() throws {
        let missing = #expect(throws: EngineFailure.self) {
            try RecognizerFixture(RecognizerFixture.deaf, ["NO_LOAD"]).lane()
        }
        #expect(missing?.reason == .reported(EngineError(.missingFile, "There are no weights.", role: "weights")))
        #expect(try failure("FAILS")?.reason == .reported(EngineError(.failed, "It is too loud.")))
        for (choice, flaw) in [
            ("NO_FUNCTION", Refusal.Flaw.missingFunction),
            ("RATE=1000", .description(.unusable(DescriptionField(.sampleRate)))),
        ] {
            let refused = #expect(throws: EngineFailure.self) {
                try RecognizerFixture(RecognizerFixture.deaf, [choice]).recognizer()
            }
            #expect(refused?.reason == .refused(Refusal(flaw)))
        }
    }
}
