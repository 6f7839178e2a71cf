import Testing
import TestSupport

@testable import SynthEngineProcesses

@Suite("The host's watchdog", .ownThreads)
struct WatchdogTests {
    private static let limits = EngineLimits.short(
        audio: .seconds(120), idle: .seconds(20), cancelGrace: .milliseconds(500), killGrace: .seconds(2))

    /// Simulates an engine that does not reply and returns the watchdog's actions with their times.
    private static func simulate(
        cancelAfter: Duration? = nil, limits: EngineLimits = limits, isBlocked: (Duration) -> Bool = { _ in false },
        isReplaceable: Bool = false, used: @escaping (Duration) -> Duration?
    ) -> [(Watchdog.Step, Duration)] {
        let start = ContinuousClock.now
        var now = start
        var watchdog = Watchdog(limits, now: now)
        var actions: [(Watchdog.Step, Duration)] = []
        while actions.count < 4 {
            if let cancelAfter, now - start >= cancelAfter { watchdog.askToStop(now: now) }
            let step = watchdog.step(
                now: now, used: { used(now - start) }, isBlocked: { isBlocked(now - start) },
                isReplaceable: { isReplaceable })
            if case .wait(let end) = step {
                #expect(end > now)
                // A cancellation wakes the waiting thread.
                let wakeTime = cancelAfter.map { start + $0 } ?? end
                now = now < wakeTime ? min(end, wakeTime) : end
            } else {
                actions.append((step, now - start))
                if case .giveUp = step { break }
                if step == .kill { break }
            }
        }
        return actions
    }

    @Test("An engine that uses no CPU time is abandoned")
    func idleEngine() throws {
        let (step, time) = try #require(Self.simulate { _ in .seconds(3) }.first)
        #expect(step == .giveUp(time))
        #expect(time >= .seconds(20) && time <= .seconds(25))
    }

    @Test(
        "If a fallback can take over, an idle engine is abandoned sooner, unless it is waiting for system resources",
        arguments: [
            (true, Duration.zero, Duration.seconds(2), Duration.seconds(3)),
            (true, .seconds(9), .seconds(10), .seconds(12)), (true, .seconds(99), .seconds(100), .seconds(102)),
            (false, .zero, .seconds(20), .seconds(21)), (false, .seconds(99), .seconds(118), .seconds(120)),
            (true, .seconds(999), .seconds(320), .seconds(322)),
        ])
    func awaited(isReplaceable: Bool, blockedTime: Duration, least: Duration, most: Duration) throws {
        var limits = Self.limits
        limits.awaited = .seconds(2)
        let (step, time) = try #require(
            Self.simulate(limits: limits, isBlocked: { $0 < blockedTime }, isReplaceable: isReplaceable) { _ in
                .seconds(3)
            }
            .first)
        #expect(step == .giveUp(time) && time >= least && time <= most, "\(time)")
    }

    @Test("An engine that computes intermittently gets more time even if a fallback can take over")
    func computingNowAndThen() throws {
        var limits = Self.limits
        limits.awaited = .seconds(2)
        let (step, time) = try #require(
            Self.simulate(limits: limits, isReplaceable: true) { .seconds(Int($0 / .milliseconds(1500))) }.first)
        #expect(step == .giveUp(.seconds(120)) && time == .seconds(120))
    }

    @Test("An engine that is computing gets more time, but not without limit")
    func busy() throws {
        let (step, time) = try #require(Self.simulate { $0 / 2 }.first)
        #expect(step == .giveUp(.seconds(120)) && time == .seconds(120))
    }

    @Test("Time during which other processes use the CPU does not count", arguments: [2, 10])
    func busyMachine(share: Int) throws {
        let (step, time) = try #require(Self.simulate(isBlocked: { _ in true }) { $0 / share }.first)
        let expected = Duration.seconds(120) * share
        #expect(step == .giveUp(time) && time >= expected * 9 / 10 && time <= expected + .seconds(10), "\(time)")
    }

    @Test("An engine in an endless loop is terminated if no other process needs the CPU")
    func circles() throws {
        let (step, time) = try #require(Self.simulate(isBlocked: { _ in true }) { $0 * 2 }.first)
        #expect(step == .giveUp(time) && time <= .seconds(121), "\(time)")
    }

    @Test("The idle timer restarts when the engine stops computing")
    func busyThenIdle() throws {
        let (step, time) = try #require(Self.simulate { min($0, .seconds(60)) }.first)
        #expect(step == .giveUp(time))
        #expect(time >= .seconds(80) && time <= .seconds(90))
    }

    @Test("An engine whose process has exited is abandoned")
    func gone() throws {
        let (step, time) = try #require(Self.simulate { _ in nil }.first)
        #expect(step == .giveUp(time))
    }

    @Test("After a cancellation, the worker is terminated and then killed")
    func cancel() {
        let actions = Self.simulate(cancelAfter: .seconds(7)) { $0 }
        #expect(actions.map(\.0) == [.terminate, .kill])
        #expect(actions.map(\.1) == [.milliseconds(7500), .milliseconds(9500)])
    }

    @Test(
        "On a busy machine, an engine gets as much CPU time to stop as on an idle machine",
        arguments: [(2, Duration.milliseconds(8000)), (10, .milliseconds(12_000)), (1000, .seconds(67))])
    func stopOnBusyMachine(share: Int, expected: Duration) {
        let actions = Self.simulate(cancelAfter: .seconds(7), isBlocked: { _ in true }) { $0 / share }
        #expect(actions.map(\.0) == [.terminate, .kill])
        #expect(actions[0].1 >= expected && actions[0].1 <= expected + .milliseconds(200), "\(actions[0].1)")
    }

    @Test("Each reply restarts the watchdog's timer")
    func restart() {
        let start = ContinuousClock.now
        var watchdog = Watchdog(Self.limits, now: start)
        var now = start
        for _ in 1...100 {
            now += .seconds(15)
            watchdog.restart(now: now)
            guard case .wait = watchdog.step(now: now + .seconds(14), used: { .zero }) else {
                Issue.record("The watchdog abandoned the engine.")
                return
            }
        }
    }
}
