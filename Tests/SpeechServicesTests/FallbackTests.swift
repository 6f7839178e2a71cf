import SynthHost
import SynthHostTesting
import System
import Testing

@testable import SpeechServices

@Suite("A service whose engine fails")
struct FallbackTests {
    private let first = TestEngine(framesPerByte: 10)
    private let second = TestEngine(framesPerByte: 10)
    private let clock = Monitor(ContinuousClock.now)

    private func say(_ text: String, _ service: SpeechService) throws -> [SpeechNotice] {
        let speech = try service.speak(SpeechOrder(.plain(text)))
        let result: Result<Void, Never> = try speech.read { _ in }
        result.get()
        return speech.notices
    }

    @Test("has another voice speak on, and after three failures within a minute does not ask the engine for a while")
    func rest() throws {
        let double = ServiceDouble(first, second: second)
        let service = SpeechService(double, double.warm, now: { [clock] in clock.read { $0 } })
        first.crash(at: "bad")
        for failure in 1...3 {
            let notices = try say("so bad.", service)
            #expect(first.spoken.count == failure && second.spoken.count == failure)
            let rests = notices.contains(.engineRests("test", .seconds(60)))
            #expect(rests == (failure == 3) && notices.count == (failure == 3 ? 2 : 1))
            clock.update { $0 += .seconds(5) }
        }
        for text in ["bad.", "good."] { #expect(try say(text, service) == []) }
        #expect(first.spoken.count == 3 && second.spoken.suffix(2) == ["bad.", "good."])
        clock.update { $0 += .seconds(60) }
        #expect(try say("good again.", service) == [])
        #expect(first.spoken.last == "good again.")
    }

    @Test("asks a failing engine all the same if nobody else can speak")
    func nobody() throws {
        let double = ServiceDouble(first)
        let service = SpeechService(double, double.warm, now: { [clock] in clock.read { $0 } })
        first.crash(at: "bad")
        for _ in 1...5 {
            #expect(throws: SpeechFailure.self) { try say("so bad.", service) }
            clock.update { $0 += .seconds(1) }
        }
        #expect(try say("good.", service) == [])
        #expect(first.spoken.count == 6)
    }
}
