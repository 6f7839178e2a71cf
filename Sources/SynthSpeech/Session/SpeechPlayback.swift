public import SynthSystem

/// A speech that is being played: to watch and to steer it. Any thread or task may use it.
public final class SpeechPlayback: Sendable {
    /// What it does now.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// It sounds, or is about to.
        case playing
        /// It waits for `resume`.
        case paused
        /// The engine is slower than its speech; it goes on by itself.
        case buffering
        /// All was heard, it was stopped, or it failed; `finish` tells which.
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

    // Nobody could resume it any more, and it would hold its lane for ever.
    deinit { if state == .paused { stop() } }

    /// Falls silent without a click, a moment after what the device has taken already. Synthesis goes on until enough
    /// sound waits.
    public func pause() { control.setPaused(true) }

    /// Goes on from where it paused.
    public func resume() { control.setPaused(false) }

    /// Ends it: silence at once.
    public func stop() {
        run.cancel()
        control.end(wasHeard: false)
    }

    /// What it does now.
    public var state: State { control.playbackState }

    /// How much of it was heard.
    public var position: Duration { control.position }

    /// The loudness of what sounds, for a meter: the root mean square of some hundredths of a second, from 0 to 1.
    public var level: Double { control.level }

    /// Words, sentences and phonemes at the moment at which they sound. For one reader.
    public var events: Events { Events(control: control) }

    /// Suspends until all was heard. Cancelling the task that waits leaves the playback alone.
    ///
    /// - Throws: `cancelled` after `stop`, and whatever ended it.
    public func finish() async throws(SpeechError) { try await work.value.get() }

    /// The events of a playback as they sound.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Speech.Part
        public typealias Failure = Never

        let control: PlaybackControl

        public func makeAsyncIterator() -> Iterator { Iterator(control: control) }

        /// Waits for one event after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let control: PlaybackControl

            /// The next event, when it sounds; nil after the last, and once the task was cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Speech.Part? {
                while let event = await control.nextEvent() {
                    if let part = Speech.Part(event) { return part }
                }
                return nil
            }
        }
    }
}
