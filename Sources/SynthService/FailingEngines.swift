/// The engines that fail again and again, so that others speak for them for a while and nobody waits for each failure. A value;
/// whoever uses it has the clock.
struct FailingEngines: Sendable {
    private struct Record {
        /// Those within the window, the last one last.
        var failures: [ContinuousClock.Instant] = []
        var restsUntil: ContinuousClock.Instant?
    }
    private var records: [String: Record] = [:]
    let rest: Duration

    /// So many failures within this time are too many.
    private static let most = 3
    private static let window = Duration.seconds(60)
    /// The speeches of one process fail together, which is one failure.
    private static let together = Duration.milliseconds(250)

    /// - Parameter rest: how long an engine is not asked after that.
    init(rest: Duration) { self.rest = rest }

    /// An engine failed.
    ///
    /// - Returns: whether others speak for it from now on.
    mutating func fail(_ engine: String, at now: ContinuousClock.Instant) -> Bool {
        var record = records[engine] ?? Record()
        defer { records[engine] = record }
        if let end = record.restsUntil {
            // A speech that began before the rest.
            if now < end { return false }
            // It was tried again, and is as it was before.
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

    /// The ids of those that others speak for now.
    func resting(at now: ContinuousClock.Instant) -> Set<String> {
        Set(records.filter { _, record in record.restsUntil.map { now < $0 } ?? false }.keys)
    }
}
