/// A clock that stands still while this process does. A limit must not count the time in which a laptop sleeps, or in
/// which somebody stopped the whole tree of processes: whoever is waited for did not run either.
///
/// It has to be looked at at least once in each `longestStep`: of a longer time between two looks, no more is counted.
package struct RunningClock: Sendable {
    package static let longestStep = Duration.milliseconds(250)

    private var lastLook: ContinuousClock.Instant
    private var missed = Duration.zero

    package init(startingAt now: ContinuousClock.Instant = .now) { lastLook = now }

    /// - Parameter real: the time that also passes while nothing runs.
    package mutating func now(_ real: ContinuousClock.Instant = .now) -> ContinuousClock.Instant {
        missed += max(.zero, real - lastLook - Self.longestStep)
        lastLook = real
        return real - missed
    }
}
