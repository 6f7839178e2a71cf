package import SynthAudio
import SynthSystem

/// An event that is due when playback reaches its frame.
package protocol PlayedEvent: Sendable {
    var frame: Int { get }
}

extension SpokenEvent: PlayedEvent {}

/// State that the playback thread shares with its observers and controllers.
package final class PlaybackControl<Event: PlayedEvent>: Sendable {
    private struct State {
        var isPaused = false
        var isBuffering = false
        var isEnded = false
        var sampleRate = 1
        /// The number of frames passed to the sink.
        var frames = 0
        var level = 0.0
        /// Events that playback has not reached yet or that have not been read yet.
        var events: [Event] = []

        /// Whether no event can become due before the state changes. Audio that the sink has already accepted is played
        /// even while playback is paused.
        var isStill: Bool {
            if isEnded { return false }
            return events.first.map { isPaused && $0.frame >= frames } ?? true
        }
    }
    private let state: Monitor<State>
    private let sink: any AudioSink

    /// The maximum number of buffered events.
    private static var maximumEvents: Int { 4096 }

    /// - Parameter sampleRate: the sample rate in hertz, if it is known before `began` is called.
    package init(sink: any AudioSink, sampleRate: Int = 1) {
        self.sink = sink
        state = Monitor(State(sampleRate: sampleRate))
    }

    // MARK: - Playback thread

    /// Blocks while playback is paused.
    ///
    /// - Parameter onPause: called once before blocking.
    func waitWhilePaused(_ onPause: () throws(SpeechError) -> Void) throws(SpeechError) {
        guard state.read({ $0.isPaused && !$0.isEnded }) else { return }
        try onPause()
        _ = state.wait { $0.isPaused && !$0.isEnded ? nil : true }
    }

    func began(_ format: AudioFormat) { state.update { $0.sampleRate = format.sampleRate } }

    package func append(_ events: [Event]) {
        state.update { state in
            if state.isEnded { return }
            state.events += events
            if state.events.count > Self.maximumEvents {
                state.events.removeFirst(state.events.count - Self.maximumEvents)
            }
        }
    }

    /// - Parameter level: the RMS of the last chunk, where 1 is full scale.
    package func handed(frames: Int, level: Double) {
        state.update { state in
            state.frames = frames
            state.level = level
            state.isBuffering = false
        }
    }

    func noteUnderrun() { state.update { $0.isBuffering = true } }

    /// Ends playback. Only the first call has an effect.
    ///
    /// - Parameter wasPlayed: whether all audio was played. If false, the remaining events are dropped.
    package func end(wasPlayed: Bool) {
        state.update { state in
            if state.isEnded { return }
            state.isEnded = true
            state.level = 0
            if !wasPlayed { state.events = [] }
        }
    }

    // MARK: - Observers and controllers

    func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }

    var playbackState: SpeechPlayback.State {
        state.read { state in
            if state.isEnded { return .ended }
            if state.isPaused { return .paused }
            return state.isBuffering ? .buffering : .playing
        }
    }

    var playedFrames: Int {
        let queued = sink.queuedFrames()
        return state.read { max(0, $0.frames - $0.frames.signum() * queued) }
    }

    var position: Duration {
        let frames = Int64(playedFrames)
        let rate = Int64(state.read { $0.sampleRate })
        return .seconds(frames / rate) + .nanoseconds(frames % rate * 1_000_000_000 / rate)
    }

    var level: Double { state.read { $0.isPaused ? 0 : $0.level } }

    private enum Next {
        case event(Event)
        /// Wait for this duration, after which the first event is due if playback continues.
        case wait(Duration)
        /// Wait for a state change, because no event can become due before then.
        case change
        case end
    }

    /// Suspends until playback reaches the next event, and returns the event. Returns nil after the last one.
    package func nextEvent() async -> Event? {
        while !Task.isCancelled {
            let heard = playedFrames
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
        // Limit the wait, because playback may stall before the event is due if the engine is too slow.
        let seconds = Double(first.frame - heard) / Double(state.sampleRate)
        return .wait(.seconds(min(max(seconds, 0.002), 0.05)))
    }
}
