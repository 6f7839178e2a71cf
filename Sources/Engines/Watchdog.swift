/// Decides how long the host waits for the next reply of an engine that speaks. Time counts only while the host waits.
struct Watchdog {
    enum Step: Equatable {
        case wait(until: ContinuousClock.Instant)
        /// It did not stop after a cancel.
        case terminate
        case kill
        /// It gave no reply for this time.
        case giveUp(Duration)
    }

    private let limits: EngineLimits
    private var waitingSince: ContinuousClock.Instant
    private var idle: IdleWatch
    private var stopAskedAt: ContinuousClock.Instant?
    private var terminatedAt: ContinuousClock.Instant?

    init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        waitingSince = now
        idle = IdleWatch(limits, now: now)
    }

    /// A reply has arrived, or the host has finished with the last one.
    mutating func restart(now: ContinuousClock.Instant) {
        waitingSince = now
        idle.restart(now: now)
    }

    /// The request was cancelled. Only the first call counts.
    mutating func askToStop(now: ContinuousClock.Instant) {
        if stopAskedAt == nil { stopAskedAt = now }
    }

    /// - Parameters:
    ///   - used: the engine's processor time so far; nil if the process has ended. An engine that uses processor time is
    ///     slow, not idle.
    ///   - isHeldUp: whether it waits for the machine.
    ///   - isReplaceable: whether somebody listens, and another engine would take over.
    mutating func step(
        now: ContinuousClock.Instant, used: () -> Duration?, isHeldUp: () -> Bool = { false },
        isReplaceable: () -> Bool = { false }
    ) -> Step {
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
        let isHung = idle.isHung(now: now, used: used, isHeldUp: isHeldUp, isReplaceable: isReplaceable)
        let end = waitingSince + limits.audio + idle.heldUp
        if isHung || now >= end { return .giveUp(silence(until: now)) }
        return .wait(until: min(end, idle.nextLook))
    }

    /// The time since the last reply, rounded to tenths of a second.
    private func silence(until now: ContinuousClock.Instant) -> Duration {
        .milliseconds(Int(((now - waitingSince) / .milliseconds(100)).rounded()) * 100)
    }
}
