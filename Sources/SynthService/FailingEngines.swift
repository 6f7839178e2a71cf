/// Tracks engines that fail repeatedly, so that fallback voices replace them for a while without another failure. It is
/// a value type without a clock.
struct FailingEngines: Sendable {
    private struct Record {
        /// The failures within the window, the latest one last.
        var failures: [ContinuousClock.Instant] = []
        var restsUntil: ContinuousClock.Instant?
    }
    private var records: [String: Record] = [:]
    let rest: Duration

    /// The number of failures within the window that starts an engine's cooldown.
    private static let most = 3
    private static let window = Duration.seconds(60)
    /// If a process crashes, all of its speeches fail at about the same time. They count as one failure.
    private static let together = Duration.milliseconds(250)

    /// - Parameter rest: the duration of the cooldown, in which an engine is not used.
    init(rest: Duration) { self.rest = rest }

    /// Records a failure.
    ///
    /// - Returns: whether a fallback replaces the engine from now on.
    mutating func fail(_ engine: String, at now: ContinuousClock.Instant) -> Bool {
        var record = records[engine] ?? Record()
        defer { records[engine] = record }
        if let end = record.restsUntil {
            // The speech began before the cooldown.
            if now < end { return false }
            // The engine failed again right after its cooldown.
            if now < end + Self.window {
                record.restsUntil = now + rest
                return true
            }
            record = Record()
        }
        if let last = record.failures.last, now < last + Self.together { return false }
        record.failures = record.failures.filter { now < $0 + Self.window } + [now]
        guard record.failures.count >= Self.most else { return false }
        record = Record(restsUntil: now + rest)
        return true
    }

    /// The IDs of the engines in cooldown.
    func resting(at now: ContinuousClock.Instant) -> Set<String> {
        Set(records.filter { _, record in record.restsUntil.map { now < $0 } ?? false }.keys)
    }
}
