public import SynthSpeech
public import SynthUserVoices

/// What is said into a microphone, while it is heard: `for try await event in listening`.
///
/// The microphone opens with the first read, after the model was loaded, and is open from ``Event/listening`` to
/// ``Event/understanding`` and never else. Leaving the loop, cancelling its task and `cancel()` close it at once. Nothing of
/// what is heard is kept unless the options ask for a recording. It is read once.
///
/// When listening ends is decided by the sound and not by a clock. A loop that ends without an error has had a
/// ``Event/final(_:)``.
public struct SpeechListening: AsyncSequence, Sendable {
    /// What happens, in this order.
    @nonexhaustive
    public enum Event: Sendable {
        /// The model is being loaded. Nothing is heard yet.
        case loading
        /// The microphone is open: from now on is heard what is said.
        case listening
        /// How loud the last tenth of a second was, in decibels: 0 is as loud as there can be, -60 a quiet room. If many wait to
        /// be read, later ones are left out.
        case level(decibels: Double)
        /// Somebody begins to speak.
        case speechStarted
        /// All that was understood so far, which may still change.
        case partial(String)
        /// The microphone is closed; what was heard is being understood.
        case understanding
        /// All that was said. Its text is empty if nobody spoke.
        case final(HeardSpeech)
        /// What was said is in this file: from the begin of the first speech to the end of the last, with a third of a second
        /// around it. Only if somebody spoke, and the options ask for it. For its owner alone to read; the program removes it.
        /// ``HeardSpeech/recordingPath`` of the final event names it, too. What is cancelled before that leaves no new file.
        case recording(path: String)
    }

    public typealias Element = Event
    public typealias Failure = SpeechError

    private let run: EventRun<Event>

    /// - Parameter source: gives the recognizer. May block.
    init(
        _ options: ListeningOptions, by source: @escaping @Sendable () throws(SpeechError) -> HearingSource
    ) {
        let work = ListeningWork(options: options)
        run = EventRun("listening", onDrop: { work.drop($0) }) { run throws(SpeechError) in
            try work.run(
                by: try source(), unless: { run.isCancelled }, stopping: { run.stopping(by: $0) }
            ) { event in
                // Who reads slowly does not hold the microphone open.
                run.tell(event, ifMany: event.mayBeDropped ? .isLeftOut : .isAdded)
            }
        }
    }

    /// Ends it: the microphone closes at once, and nothing more is told. From any thread; returns at once.
    public func cancel() { run.cancel() }

    /// Reads it to its end.
    ///
    /// - Throws: as the loop.
    public func heard() async throws(SpeechError) -> HeardSpeech {
        var heard: HeardSpeech?
        for try await event in self { if case .final(let speech) = event { heard = speech } }
        guard let heard else { throw .cancelled }
        return heard
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lease: EventLease(run)) }

    /// Waits for one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let lease: EventLease<Event>

        /// The next event; nil after the last.
        ///
        /// - Throws: `cancelled` as soon as it was cancelled; why it is not heard, or not understood.
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
