public import SynthSystem

/// A handle for observing and controlling playback. Can be used from any thread or task.
public final class SpeechPlayback: Sendable {
    /// The playback state.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// Audio is playing or about to play.
        case playing
        /// Playback is paused until `resume` is called.
        case paused
        /// Playback is waiting because synthesis is too slow. It resumes automatically.
        case buffering
        /// Playback is complete, was stopped, or failed. `finish()` reports the outcome.
        case ended
    }

    private let run: SpeechRun
    private let control: PlaybackControl<SpokenEvent>
    private let work: Task<Result<Void, SpeechError>, Never>

    init(_ run: SpeechRun, _ control: PlaybackControl<SpokenEvent>, _ work: Task<Result<Void, SpeechError>, Never>) {
        self.run = run
        self.control = control
        self.work = work
    }

    // Without a handle, paused speech could not be resumed and would occupy its lane forever.
    deinit { if state == .paused { stop() } }

    /// Pauses without a click, once the audio in the device's buffer has been played. Synthesis continues until the
    /// look-ahead buffer is full.
    public func pause() { control.setPaused(true) }

    /// Resumes playback.
    public func resume() { control.setPaused(false) }

    /// Stops playback immediately.
    public func stop() {
        run.cancel()
        control.end(wasPlayed: false)
    }

    /// The current state.
    public var state: State { control.playbackState }

    /// The playback position.
    public var position: Duration { control.position }

    /// The current audio level for a meter, from 0 to 1: the RMS over a few hundredths of a second.
    public var level: Double { control.level }

    /// Sentence, word, phoneme and mark events, each delivered when playback reaches it. Only one reader is supported.
    public var events: Events { Events(control: control) }

    /// Suspends until playback is complete. Cancelling the waiting task does not affect playback.
    ///
    /// - Throws: `cancelled` after `stop`, or the error that ended playback.
    public func finish() async throws(SpeechError) { try await work.value.get() }

    /// Playback events, each delivered when playback reaches it.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Speech.Part
        public typealias Failure = Never

        let control: PlaybackControl<SpokenEvent>

        public func makeAsyncIterator() -> Iterator { Iterator(control: control) }

        /// Iterates over the events.
        public struct Iterator: AsyncIteratorProtocol {
            let control: PlaybackControl<SpokenEvent>

            /// Suspends until playback reaches the next event. Returns nil after the last event or if the task is
            /// cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Speech.Part? {
                while let event = await control.nextEvent() {
                    if let part = Speech.Part(event) { return part }
                }
                return nil
            }
        }
    }
}
