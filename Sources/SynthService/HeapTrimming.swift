import SynthSystem

/// Decides when a service trims its heap. After a burst of work the C library would keep most of the freed memory.
struct HeapTrimming {
    private var dirtySince: ContinuousClock.Instant?
    private var lastChange = ContinuousClock.now

    /// The heap is trimmed after this time without a speech or recording that begins or ends, but no later than `longest` after
    /// the first one.
    private static let pause = Duration.seconds(1)
    private static let longest = Duration.seconds(20)

    /// When to trim; nil = nothing happened since the last time.
    var due: ContinuousClock.Instant? { dirtySince.map { min(lastChange + Self.pause, $0 + Self.longest) } }

    /// Notes that a speech or recording began or ended.
    mutating func note(at now: ContinuousClock.Instant = .now) {
        dirtySince = dirtySince ?? now
        lastChange = now
    }

    mutating func trim() {
        dirtySince = nil
        Heap.trim()
    }
}
