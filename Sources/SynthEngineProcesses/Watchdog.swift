import SynthSystem

/// Measures how long the host waits for an engine's next reply, excluding the time during which the host is busy.
package struct Watchdog {
    /// The host's next action.
    package enum Step: Hashable {
        case wait(until: ContinuousClock.Instant)
        /// Terminate the engine, because it did not stop after a cancellation.
        case terminate
        case kill
        /// Give up, because the engine has not replied within the given time.
        case giveUp(Duration)
    }

    private let limits: EngineLimits
    private var waitingSince: ContinuousClock.Instant
    private var idle: IdleWatch
    private var stopAskedAt: ContinuousClock.Instant?
    /// The engine's CPU time at the first check after the cancellation.
    private var usedBeforeStop: Duration?
    /// The maximum time to wait for an engine that would stop if it got CPU time.
    private static let longestStop = Duration.seconds(60)
    private var terminatedAt: ContinuousClock.Instant?

    package init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        waitingSince = now
        idle = IdleWatch(limits, now: now)
    }

    /// Restarts the wait, because a reply has arrived or the host has finished processing the last reply.
    package mutating func restart(now: ContinuousClock.Instant) {
        waitingSince = now
        idle.restart(now: now)
    }

    /// Records that the request was cancelled. Only the first call has an effect.
    package mutating func askToStop(now: ContinuousClock.Instant) {
        if stopAskedAt == nil { stopAskedAt = now }
    }

    /// - Parameters:
    ///   - used: the CPU time that the engine has used so far, or nil if its process has ended. An engine that uses CPU
    ///     time is considered slow, not idle.
    ///   - isBlocked: whether the engine is waiting for system resources.
    ///   - isReplaceable: whether a listener is waiting and another engine can take over.
    package mutating func step(
        now: ContinuousClock.Instant, used: () -> Duration?, isBlocked: () -> Bool = { false },
        isReplaceable: () -> Bool = { false }
    ) -> Step {
        if let terminatedAt {
            let end = terminatedAt + limits.killGrace
            return now < end ? .wait(until: end) : .kill
        }
        if let stopAskedAt {
            let end = stopAskedAt + limits.cancelGrace
            let before = usedBeforeStop ?? used() ?? .zero
            usedBeforeStop = before
            if now < end { return .wait(until: end) }
            if now < stopAskedAt + Self.longestStop, (used() ?? .zero) - before < limits.cancelGrace, isBlocked() {
                return .wait(until: now + limits.cancelGrace / 4)
            }
            terminatedAt = now
            return .terminate
        }
        let isHung = idle.isHung(now: now, used: used, isBlocked: isBlocked, isReplaceable: isReplaceable)
        let end = waitingSince + limits.audio + idle.blockedTime
        if isHung || now >= end { return .giveUp(silence(until: now)) }
        return .wait(until: min(end, idle.nextCheck))
    }

    /// Returns the time since the last reply, rounded to tenths of a second.
    private func silence(until now: ContinuousClock.Instant) -> Duration {
        .milliseconds(Int(((now - waitingSince) / .milliseconds(100)).rounded()) * 100)
    }
}

/// Detects an engine that is idle although a reply is expected. The caller supplies the current time.
package struct IdleWatch {
    private let limits: EngineLimits
    private var since: ContinuousClock.Instant
    private var processorTime: Duration?
    private(set) var nextCheck: ContinuousClock.Instant
    private var lastCheck: ContinuousClock.Instant
    /// The time that the engine has waited for system resources (a processor, a page or a file) since the last reply.
    /// It is excluded from all timeouts, because the engine is slow, not idle.
    package private(set) var blockedTime = Duration.zero
    /// Whether another engine can take over, or nil if this has not been checked yet.
    private var isReplaceable: Bool?
    /// The value of `blockedTime` when the engine was last active.
    private var blockedTimeBefore = Duration.zero
    /// The maximum `blockedTime` to exclude for an engine that is completely idle. The limit exists because a disk may
    /// never respond.
    private static let longestBlockedTime = Duration.seconds(300)

    package init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        since = now
        lastCheck = now
        nextCheck = now + Self.step(limits)
    }

    /// Restarts the wait, because a reply has arrived or the data in a reply has been consumed.
    package mutating func restart(now: ContinuousClock.Instant) {
        since = now
        lastCheck = now
        nextCheck = now + Self.step(limits)
        processorTime = nil
        (blockedTime, blockedTimeBefore) = (.zero, .zero)
    }

    /// Whether the engine has been idle for so long that it is considered hung.
    ///
    /// - Parameters:
    ///   - used: the CPU time that the engine has used so far, or nil if its process has ended.
    ///   - isBlocked: whether the engine is waiting for system resources.
    ///   - isReplaceable: whether another engine can take over. Called at most once.
    package mutating func isHung(
        now: ContinuousClock.Instant, used: () -> Duration?, isBlocked: () -> Bool, isReplaceable: () -> Bool
    ) -> Bool {
        guard now >= nextCheck else { return false }
        // A process that has ended uses no more CPU time.
        let time = used() ?? processorTime ?? .zero
        if let processorTime, isBlocked() { blockedTime += max(.zero, now - lastCheck - (time - processorTime)) }
        lastCheck = now
        nextCheck = now + Self.step(limits)
        guard time == processorTime else {
            processorTime = time
            (since, blockedTimeBefore) = (now, blockedTime)
            return false
        }
        let idle = now - since - min(blockedTime - blockedTimeBefore, Self.longestBlockedTime)
        if idle >= limits.idle { return true }
        guard idle >= limits.awaited, self.isReplaceable != false, !isBlocked() else { return false }
        let isReplaceable = self.isReplaceable ?? isReplaceable()
        self.isReplaceable = isReplaceable
        return isReplaceable
    }

    /// Whether a worker has been idle during a request for so long that it is considered hung. The time that it waits
    /// for system resources extends the reply timeout.
    mutating func isHung(
        _ worker: WorkerProcess, now: ContinuousClock.Instant, extending limit: inout WaitLimit,
        isReplaceable: () -> Bool = { false }
    ) -> Bool {
        defer { limit.blockedTime = blockedTime }
        return isHung(
            now: now, used: { worker.processorTime }, isBlocked: { worker.isBlocked }, isReplaceable: isReplaceable)
    }

    private static func step(_ limits: EngineLimits) -> Duration { min(limits.idle, limits.awaited) / 4 }
}

/// The timeout of a wait, measured by a `RunningClock`.
package struct WaitLimit {
    let duration: Duration
    private var clock = RunningClock()
    private let end: ContinuousClock.Instant
    /// The time that the awaited process has waited for system resources. It is excluded from the timeout.
    package var blockedTime = Duration.zero

    init(_ duration: Duration) {
        self.duration = duration
        end = clock.now() + duration
    }

    /// Returns the remaining time, or zero after the timeout.
    mutating func left() -> Duration { max(.zero, end + blockedTime - clock.now()) }

    /// Returns the timeout for the next wait: the remaining time, limited to the longest step that the clock counts.
    mutating func step() -> Duration { min(left(), RunningClock.longestStep) }
}
