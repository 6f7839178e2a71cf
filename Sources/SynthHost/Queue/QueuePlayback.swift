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
