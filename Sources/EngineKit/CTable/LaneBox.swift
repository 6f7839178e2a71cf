/// What a `synth_lane` pointer names. `lane` belongs to the thread that synthesizes.
final class LaneBox {
    var lane: any SpeechLane
    let cancellation = Cancellation()

    init(_ lane: any SpeechLane) { self.lane = lane }
}
