import Synchronization

/// What a `synth_lane` pointer names. `lane` belongs to the thread that synthesizes; any thread may cancel.
final class LaneBox {
    var lane: any SpeechLane
    /// Requests up to this serial are to stop.
    let cancelled = Atomic<UInt64>(0)

    private struct Interruption {
        let serial: UInt64
        let stop: @Sendable () -> Void
    }

    /// What to call when the running request is cancelled.
    private let interruption = Mutex<Interruption?>(nil)

    init(_ lane: any SpeechLane) { self.lane = lane }

    func cancel(_ serial: UInt64) {
        cancelled.max(serial, ordering: .acquiringAndReleasing)
        // Called under the lock: afterwards it might hit what the next request has begun.
        interruption.withLock { if let interruption = $0, interruption.serial <= serial { interruption.stop() } }
    }

    /// From now until `endInterruption` a cancel of that request calls `stop`; at once where it came before.
    func beginInterruption(_ serial: UInt64, _ stop: @escaping @Sendable () -> Void) {
        interruption.withLock { $0 = Interruption(serial: serial, stop: stop) }
        if cancelled.load(ordering: .acquiring) >= serial { stop() }
    }

    func endInterruption() {
        interruption.withLock { $0 = nil }
    }
}
