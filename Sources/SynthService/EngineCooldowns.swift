/// Tracks engines that fail repeatedly, so that fallback voices can replace them during a cooldown. The caller passes
/// the current time.
struct EngineCooldowns: Sendable {
    private struct Record {
        /// The failures within the window, oldest first.
        var failures: [ContinuousClock.Instant] = []
        var cooldownEnd: ContinuousClock.Instant?
    }
    private var records: [String: Record] = [:]
    let rest: Duration

    /// The number of failures within the window after which the cooldown begins.
    private static let most = 3
    private static let window = Duration.seconds(60)
    /// Failures of an engine within this interval count as a single failure, because all of its requests fail when the
    /// engine process crashes.
    private static let together = Duration.milliseconds(250)

    /// - Parameter rest: the length of the cooldown.
    init(rest: Duration) { self.rest = rest }

    /// Records a failure.
    ///
    /// - Returns: whether the failure starts a cooldown, during which a fallback replaces the engine.
    mutating func fail(_ engine: String, at now: ContinuousClock.Instant) -> Bool {
        var record = records[engine] ?? Record()
        defer { records[engine] = record }
        if let end = record.cooldownEnd {
            // The request began before the cooldown.
            if now < end { return false }
            // The engine failed again soon after its cooldown.
            if now < end + Self.window {
                record.cooldownEnd = now + rest
                return true
            }
            record = Record()
        }
        if let last = record.failures.last, now < last + Self.together { return false }
        record.failures = record.failures.filter { now < $0 + Self.window } + [now]
        guard record.failures.count >= Self.most else { return false }
        record = Record(cooldownEnd: now + rest)
        return true
    }

    /// Returns the IDs of the engines in cooldown.
    func inCooldown(at now: ContinuousClock.Instant) -> Set<String> {
        Set(records.filter { _, record in record.cooldownEnd.map { now < $0 } ?? false }.keys)
    }
}
