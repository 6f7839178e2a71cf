import System

/// How long the host waits for something, in time in which it runs itself.
struct WaitLimit {
    let duration: Duration
    private var clock = RunningClock()
    private let end: ContinuousClock.Instant

    /// Counts from now.
    init(_ duration: Duration) {
        self.duration = duration
        end = clock.now() + duration
    }

    /// What is left of it; zero when it is over.
    mutating func left() -> Duration { max(.zero, end - clock.now()) }

    /// How long to wait at once: what is left, in steps that the clock can count.
    mutating func step() -> Duration { min(left(), RunningClock.longestStep) }
}
