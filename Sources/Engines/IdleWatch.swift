/// Finds an engine that does nothing, although an answer is waited for. A value without a clock of its own.
struct IdleWatch {
    private let limits: EngineLimits
    private var since: ContinuousClock.Instant
    private var processorTime: Duration?
    /// When it is worth to look again.
    private(set) var nextLook: ContinuousClock.Instant
    private var lastLook: ContinuousClock.Instant
    /// How long it waited for the machine since the last answer: a processor that others have, a page or a file. It is slow
    /// then, however long it takes, and no limit counts it.
    private(set) var heldUp = Duration.zero
    /// nil = nobody had to know yet.
    private var isReplaceable: Bool?

    init(_ limits: EngineLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        since = now
        lastLook = now
        nextLook = now + Self.step(limits)
    }

    /// It gave an answer, or what it gave was taken at last.
    mutating func restart(now: ContinuousClock.Instant) {
        since = now
        lastLook = now
        nextLook = now + Self.step(limits)
        processorTime = nil
        heldUp = .zero
    }

    /// Whether it has done nothing for so long that it hangs.
    ///
    /// - Parameters:
    ///   - used: its processor time so far; nil if its process has ended.
    ///   - isHeldUp: whether it waits for the machine.
    ///   - isReplaceable: whether another engine would take over; asked at most once.
    mutating func isHung(
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
            since = now
            return false
        }
        if now >= since + limits.idle { return true }
        guard now >= since + limits.awaited, self.isReplaceable != false, !isHeldUp() else { return false }
        let isReplaceable = self.isReplaceable ?? isReplaceable()
        self.isReplaceable = isReplaceable
        return isReplaceable
    }

    private static func step(_ limits: EngineLimits) -> Duration { min(limits.idle, limits.awaited) / 4 }
}
