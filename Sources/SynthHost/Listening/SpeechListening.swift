public import SynthSpeech
public import SynthUserVoices

/// Live recognition from a microphone: `for try await event in listening`.
///
/// The microphone opens with the first read, after the model is loaded. It is open from ``Event/listening`` to
/// ``Event/understanding`` and at no other time. Leaving the loop, cancelling its task or calling `cancel()` closes it
/// at once. No audio is stored unless the options request a recording. The sequence can be read only once.
///
/// The end of listening is determined by the audio and not by a clock. If the loop ends without an error, it has
/// received ``Event/final(_:)``.
public struct SpeechListening: AsyncSequence, Sendable {
    /// An event. Events arrive in the order of these cases.
    @nonexhaustive
    public enum Event: Sendable {
        /// The model is being loaded. The microphone is not open yet.
        case loading
        /// The microphone is open, and speech is recognized from now on.
        case listening
        /// The level of the last tenth of a second in decibels relative to full scale. -60 is a quiet room. If many
        /// events are unread, levels are dropped.
        case level(decibels: Double)
        /// Speech begins.
        case speechStarted
        /// All text recognized so far, which may still change.
        case partial(String)
        /// The microphone is closed. The remaining audio is being transcribed.
        case understanding
        /// The complete result. Its text is empty if no speech was detected.
        case final(RecognizedSpeech)
        /// The path of the recording, from the start of the first speech to the end of the last, with a third of a
        /// second around it. This event occurs only if speech was detected and the options request a recording. Only the
        /// owner can read the file, and the program must remove it. ``RecognizedSpeech/recordingPath`` of the final event
        /// contains the same path. If listening is cancelled earlier, no new file remains.
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

    /// Ends listening and closes the microphone at once. No more events arrive. It may be called from any thread and
    /// does not block.
    public func cancel() { run.cancel() }

    /// Waits for the end and returns the result.
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

        /// Returns the next event, or nil after the last one.
        ///
        /// - Throws: `cancelled` as soon as listening is cancelled, or an error of the microphone or the recognizer.
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
