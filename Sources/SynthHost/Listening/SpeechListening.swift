public import SynthSpeech
public import SynthUserVoices

/// Live speech recognition from a microphone: `for try await event in listening`.
///
/// The first read loads the model and then opens the microphone, which is open only from ``Event/listening`` to
/// ``Event/understanding``. Leaving the loop, cancelling its task or calling `cancel()` closes the microphone
/// immediately. No audio is stored unless the options request a recording. The sequence can be read only once.
///
/// The time limits are measured in recorded audio, not in wall-clock time. If the loop ends without an error, it has
/// received ``Event/final(_:)``.
public struct SpeechListening: AsyncSequence, Sendable {
    /// A listening event. Events arrive in the order in which the cases are declared.
    @nonexhaustive
    public enum Event: Sendable {
        /// The model is being loaded. The microphone is not open yet.
        case loading
        /// The microphone is open and speech is being recognized.
        case listening
        /// The level in dBFS of the last tenth of a second; a quiet room is at about -60. Level events are dropped if too many events are
        /// unread.
        case level(decibels: Double)
        /// The start of speech was detected.
        case speechStarted
        /// All text recognized so far, which may still change.
        case partial(String)
        /// The microphone is closed. The remaining audio is being transcribed.
        case understanding
        /// The complete result. Its text is empty if no speech was detected.
        case final(RecognizedSpeech)
        /// The path of the recording, which contains the detected speech and a third of a second of audio before and
        /// after it. Sent only if speech was detected and the options request a recording. Only the owner can read the
        /// file, and the caller must delete it. ``RecognizedSpeech/recordingPath`` of the final event contains the same
        /// path. If listening is cancelled before this event, no new file remains.
        case recording(path: String)
    }

    public typealias Element = Event
    public typealias Failure = SpeechError

    private let run: EventRun<Event>

    /// - Parameter source: returns the recognizer. May block.
    init(
        _ options: ListeningOptions, by source: @escaping @Sendable () throws(SpeechError) -> RecognizerSource
    ) {
        let work = ListeningWork(options: options)
        run = EventRun("listening", onDrop: { work.drop($0) }) { run throws(SpeechError) in
            try work.run(
                by: try source(), unless: { run.isCancelled }, stopping: { run.stopping(by: $0) }
            ) { event in
                // A slow reader must not keep the microphone open.
                run.tell(event, ifMany: event.mayBeDropped ? .isLeftOut : .isAdded)
            }
        }
    }

    /// Stops listening and closes the microphone immediately. No more events arrive. Can be called from any thread; does not block.
    public func cancel() { run.cancel() }

    /// Waits until listening ends and returns the result.
    ///
    /// - Throws: the same errors as the loop.
    public func heard() async throws(SpeechError) -> RecognizedSpeech {
        var heard: RecognizedSpeech?
        for try await event in self { if case .final(let speech) = event { heard = speech } }
        guard let heard else { throw .cancelled }
        return heard
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lease: EventLease(run)) }

    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let lease: EventLease<Event>

        /// Returns the next event, or nil after the last event.
        ///
        /// - Throws: `cancelled` as soon as listening is cancelled; `alreadyRead` if another iterator has read events; or a microphone,
        ///   recognizer or recording error.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SpeechError) -> Event? {
            try await lease.next(isolation: actor)
        }
    }
}

extension SpeechListening.Event {
    fileprivate var mayBeDropped: Bool {
        switch self {
        case .level, .partial: true
        default: false
        }
    }
}
