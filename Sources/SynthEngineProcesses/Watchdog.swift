public import SynthEngineWire
import SynthSystem

/// Decides how long the host waits for the next reply of an engine that speaks. Time counts only while the host waits.
package struct Watchdog {
    package enum Step: Hashable {
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
    /// Its processor time when it was first looked at after that.
    private var usedBeforeStop: Duration?
    /// Longer is not waited for an engine that would stop if it had a processor.
    private static let longestStop = Duration.seconds(60)
    private var terminatedAt: ContinuousClock.Instant?

    package init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        waitingSince = now
        idle = IdleWatch(limits, now: now)
    }

    /// A reply has arrived, or the host has finished with the last one.
    package mutating func restart(now: ContinuousClock.Instant) {
        waitingSince = now
        idle.restart(now: now)
    }

    /// The request was cancelled. Only the first call counts.
    package mutating func askToStop(now: ContinuousClock.Instant) {
        if stopAskedAt == nil { stopAskedAt = now }
    }

    /// - Parameters:
    ///   - used: the engine's processor time so far; nil if the process has ended. An engine that uses processor time is
    ///     slow, not idle.
    ///   - isHeldUp: whether it waits for the machine.
    ///   - isReplaceable: whether somebody listens, and another engine would take over.
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

/// Finds an engine that does nothing, although an answer is waited for. A value without a clock of its own.
package struct IdleWatch {
    private let limits: EngineLimits
    private var since: ContinuousClock.Instant
    private var processorTime: Duration?
    /// When it is worth to look again.
    private(set) var nextLook: ContinuousClock.Instant
    private var lastLook: ContinuousClock.Instant
    /// How long it waited for the machine since the last answer: a processor that others have, a page or a file. It is slow
    /// then, however long it takes, and no limit counts it.
    package private(set) var heldUp = Duration.zero
    /// nil = nobody had to know yet.
    private var isReplaceable: Bool?
    /// `heldUp` when it was last seen to do something.
    private var heldUpBefore = Duration.zero
    /// More of it does not count for an engine that does nothing at all: a disk may never answer.
    private static let longestHoldUp = Duration.seconds(300)

    package init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        since = now
        lastLook = now
        nextLook = now + Self.step(limits)
    }

    /// It gave an answer, or what it gave was taken at last.
    package mutating func restart(now: ContinuousClock.Instant) {
        since = now
        lastLook = now
        nextLook = now + Self.step(limits)
        processorTime = nil
        (heldUp, heldUpBefore) = (.zero, .zero)
    }

    /// Whether it has done nothing for so long that it hangs.
    ///
    /// - Parameters:
    ///   - used: its processor time so far; nil if its process has ended.
    ///   - isHeldUp: whether it waits for the machine.
    ///   - isReplaceable: whether another engine would take over; asked at most once.
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

    /// Whether a worker that is asked for an answer has done nothing for so long that it hangs. What it waits for the machine is
    /// added to the limit of the answer.
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

/// A limit of a wait, by the `RunningClock`.
package struct WaitLimit {
    let duration: Duration
    private var clock = RunningClock()
    private let end: ContinuousClock.Instant
    /// How long what is waited for waited for the machine itself: that does not count.
    package var heldUp = Duration.zero

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

/// How long an engine may take. After that it counts as hung and is ended. On a busy machine the time does not count in which it
/// would work and waits for a processor, a page or a file.
public struct EngineLimits: Hashable, Sendable {
    /// To describe itself.
    public var scan: Duration = .seconds(5)
    public var load: Duration = .seconds(120)
    /// To the first audio, and from one audio frame to the next; counted only while the host waits.
    public var audio: Duration = .seconds(120)
    /// The same if the engine uses no processor time at all; also while it loads.
    public var idle: Duration = .seconds(30)
    /// The same, also while it loads, if somebody listens and another voice could go on. While it lasts nothing is heard, so it
    /// is short. It does not end an engine that is only slow: one at work uses some processor time within milliseconds, and
    /// time in which it waits for a processor, a page or a file does not count.
    public var awaited: Duration = .seconds(2)
    /// How long others speak, in a service, for an engine that failed three times within a minute. Then it is tried again.
    public var rest: Duration = .seconds(60)
    /// From a cancel to SIGTERM.
    public var cancelGrace: Duration = .milliseconds(500)
    /// From SIGTERM to SIGKILL.
    public var killGrace: Duration = .seconds(2)
    /// Whether engines are confined to what they are handed.
    public var confinement: EngineConfinement = .usual

    public init() {}
}
