/// The clock of progress: the time since some fixed moment, and a way to wait.
package struct ProgressClock: Sendable {
    package let now: @Sendable () -> Duration
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static var continuous: ProgressClock {
        let clock = ContinuousClock()
        let start = clock.now
        return ProgressClock(now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) })
    }
}
