import System

/// A limit of a wait, by the `RunningClock`.
struct WaitLimit {
    let duration: Duration
    private var clock = RunningClock()
    private let end: ContinuousClock.Instant
    /// How long what is waited for waited for the machine itself: that does not count.
    var heldUp = Duration.zero

    /// Counts from now.
    init(_ duration: Duration) {
        self.duration = duration
        end = clock.now() + duration
    }

    /// The remaining time; zero when it is over.
    mutating func left() -> Duration { max(.zero, end + heldUp - clock.now()) }

    /// The timeout of the next wait: the remaining time, at most the longest step that the clock counts.
    mutating func step() -> Duration { min(left(), RunningClock.longestStep) }
}
