import SynthSystem
import Testing

@Suite("The clock for limits")
struct RunningClockTests {
    @Test("counts all time if it is read often enough")
    func steps() {
        let start = ContinuousClock.now
        var clock = RunningClock(startingAt: start)
        for step in 1...100 {
            #expect(clock.now(start + .milliseconds(200) * step) == start + .milliseconds(200) * step)
        }
    }

    @Test("counts only one step of a suspend, and then continues")
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
