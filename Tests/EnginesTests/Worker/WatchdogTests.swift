import Testing
import TestSupport

@testable import Engines

@Suite("The host's watchdog", .ownThreads)
struct WatchdogTests {
    private static let limits = EngineLimits.short(
        audio: .seconds(120), idle: .seconds(20), cancelGrace: .milliseconds(500), killGrace: .seconds(2))

    /// Plays a silence: what is said at last, and after how long.
    private static func play(
        cancelAfter: Duration? = nil, used: @escaping (Duration) -> Duration?
    ) -> [(Watchdog.Step, Duration)] {
        let start = ContinuousClock.now
        var now = start
        var watchdog = Watchdog(limits, now: now)
        var said: [(Watchdog.Step, Duration)] = []
        while said.count < 4 {
            if let cancelAfter, now - start >= cancelAfter { watchdog.askToStop(now: now) }
            let step = watchdog.step(now: now, used: { used(now - start) })
            if case .wait(let end) = step {
                #expect(end > now)
                // A cancel wakes who waits.
                let alarm = cancelAfter.map { start + $0 } ?? end
                now = now < alarm ? min(end, alarm) : end
            } else {
                said.append((step, now - start))
                if case .giveUp = step { break }
                if step == .kill { break }
            }
        }
        return said
    }

    @Test("ends with an engine that does not compute")
    func idleEngine() throws {
        let (step, time) = try #require(Self.play { _ in .seconds(3) }.first)
        #expect(step == .giveUp(time))
        #expect(time >= .seconds(20) && time <= .seconds(25))
    }

    @Test("lasts longer with one that computes, but not for ever")
    func busy() throws {
        let (step, time) = try #require(Self.play { $0 / 2 }.first)
        #expect(step == .giveUp(.seconds(120)) && time == .seconds(120))
    }

    @Test("begins anew for idleness when computing ends")
    func busyThenIdle() throws {
        let (step, time) = try #require(Self.play { min($0, .seconds(60)) }.first)
        #expect(step == .giveUp(time))
        #expect(time >= .seconds(80) && time <= .seconds(90))
    }

    @Test("ends with an engine that is gone")
    func gone() throws {
        let (step, time) = try #require(Self.play { _ in nil }.first)
        #expect(step == .giveUp(time))
    }

    @Test("after a cancel asks to end, then ends")
    func cancel() {
        let said = Self.play(cancelAfter: .seconds(7)) { $0 }
        #expect(said.map(\.0) == [.terminate, .kill])
        #expect(said.map(\.1) == [.milliseconds(7500), .milliseconds(9500)])
    }

    @Test("begins anew with each reply")
    func restart() {
        let start = ContinuousClock.now
        var watchdog = Watchdog(Self.limits, now: start)
        var now = start
        for _ in 1...100 {
            now += .seconds(15)
            watchdog.restart(now: now)
            guard case .wait = watchdog.step(now: now + .seconds(14), used: { .zero }) else {
                Issue.record("It gave up.")
                return
            }
        }
    }
}
