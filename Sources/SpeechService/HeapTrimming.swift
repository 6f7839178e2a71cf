import System

/// When the heap of a service is trimmed: after a burst of work the C library would keep most of what was freed.
struct HeapTrimming {
    private var dirtySince: ContinuousClock.Instant?
    private var lastChange = ContinuousClock.now

    /// So long after the last speech or recording began or ended, and at the latest so long after the first one.
    private static let pause = Duration.seconds(1)
    private static let longest = Duration.seconds(20)

    /// nil = nothing happened since the last time.
    var due: ContinuousClock.Instant? { dirtySince.map { min(lastChange + Self.pause, $0 + Self.longest) } }

    /// Something began or ended.
    mutating func note(at now: ContinuousClock.Instant = .now) {
        dirtySince = dirtySince ?? now
        lastChange = now
    }

    mutating func trim() {
        dirtySince = nil
        Heap.trim()
    }
}
