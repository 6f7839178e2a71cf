import Testing

@testable import SynthService

@Suite("Engines that fail repeatedly")
struct EngineCooldownsTests {
    private let start = ContinuousClock.now

    @Test(
        "An engine is suspended after three failures within a minute, and again if it fails when it is retried later",
        arguments: [
            (fail: [0, 30], rests: []), (fail: [0, 30, 59], rests: [59]),
            // Failures that are far apart.
            (fail: Array(stride(from: 0.0, to: 600, by: 31)), rests: []),
            // The exit of one process made many requests fail.
            (fail: Array(stride(from: 0.0, to: 0.2, by: 0.005)), rests: []),
            // Requests that began before the pause.
            (fail: [0, 1, 2, 3, 4, 60], rests: [2]),
            // A failure after the pause.
            (fail: [0, 1, 2, 70, 135, 200], rests: [2, 70, 135, 200]),
            // A minute without failures.
            (fail: [0, 1, 2, 123, 124], rests: [2]), (fail: [0, 1, 2, 123, 124, 125], rests: [2, 125]),
        ] as [(fail: [Double], rests: [Double])])
    func rests(fail: [Double], rests: [Double]) {
        var failing = EngineCooldowns(rest: .seconds(60))
        var begun: [Double] = []
        for second in fail {
            let now = start + .seconds(second)
            guard failing.fail("a", at: now) else { continue }
            begun.append(second)
            #expect(failing.inCooldown(at: now + .seconds(59)) == ["a"])
            #expect(failing.inCooldown(at: now + .seconds(61)) == [])
        }
        #expect(begun == rests)
        if rests.isEmpty { #expect(failing.inCooldown(at: start) == []) }
    }

    @Test("Failures are counted separately for each engine")
    func apart() {
        var failing = EngineCooldowns(rest: .seconds(60))
        for second in 0..<3 {
            for engine in ["a", "b", "c"].prefix(second + 1) { _ = failing.fail(engine, at: start + .seconds(second)) }
        }
        #expect(failing.inCooldown(at: start + .seconds(3)) == ["a"])
    }
}
