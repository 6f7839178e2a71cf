import SynthAudio
import SynthSystem

/// Stores the samples that it receives.
final class FakeSink: AudioSink {
    struct State: Sendable {
        var format: AudioFormat?
        var samples: [Float] = []
        var isFinished = false
        var isStopped = false
    }
    private let state = Monitor(State())
    let isHeard: Bool
    let isAwaited: Bool
    private let failure: AudioError?

    /// - Parameter failure: The error that each write throws; nil for none.
    init(isHeard: Bool = false, isAwaited: Bool = false, failure: AudioError? = nil) {
        self.isHeard = isHeard
        self.isAwaited = isAwaited
        self.failure = failure
    }

    var now: State { state.read { $0 } }

    func begin(_ format: AudioFormat) throws(AudioError) { state.update { $0.format = format } }

    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        if let failure { throw failure }
        state.update { $0.samples += samples }
    }

    func finish() throws(AudioError) { state.update { $0.isFinished = true } }
    func stop() { state.update { $0.isStopped = true } }
}
