public import SynthSystem

/// A playback to observe and control. It may be used from any thread or task.
public final class SpeechPlayback: Sendable {
    /// The state of a playback.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// Audio is playing, or is about to.
        case playing
        /// Paused until `resume` is called.
        case paused
        /// The engine is slower than playback, which resumes by itself.
        case buffering
        /// Playback is complete, was stopped, or failed. `finish` reports which.
        case ended
    }

    private let run: SpeechRun
    private let control: PlaybackControl
    private let work: Task<Result<Void, SpeechError>, Never>

    init(_ run: SpeechRun, _ control: PlaybackControl, _ work: Task<Result<Void, SpeechError>, Never>) {
        self.run = run
        self.control = control
        self.work = work
    }

    // Otherwise the paused speech would hold its lane forever, because no caller can resume it.
    deinit { if state == .paused { stop() } }

    /// Pauses without a click, after the audio that the device has already taken. Synthesis continues until the
    /// look-ahead is full.
    public func pause() { control.setPaused(true) }

    /// Resumes a paused playback.
    public func resume() { control.setPaused(false) }

    /// Stops playback at once.
    public func stop() {
        run.cancel()
        control.end(wasPlayed: false)
    }

    /// The current state.
    public var state: State { control.playbackState }

    /// The playback position.
    public var position: Duration { control.position }

    /// The loudness for a level meter: the root mean square over a few hundredths of a second, from 0 to 1.
    public var level: Double { control.level }

    /// Words, sentences and phonemes at the moment they are played. Only one reader may use it.
    public var events: Events { Events(control: control) }

    /// Suspends until playback is complete. Cancelling the waiting task does not affect playback.
    ///
    /// - Throws: `cancelled` after `stop`, and any error that ended playback.
    public func finish() async throws(SpeechError) { try await work.value.get() }

    /// The events of a playback at the moment they are played.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Speech.Part
        public typealias Failure = Never

        let control: PlaybackControl

        public func makeAsyncIterator() -> Iterator { Iterator(control: control) }

        /// Iterates over the events.
        public struct Iterator: AsyncIteratorProtocol {
            let control: PlaybackControl

            /// Returns the next event when it is played, or nil after the last one or after the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Speech.Part? {
                while let event = await control.nextEvent() {
                    if let part = Speech.Part(event) { return part }
                }
                return nil
            }
        }
    }
}
