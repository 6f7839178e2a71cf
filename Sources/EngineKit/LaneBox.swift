import Synchronization

/// What a `synth_lane` pointer names. `lane` belongs to the thread that synthesizes; any thread may cancel.
final class LaneBox {
    var lane: any SpeechLane
    /// Requests up to this serial are to stop.
    let cancelled = Atomic<UInt64>(0)

    init(_ lane: any SpeechLane) { self.lane = lane }
}
