/// How long the host waits for the next reply of an engine that speaks. Counts only while the host does wait.
struct Watchdog {
    enum Step: Equatable {
        case wait(until: ContinuousClock.Instant)
        /// It does not stop though it was asked to.
        case terminate
        case kill
        /// It kept silent for longer than this.
        case giveUp(Duration)
    }

    private let limits: EngineLimits
    private var waitingSince: ContinuousClock.Instant
    private var idleSince: ContinuousClock.Instant
    private var processorTime: Duration?
    private var nextLook: ContinuousClock.Instant
    private var stopAskedAt: ContinuousClock.Instant?
    private var terminatedAt: ContinuousClock.Instant?

    init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        waitingSince = now
        idleSince = now
        nextLook = now + limits.idle / 4
    }

    /// A reply came, or the host was busy with the last one.
    mutating func restart(now: ContinuousClock.Instant) {
        waitingSince = now
        idleSince = now
        nextLook = now + limits.idle / 4
        processorTime = nil
    }

    /// The request is cancelled. Only the first time counts.
    mutating func askToStop(now: ContinuousClock.Instant) {
        if stopAskedAt == nil { stopAskedAt = now }
    }

    /// - Parameter used: the engine's processor time so far. One that computes is slow, not idle.
    mutating func step(now: ContinuousClock.Instant, used: () -> Duration?) -> Step {
        if let terminatedAt {
            let end = terminatedAt + limits.killGrace
            return now < end ? .wait(until: end) : .kill
        }
        if let stopAskedAt {
            let end = stopAskedAt + limits.cancelGrace
            if now < end { return .wait(until: end) }
            terminatedAt = now
            return .terminate
        }
        let end = waitingSince + limits.audio
        if now >= end { return .giveUp(silence(until: now)) }
        if now >= nextLook {
            // Of one that is gone it is no more than before.
            let time = used() ?? processorTime ?? .zero
            if processorTime == nil || time != processorTime {
                processorTime = time
                idleSince = now
            } else if now >= idleSince + limits.idle {
                return .giveUp(silence(until: now))
            }
            nextLook = now + limits.idle / 4
        }
        return .wait(until: min(end, nextLook))
    }

    /// Since the last reply, in tenths of a second.
    private func silence(until now: ContinuousClock.Instant) -> Duration {
        .milliseconds(Int(((now - waitingSince) / .milliseconds(100)).rounded()) * 100)
    }
}
