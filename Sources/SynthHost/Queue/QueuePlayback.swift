import SynthAudio
import SynthSpeech
import SynthSystem

/// A handle to observe and stop a queue's playback. Can be used from any thread or task.
public final class QueuePlayback: Sendable {
    private let feed: QueueFeed
    private let work: Task<Result<Void, SpeechError>, Never>
    private let cancel: @Sendable () -> Void

    init(_ feed: QueueFeed, _ work: Task<Result<Void, SpeechError>, Never>, cancel: @escaping @Sendable () -> Void) {
        self.feed = feed
        self.work = work
        self.cancel = cancel
    }

    /// Stops playback immediately and drops the queued items.
    public func stop() { cancel() }

    /// Suspends until playback is complete. Cancelling the waiting task does not affect playback.
    ///
    /// - Throws: `cancelled` after `stop`, `alreadyRead` if the queue was already playing, or the error that ended playback.
    public func finish() async throws(SpeechError) { try await work.value.get() }

    /// The events of the items, each delivered when playback reaches it. Supports a single reader.
    public var events: Events { Events(feed: feed) }

    /// The events of a queue, each delivered when playback reaches it.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = SpeechQueue.Event
        public typealias Failure = Never

        let feed: QueueFeed

        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

        /// Iterates over the events.
        public struct Iterator: AsyncIteratorProtocol {
            let feed: QueueFeed

            /// Returns the next event as it is played, or nil after the last event or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> SpeechQueue.Event? {
                await feed.next()
            }
        }
    }
}

/// Stores a playback's events until they are due.
final class QueueFeed: Sendable {
    private struct State {
        var events = Fifo<SpeechQueue.Event>()
        /// The number of frames that the sink has received.
        var written = 0
        var isEnded = false
    }
    private enum Next {
        case event(SpeechQueue.Event)
        case wait(Duration)
        case change
        case end
    }
    private let state = Monitor(State())
    private let sink: any AudioSink
    private let sampleRate: Int
    private static let maximumEvents = 4096

    init(_ sink: any AudioSink, sampleRate: Int) {
        self.sink = sink
        self.sampleRate = sampleRate
    }

    /// - Parameter frames: the number of frames that the sink has received.
    func comes(_ events: [SpeechQueue.Event], written frames: Int) {
        if events.isEmpty { return state.update { $0.written = frames } }
        state.update { state in
            state.written = frames
            for event in events { state.events.append(event) }
            while state.events.count > Self.maximumEvents { _ = state.events.popFirst() }
        }
    }

    /// Ends the playback.
    ///
    /// - Parameter wasPlayed: whether all items were played. Otherwise the remaining events are dropped.
    func end(wasPlayed: Bool) {
        state.update { state in
            state.isEnded = true
            if !wasPlayed { state.events.removeAll() }
        }
    }

    /// Returns the next event as it is played, or nil after the last event or when the task is cancelled.
    func next() async -> SpeechQueue.Event? {
        while !Task.isCancelled {
            switch look() {
            case .event(let event): return event
            case .wait(let time): try? await Task.sleep(for: time)
            case .change: await state.suspend { !$0.events.isEmpty || $0.isEnded }
            case .end: return nil
            }
        }
        return nil
    }

    private func look() -> Next {
        let queued = sink.queuedFrames()
        return state.update { state in
            guard let first = state.events.first else { return state.isEnded ? .end : .change }
            let ahead = first.frame - (state.written - queued)
            if ahead <= 0 || state.isEnded {
                _ = state.events.popFirst()
                return .event(first)
            }
            return .wait(.seconds(min(max(Double(ahead) / Double(sampleRate), 0.002), 0.05)))
        }
    }
}
