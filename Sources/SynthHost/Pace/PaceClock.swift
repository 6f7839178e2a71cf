import Engines

/// The two clocks that the pace of an engine is measured with.
struct PaceClock: Sendable {
    /// The time since a fixed moment.
    let now: @Sendable () -> Duration
    /// The processor time of the engine's process so far; nil = unknown.
    let processorTime: @Sendable (EngineLane) -> Duration?

    static let real: PaceClock = {
        let start = ContinuousClock.now
        return PaceClock(now: { ContinuousClock.now - start }, processorTime: { $0.processorTime })
    }()
}
