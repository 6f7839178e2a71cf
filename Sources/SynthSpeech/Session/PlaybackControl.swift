import SynthAudio
import SynthSystem

/// What the thread that plays and those who watch and steer it share.
package final class PlaybackControl: Sendable {
    private struct State {
        var isPaused = false
        var isBuffering = false
        var isEnded = false
        var sampleRate = 1
        /// Handed to the sink so far.
        var frames = 0
        var level = 0.0
        /// Events whose sound is not heard yet, or that nobody took.
        var events: [SpokenEvent] = []

        /// Whether no event can sound before the state changes. What the sink has taken sounds in a pause, too.
        var isStill: Bool {
            if isEnded { return false }
            return events.first.map { isPaused && $0.frame >= frames } ?? true
        }
    }
    private let state = Monitor(State())
    private let sink: any AudioSink

    /// At most this many events are kept if nobody reads them.
    private static let mostEvents = 4096

    init(sink: any AudioSink) { self.sink = sink }

    // MARK: - The thread that plays

    /// Blocks while it is paused.
    /// - Parameter onPause: called once before it waits.
    func waitWhilePaused(_ onPause: () throws(SpeechError) -> Void) throws(SpeechError) {
        guard state.read({ $0.isPaused && !$0.isEnded }) else { return }
        try onPause()
        _ = state.wait { $0.isPaused && !$0.isEnded ? nil : true }
    }

    func began(_ format: AudioFormat) { state.update { $0.sampleRate = format.sampleRate } }

    func append(_ events: [SpokenEvent]) {
        state.update { state in
            if state.isEnded { return }
            state.events += events
            if state.events.count > Self.mostEvents { state.events.removeFirst(state.events.count - Self.mostEvents) }
        }
    }

    /// - Parameter level: the root mean square of what was handed over last, 1 being full scale.
    func handed(frames: Int, level: Double) {
        state.update { state in
            state.frames = frames
            state.level = level
            state.isBuffering = false
        }
    }

    func ranDry() { state.update { $0.isBuffering = true } }

    /// Only the first call counts.
    /// - Parameter wasHeard: whether all of it was; else events whose sound is not heard any more are dropped.
    func end(wasHeard: Bool) {
        state.update { state in
            if state.isEnded { return }
            state.isEnded = true
            state.level = 0
            if !wasHeard { state.events = [] }
        }
    }

    // MARK: - Those who watch and steer

    func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }

    var playbackState: SpeechPlayback.State {
        state.read { state in
            if state.isEnded { return .ended }
            if state.isPaused { return .paused }
            return state.isBuffering ? .buffering : .playing
        }
    }

    /// Frames that were heard.
    var heardFrames: Int {
        let queued = sink.queuedFrames()
        return state.read { max(0, $0.frames - $0.frames.signum() * queued) }
    }

    var position: Duration {
        let frames = Int64(heardFrames)
        let rate = Int64(state.read { $0.sampleRate })
        return .seconds(frames / rate) + .nanoseconds(frames % rate * 1_000_000_000 / rate)
    }

    var level: Double { state.read { $0.isPaused ? 0 : $0.level } }

    /// What comes next of the events.
    private enum Next {
        case event(SpokenEvent)
        /// The first event sounds in this time, if the sound goes on.
        case wait(Duration)
        /// Nothing happens before the state changes.
        case change
        case end
    }

    /// The next event, when it sounds; nil after the last.
    func nextEvent() async -> SpokenEvent? {
        while !Task.isCancelled {
            let heard = heardFrames
            switch state.update({ Self.next(&$0, heard: heard) }) {
            case .event(let event): return event
            case .wait(let time): try? await Task.sleep(for: time)
            case .change: await state.suspend { !$0.isStill }
            case .end: return nil
            }
        }
        return nil
    }

    private static func next(_ state: inout State, heard: Int) -> Next {
        if state.isStill { return .change }
        guard let first = state.events.first else { return .end }
        if first.frame <= heard || state.isEnded { return .event(state.events.removeFirst()) }
        // The sound may have stood still meanwhile, because the engine was slower.
        let seconds = Double(first.frame - heard) / Double(state.sampleRate)
        return .wait(.seconds(min(max(seconds, 0.002), 0.05)))
    }
}
