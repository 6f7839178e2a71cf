import Foundation
import Synchronization
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@Suite("Cancelling a worker's request", .ownThreads)
struct CancelTests {
    private static let rounds = LongForm.choose(100, long: 2000)

    /// Limits that are not reached even on a busy machine, for tests in which the engine stops.
    private static let limits = EngineLimits.short()
    /// Limits that are reached soon, for an engine that does not stop.
    private static let impatient = EngineLimits.short(cancelGrace: .milliseconds(200))

    private func toneLane(_ fixture: EngineFixture) throws -> EngineLane {
        let path = EngineFixture.tone
        let description = try EngineFile(path: path).describe(by: fixture.program, limits: Self.limits)
        let engine = Engine(file: path, description: description, program: fixture.program, limits: Self.limits)
        return try engine.openLane(on: LoadRequest(id: "tone"))
    }

    @Test("With a fast engine, a cancellation at any time ends only the request that it targets")
    func races() throws {
        let fixture = try EngineFixture()
        try race(on: try toneLane(fixture), voice: "sine", text: "A word or two, and three. Then some more to say!")
    }

    @Test("With a slow engine, a cancellation at any time ends only the request that it targets")
    func slowRaces() throws {
        let fixture = try EngineFixture()
        let engine = fixture.engine(try fixture.makeEngine(["SPEAK=paced"]), limits: Self.limits)
        try race(on: try engine.openLane(on: EngineFixture.load), voice: "one", text: "abc")
    }

    @Test("A cancellation before the request starts prevents it, and the next request is spoken")
    func before() throws {
        let fixture = try EngineFixture()
        let lane = try toneLane(fixture)
        let request = LaneRequest(.text("Hello"), voices: [VoiceUse(id: "sine")])
        var parts = 0
        let wasSpoken = try lane.speak(request, unless: { true }) { _ in
            parts += 1
            return true
        }
        #expect(!wasSpoken && parts == 0)
        #expect(try lane.speak(request) { _ in true })
    }

    /// Cancels one request per round, at a time between its start and shortly after its end.
    private func race(on lane: EngineLane, voice: String, text: String) throws {
        let expected = try lane.speak(text, voice: voice)
        #expect(expected.wasSpoken && !expected.samples.isEmpty)
        let start = ContinuousClock.now
        for _ in 1...20 { _ = try lane.speak(text, voice: voice) }
        var length = (ContinuousClock.now - start) / 20
        var random = SeededRandom(42)
        let alarm = Alarm { lane.cancel() }
        defer { alarm.end() }
        var (round, stopped) = (0, 0)
        // On a busy machine, it takes more rounds until enough requests have been stopped and enough others completed.
        while round < Self.rounds || min(stopped, round - stopped) <= Self.rounds / 20 {
            round += 1
            alarm.ring(after: length * Double.random(in: 0..<1.25, using: &random))
            let speech = try lane.speak(text, voice: voice)
            // On a busy machine, durations vary. Adapting the assumed duration keeps the numbers of cancellations
            // before and after the end of a request about equal.
            length = length * (speech.wasSpoken ? 0.9 : 1.1)
            if !speech.wasSpoken { stopped += 1 }
            #expect(expected.samples.starts(with: speech.samples), "round \(round)")
            alarm.waitUntilRung()
            let next = try lane.speak(text, voice: voice)
            try #require(next == expected, "round \(round)")
        }
    }

    @Test("A cancellation before the first request or between requests has no effect")
    func betweenRequests() throws {
        let fixture = try EngineFixture()
        let lane = try toneLane(fixture)
        for _ in 1...3 {
            lane.cancel()
            lane.cancel()
            #expect(try lane.speak("Hello.", voice: "sine").wasSpoken)
        }
    }

    @Test("A cancellation from within the part handler ends the request")
    func fromListener() throws {
        let fixture = try EngineFixture()
        let lane = try fixture.engine(try fixture.makeEngine(["SPEAK=endlessly"])).openLane(on: EngineFixture.load)
        for _ in 1...20 {
            let speech = try lane.speak("a", shouldContinue: { $0.samples.count < 5000 })
            #expect(!speech.wasSpoken && speech.samples.count >= 5000 && speech.samples.count < 10_000)
        }
    }

    @Test("If an engine reports success after a stop, the request still counts as stopped, and the worker is kept")
    func stubborn() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=stubborn"])
        let lane = try fixture.engine(path).openLane(on: EngineFixture.load)
        let worker = Processes.hosting(path)
        for _ in 1...3 {
            let speech = try lane.speak("a", shouldContinue: { $0.samples.count < 5000 })
            #expect(!speech.wasSpoken)
        }
        #expect(lane.isAlive && Processes.hosting(path) == worker)
    }

    @Test(
        "If an engine ignores a cancellation, the worker is terminated, and the next request is spoken",
        arguments: [
            ["SPEAK=deaf"], ["SPEAK=deaf", "DEAFER"], ["SPEAK=deaf_and_busy"], ["SPEAK=deaf", "IN_CANCEL=hang_deaf"],
            ["SPEAK=deaf", "IN_CANCEL=crash"],
        ])
    func ignored(_ choices: [String]) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(choices)
        do {
            let engine = fixture.engine(path, limits: Self.impatient)
            for _ in 1...2 {
                let lane = try engine.openLane(on: EngineFixture.load)
                let speech = try lane.speak("seven", shouldContinue: { $0.samples.isEmpty })
                #expect(!speech.wasSpoken && !lane.isAlive)
                #expect(try engine.openLane(on: EngineFixture.load).speak("a").wasSpoken)
            }
        }
        #expect(Processes.haveEnded(path))
    }

    @Test(
        "If a cancellation is ignored, the worker's other request also ends, with an error that blames the first one"
    )
    func ofAnother() throws {
        let fixture = try EngineFixture()
        let engine = fixture.engine(try fixture.makeEngine(["SPEAK=deaf"]), limits: Self.impatient)
        let (leaving, staying) = (
            try engine.openLane(on: EngineFixture.load), try engine.openLane(on: EngineFixture.load)
        )
        let failures = Monitor<[EngineFailure?]>([])
        let isUnderWay = Monitor(false)
        startThread("staying") {
            do throws(EngineFailure) {
                _ = try staying.speak("seven") { _ in
                    isUnderWay.update { $0 = true }
                    return true
                }
                failures.update { $0.append(nil) }
            } catch {
                failures.update { $0.append(error) }
            }
        }
        let speech = try leaving.speak("seven") { speech in
            if !speech.samples.isEmpty { _ = isUnderWay.wait { $0 ? true : nil } }
            return speech.samples.isEmpty
        }
        #expect(!speech.wasSpoken)
        let failure = try #require(failures.wait { $0.first } ?? nil)
        #expect(failure.isCausedByAnotherRequest && !staying.isAlive)
    }

    @Test("A cancellation ends even an engine that floods its lane")
    func flood() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=flood_of_sound"])
        let lane = try fixture.engine(path, limits: Self.impatient).openLane(on: EngineFixture.load)
        #expect(try !lane.speak("a", shouldContinue: { $0.samples.count < 20_000 }).wasSpoken)
        #expect(!lane.isAlive)
    }

    @Test("Sending a cancellation does not block, even if the engine does not read it")
    func doesNotWait() throws {
        let fixture = try EngineFixture()
        let lane = try fixture.engine(
            try fixture.makeEngine(["SPEAK=hang_midway", "IN_CANCEL=hang"]),
            limits: Self.impatient
        ).openLane(on: EngineFixture.load)
        // The control socket's queue has less space than these cancellations need, so if they could block, the test
        // would not end.
        let speech = try lane.speak("a") { speech in
            if !speech.samples.isEmpty { for _ in 1...5000 { lane.cancel() } }
            return true
        }
        #expect(!speech.wasSpoken)
    }
}

/// Performs an action at a given time on a separate thread.
private final class Alarm: Sendable {
    private enum Order { case none, ring(ContinuousClock.Instant), end }
    private let order = Monitor(Order.none)

    init(_ act: @escaping @Sendable () -> Void) {
        let order = order
        startThread("alarm") {
            while let moment = order.wait(until: { order -> ContinuousClock.Instant?? in
                switch order {
                case .none: nil
                case .ring(let moment): .some(moment)
                case .end: .some(nil)
                }
            }) ?? nil {
                // Sleeping is not accurate to within a millisecond, so wake up slightly before the given time.
                let left = moment - .now - .milliseconds(2)
                if left > .zero { usleep(UInt32(left / .microseconds(1))) }
                while ContinuousClock.now < moment {}
                act()
                order.update { if case .ring = $0 { $0 = .none } }
            }
        }
    }

    func ring(after delay: Duration) { order.update { $0 = .ring(.now + delay) } }

    func waitUntilRung() { _ = order.wait { if case .none = $0 { true } else { nil } } }

    func end() { order.update { $0 = .end } }
}
