import SynthCatalogue
import SynthHost
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthService

@Suite("A service's fallback voice", .ownThreads)
struct FallbackTests {
    private let first = TestEngine(framesPerByte: 10)
    private let second = TestEngine(framesPerByte: 10)
    private let clock = Monitor(ContinuousClock.now)

    private func say(_ text: String, _ service: SpeechService) throws -> [SpeechNotice] {
        let speech = try service.speak(SpeechJob(.plain(text)))
        let result: Result<Void, Never> = try speech.read { _ in }
        result.get()
        return speech.notices
    }

    @Test(
        "After a failure, the fallback voice takes over; after three failures within a minute, the engine is suspended")
    func rest() throws {
        let double = TestBackend(first, second: second)
        let service = SpeechService(double, now: { [clock] in clock.read { $0 } })
        first.crash(at: "bad")
        for failure in 1...3 {
            let notices = try say("so bad.", service)
            #expect(first.spoken.count == failure && second.spoken.count == failure)
            let rests = notices.contains(.engineInCooldown("test", .seconds(60)))
            #expect(rests == (failure == 3) && notices.count == (failure == 3 ? 2 : 1))
            clock.update { $0 += .seconds(5) }
        }
        for text in ["bad.", "good."] { #expect(try say(text, service) == []) }
        #expect(first.spoken.count == 3 && second.spoken.suffix(2) == ["bad.", "good."])
        clock.update { $0 += .seconds(60) }
        #expect(try say("good again.", service) == [])
        #expect(first.spoken.last == "good again.")
    }

    @Test("If the requested engine cannot be used, the fallback voice speaks, and a notice reports this")
    func unusable() throws {
        let home = try UserHome()
        try home.write("no library", to: "data/synthhost/plugins/moody.so")
        try home.installFaulty("steady", voice: "Steady", ["SPEAK=legible"])
        var presets = Configuration()
        (presets.engine, presets.fallback) = ("moody", ["Steady"])
        let models = WarmModels()
        let host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment
            ) {
                $0.limits = .patient
                $0.presets = presets
                $0.lanes = models
            })
        let service = SpeechService(host, models)
        let notices = try say("one.", service)
        guard case .voiceReplaced(let replacement)? = notices.first else {
            Issue.record("\(notices)")
            return
        }
        #expect(notices.count == 1 && replacement.voice == nil && replacement.other.title == "Steady")
        #expect(throws: SpeechError.self) {
            var order = SpeechJob(.plain("one."))
            order.voice = VoiceQuery(name: "Nobody")
            _ = try service.speak(order)
        }
    }

    @Test("Without a fallback voice, a failing engine is still used")
    func nobody() throws {
        let double = TestBackend(first)
        let service = SpeechService(double, now: { [clock] in clock.read { $0 } })
        first.crash(at: "bad")
        for _ in 1...5 {
            #expect(throws: SpeechError.self) { try say("so bad.", service) }
            clock.update { $0 += .seconds(1) }
        }
        #expect(try say("good.", service) == [])
        #expect(first.spoken.count == 6)
    }
}
