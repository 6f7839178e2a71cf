public import SynthEngineWire
import SynthSystem

/// Decides how long the host waits for an engine's next reply. Time counts only while the host waits.
package struct Watchdog {
    /// The next action of the host.
    package enum Step: Hashable {
        case wait(until: ContinuousClock.Instant)
        /// The engine did not stop after a cancellation.
        case terminate
        case kill
        /// The engine sent no reply for this time.
        case giveUp(Duration)
    }

    private let limits: EngineLimits
    private var waitingSince: ContinuousClock.Instant
    private var idle: IdleWatch
    private var stopAskedAt: ContinuousClock.Instant?
    /// Its processor time at the first check after that.
    private var usedBeforeStop: Duration?
    /// The maximum wait for an engine that would stop if it had a processor.
    private static let longestStop = Duration.seconds(60)
    private var terminatedAt: ContinuousClock.Instant?

    package init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        waitingSince = now
        idle = IdleWatch(limits, now: now)
    }

    /// Restarts the wait, because a reply has arrived or the host has finished processing the last one.
    package mutating func restart(now: ContinuousClock.Instant) {
        waitingSince = now
        idle.restart(now: now)
    }

    /// Records that the request was cancelled. Only the first call counts.
    package mutating func askToStop(now: ContinuousClock.Instant) {
        if stopAskedAt == nil { stopAskedAt = now }
    }

    /// - Parameters:
    ///   - used: the engine's processor time so far; nil if the process has ended. An engine that uses processor time
    ///     is slow, not idle.
    ///   - isHeldUp: whether it is waiting for the machine.
    ///   - isReplaceable: whether a listener is waiting and another engine could take over.
    package mutating func step(
        now: ContinuousClock.Instant, used: () -> Duration?, isHeldUp: () -> Bool = { false },
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
            if now < stopAskedAt + Self.longestStop, (used() ?? .zero) - before < limits.cancelGrace, isHeldUp() {
                return .wait(until: now + limits.cancelGrace / 4)
            }
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

/// Detects an engine that is idle although a reply is expected. The caller passes the time.
package struct IdleWatch {
    private let limits: EngineLimits
    private var since: ContinuousClock.Instant
    private var processorTime: Duration?
    /// The time of the next check.
    private(set) var nextLook: ContinuousClock.Instant
    private var lastLook: ContinuousClock.Instant
    /// The time since the last reply for which the engine waited for the machine: for a processor, a page or a file. It
    /// is then slow, and no timeout counts that time.
    package private(set) var heldUp = Duration.zero
    /// Whether another engine could take over; nil until this is checked.
    private var isReplaceable: Bool?
    /// `heldUp` when the engine was last active.
    private var heldUpBefore = Duration.zero
    /// Beyond this, held-up time is no longer excluded for an engine that is completely idle: a disk may never respond.
    private static let longestHoldUp = Duration.seconds(300)

    package init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        since = now
        lastLook = now
        nextLook = now + Self.step(limits)
    }

    /// Restarts the wait, because a reply has arrived or its data was finally consumed.
    package mutating func restart(now: ContinuousClock.Instant) {
        since = now
        lastLook = now
        nextLook = now + Self.step(limits)
        processorTime = nil
        (heldUp, heldUpBefore) = (.zero, .zero)
    }

    /// Whether the engine has been idle for so long that it counts as hung.
    ///
    /// - Parameters:
    ///   - used: its processor time so far; nil if its process has ended.
    ///   - isHeldUp: whether it is waiting for the machine.
    ///   - isReplaceable: whether another engine could take over; called at most once.
    package mutating func isHung(
        now: ContinuousClock.Instant, used: () -> Duration?, isHeldUp: () -> Bool, isReplaceable: () -> Bool
    ) -> Bool {
        guard now >= nextLook else { return false }
        // A process that has ended uses no more time.
        let time = used() ?? processorTime ?? .zero
        if let processorTime, isHeldUp() { heldUp += max(.zero, now - lastLook - (time - processorTime)) }
        lastLook = now
        nextLook = now + Self.step(limits)
        guard time == processorTime else {
            processorTime = time
            (since, heldUpBefore) = (now, heldUp)
            return false
        }
        let idle = now - since - min(heldUp - heldUpBefore, Self.longestHoldUp)
        if idle >= limits.idle { return true }
        guard idle >= limits.awaited, self.isReplaceable != false, !isHeldUp() else { return false }
        let isReplaceable = self.isReplaceable ?? isReplaceable()
        self.isReplaceable = isReplaceable
        return isReplaceable
    }

    /// Whether a worker has been idle during a request for so long that it counts as hung. Time in which it waits for
    /// the machine is added to the timeout of the reply.
    mutating func isHung(
        _ worker: WorkerProcess, now: ContinuousClock.Instant, extending limit: inout WaitLimit,
        isReplaceable: () -> Bool = { false }
    ) -> Bool {
        defer { limit.heldUp = heldUp }
        return isHung(
            now: now, used: { worker.processorTime }, isHeldUp: { worker.isHeldUp }, isReplaceable: isReplaceable)
    }

    private static func step(_ limits: EngineLimits) -> Duration { min(limits.idle, limits.awaited) / 4 }
}

/// The timeout of a wait, measured by the `RunningClock`.
package struct WaitLimit {
    let duration: Duration
    private var clock = RunningClock()
    private let end: ContinuousClock.Instant
    /// The time for which the awaited process waited for the machine; it does not count.
    package var heldUp = Duration.zero

    /// Starts now.
    init(_ duration: Duration) {
        self.duration = duration
        end = clock.now() + duration
    }

    /// The remaining time; zero after the timeout.
    mutating func left() -> Duration { max(.zero, end + heldUp - clock.now()) }

    /// The timeout of the next wait: the remaining time, limited to the longest step that the clock counts.
    mutating func step() -> Duration { min(left(), RunningClock.longestStep) }
}

/// Timeouts for engines. After one of them, an engine is considered hung and is ended. Time in which it waits for a
/// processor, a page or a file on a busy machine does not count.
public struct EngineLimits: Hashable, Sendable {
    /// The timeout for the description.
    public var scan: Duration = .seconds(5)
    /// The timeout for loading a model.
    public var load: Duration = .seconds(120)
    /// The timeout for the first audio and between two audio frames, counted only while the host waits.
    public var audio: Duration = .seconds(120)
    /// The same for an engine that uses no processor time at all; also during loading.
    public var idle: Duration = .seconds(30)
    /// The same, also during loading, if a listener is waiting and another voice could take over. It is short, because
    /// there is no audio meanwhile. It does not end an engine that is only slow: an active engine uses processor time
    /// within milliseconds, and time in which it waits for a processor, a page or a file does not count.
    public var awaited: Duration = .seconds(2)
    /// How long a service uses other engines after an engine has failed three times within a minute. Then it is tried
    /// again.
    public var rest: Duration = .seconds(60)
    /// The time from a cancellation to SIGTERM.
    public var cancelGrace: Duration = .milliseconds(500)
    /// The time from SIGTERM to SIGKILL.
    public var killGrace: Duration = .seconds(2)
    /// Whether engines are confined to the files that they are given.
    public var confinement: EngineConfinement = .usual

    /// Creates the default limits.
    public init() {}
}
