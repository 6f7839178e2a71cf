import SynthAudio
import SynthSystem

/// A device that plays as many frames as the test permits and reports additional frames in its queue.
final class QueueDevice: AudioSink {
    private struct State {
        var room: Int
        var depth: Int
        var channels = 1
        var samples: [Float] = []
        var isStopped = false
        var isFinished = false
    }
    private let state: Monitor<State>
    private let before: Int
    var isHeard: Bool { true }

    /// - Parameters:
    ///   - depth: The number of frames that the device accepts before playing.
    ///   - before: The number of additional frames that the device reports as queued. Until they have been played, no
    ///     item is late.
    init(depth: Int = 0, before: Int = 0) {
        self.before = before
        state = Monitor(State(room: depth, depth: depth))
    }

    /// Plays `frames` more frames.
    func play(_ frames: Int) { state.update { $0.room += frames } }

    /// Accepts `frames` more frames before playing.
    func deepen(by frames: Int) {
        state.update { state in
            state.depth += frames
            state.room += frames
        }
    }

    var samples: [Float] { state.read { $0.samples } }
    var isFinished: Bool { state.read { $0.isFinished } }
    var isStopped: Bool { state.read { $0.isStopped } }

    /// Blocks until the device has received `frames` frames.
    func wait(for frames: Int) { _ = state.wait { $0.samples.count >= frames * $0.channels ? true : nil } }

    func begin(_ format: AudioFormat) throws(AudioError) { state.update { $0.channels = format.channels } }

    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        var rest = samples
        while !rest.isEmpty {
            let taken = state.wait { state -> Int? in
                if state.isStopped { return rest.count }
                guard state.room > 0 else { return nil }
                let part = rest.prefix(state.room * state.channels)
                state.room -= part.count / state.channels
                state.samples += part
                return part.count
            }
            rest = rest.dropFirst(taken ?? rest.count)
        }
    }

    func finish() throws(AudioError) { state.update { $0.isFinished = true } }
    func stop() { state.update { $0.isStopped = true } }
    func queuedFrames() -> Int { before + state.read { max(0, $0.depth - $0.room) } }
}
