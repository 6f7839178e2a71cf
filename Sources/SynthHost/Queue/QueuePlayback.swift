import SynthAudio
import SynthSpeech
import SynthSystem

/// A handle for observing and stopping a queue's playback. Can be used from any thread or task.
public final class QueuePlayback: Sendable {
    private let control: PlaybackControl<SpeechQueue.Event>
    private let work: Task<Result<Void, SpeechError>, Never>
    private let cancel: @Sendable () -> Void

    init(
        _ control: PlaybackControl<SpeechQueue.Event>, _ work: Task<Result<Void, SpeechError>, Never>,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.control = control
        self.work = work
        self.cancel = cancel
    }

    /// Stops playback immediately and drops the queued items.
    public func stop() { cancel() }

    /// Suspends until playback is complete. Cancelling the waiting task does not affect playback.
    ///
    /// - Throws: `cancelled` after `stop`, `alreadyRead` if the queue was already playing, or the error that ended playback.
    public func finish() async throws(SpeechError) { try await work.value.get() }

    /// The events of the items, each delivered when playback reaches it. Only one reader is supported.
    public var events: Events { Events(control: control) }

    /// The events of a queue, each delivered when playback reaches it.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = SpeechQueue.Event
        public typealias Failure = Never

        let control: PlaybackControl<SpeechQueue.Event>

        public func makeAsyncIterator() -> Iterator { Iterator(control: control) }

        /// Iterates over the events.
        public struct Iterator: AsyncIteratorProtocol {
            let control: PlaybackControl<SpeechQueue.Event>

            /// Returns the next event as it is played, or nil after the last event or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> SpeechQueue.Event? {
                await control.nextEvent()
            }
        }
    }
}

extension SpeechQueue.Event: PlayedEvent {}
