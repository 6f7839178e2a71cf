/// A clock that stands still while this process does not run. A limit must not count the time in which a laptop sleeps,
/// or in which the whole process tree is stopped: the process that the host waits for did not run either.
///
/// It must be read at least once in each `longestStep`: of a longer time between two readings, only that much is
/// counted.
package struct RunningClock: Sendable {
    package static let longestStep = Duration.milliseconds(250)

    private var lastReading: ContinuousClock.Instant
    private var missed = Duration.zero

    package init(startingAt now: ContinuousClock.Instant = .now) { lastReading = now }

    /// - Parameter real: the time that also passes while nothing runs.
    package mutating func now(_ real: ContinuousClock.Instant = .now) -> ContinuousClock.Instant {
        missed += max(.zero, real - lastReading - Self.longestStep)
        lastReading = real
        return real - missed
    }
}
