import SynthAudio
import SynthSpeech
import SynthSystem

/// A queue that is being played: to watch and to end it. Any thread or task may use it.
public final class QueuePlayback: Sendable {
    private let feed: QueueFeed
    private let work: Task<Result<Void, SpeechError>, Never>
    private let cancel: @Sendable () -> Void

    init(_ feed: QueueFeed, _ work: Task<Result<Void, SpeechError>, Never>, cancel: @escaping @Sendable () -> Void) {
        self.feed = feed
        self.work = work
        self.cancel = cancel
    }

    /// Ends it: silence at once. What stands in line is dropped.
    public func stop() { cancel() }

    /// Suspends until all was heard. Cancelling the task that waits leaves the playback alone.
    ///
    /// - Throws: `cancelled` after `stop`, and whatever ended it.
    public func finish() async throws(SpeechError) { try await work.value.get() }

    /// What happens to items, at the moment at which it sounds. For one reader.
    public var events: Events { Events(feed: feed) }

    /// The events of a queue as they sound.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = SpeechQueue.Event
        public typealias Failure = Never

        let feed: QueueFeed

        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

        /// Waits for one event after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let feed: QueueFeed

            /// The next event, when it sounds; nil after the last, and once the task was cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> SpeechQueue.Event? {
                await feed.next()
            }
        }
    }
}

/// The events of a queue that is played, kept until they sound.
final class QueueFeed: Sendable {
    private struct State {
        var events = Fifo<SpeechQueue.Event>()
        /// Frames that the sink has.
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
    /// At most this many are kept if nobody reads them.
    private static let mostEvents = 4096

    init(_ sink: any AudioSink, sampleRate: Int) {
        self.sink = sink
        self.sampleRate = sampleRate
    }

    /// - Parameter frames: what the sink has.
    func comes(_ events: [SpeechQueue.Event], written frames: Int) {
        if events.isEmpty { return state.update { $0.written = frames } }
        state.update { state in
            state.written = frames
            for event in events { state.events.append(event) }
            while state.events.count > Self.mostEvents { _ = state.events.popFirst() }
        }
    }

    /// Nothing more comes, and nothing is waited for any more.
    ///
    /// - Parameter wasHeard: whether all of it was; else what does not sound any more is dropped.
    func end(wasHeard: Bool) {
        state.update { state in
            state.isEnded = true
            if !wasHeard { state.events.removeAll() }
        }
    }

    /// The next event, when it sounds; nil after the last, and once the task was cancelled.
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
