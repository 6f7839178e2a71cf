import SynthSystem
import Testing

@Suite("The clock for time limits")
struct RunningClockTests {
    @Test("If the clock is read often enough, it counts all elapsed time")
    func steps() {
        let start = ContinuousClock.now
        var clock = RunningClock(startingAt: start)
        for step in 1...100 {
            #expect(clock.now(start + .milliseconds(200) * step) == start + .milliseconds(200) * step)
        }
    }

    @Test("After a suspension, the clock advances by a single step and then continues")
    func sleep() {
        let start = ContinuousClock.now
        var clock = RunningClock(startingAt: start)
        let morning = start + .seconds(30_000)
        #expect(clock.now(start + .milliseconds(100)) == start + .milliseconds(100))
        #expect(clock.now(morning) == start + .milliseconds(100) + RunningClock.longestStep)
        #expect(
            clock.now(morning + .milliseconds(100)) == start + .milliseconds(200) + RunningClock.longestStep)
    }
}
