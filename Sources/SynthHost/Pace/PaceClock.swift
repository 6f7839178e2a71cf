import Engines

/// The two clocks that an engine's pace is read from.
struct PaceClock: Sendable {
    /// Since a moment that stays the same.
    let now: @Sendable () -> Duration
    /// What the engine's process has used so far; nil = not known.
    let processorTime: @Sendable (EngineLane) -> Duration?

    static let real: PaceClock = {
        let start = ContinuousClock.now
        return PaceClock(now: { ContinuousClock.now - start }, processorTime: { $0.processorTime })
    }()
}
