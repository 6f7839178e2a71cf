package import SynthScript
package import SynthSystem

/// Text that comes in its own time, for a thread that blocks. Of an asynchronous sequence it asks for the next piece when that
/// thread wants one, and is never more than one piece ahead; its task keeps it alive then, and `stop` must be called.
package final class TextFeed: Sendable {
    enum Arrival: Equatable, Sendable {
        case text(String)
        /// Nothing came in time.
        case silence
        case end
    }
    private struct State {
        var pieces: [String] = []
        var isWanted = false
        var isAtEnd = false
        var failure: (any Error)?
        /// The task, while it waits until a piece is wanted.
        var pump: CheckedContinuation<Bool, Never>?
        var task: Task<Void, Never>?
    }
    private let state = Monitor(State())

    /// Of pieces that are delivered.
    init() {}

    package init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == String {
        let task = Task {
            do {
                var iterator = pieces.makeAsyncIterator()
                while await isWanted(), let piece = try await iterator.next(isolation: nil) { deliver(piece) }
                end(nil)
            } catch {
                end(error)
            }
        }
        let isStopped = state.update { state in
            state.task = task
            return state.isAtEnd
        }
        if isStopped { task.cancel() }
    }

    /// Blocks until text comes. For one thread that is not of the cooperative pool.
    func next(within limit: Duration? = nil) throws(SpeechError) -> Arrival {
        let pump = state.update { state -> CheckedContinuation<Bool, Never>? in
            if !state.pieces.isEmpty || state.isAtEnd { return nil }
            state.isWanted = true
            defer { state.pump = nil }
            return state.pump
        }
        pump?.resume(returning: true)
        return try state.wait(timeout: limit) { state throws(SpeechError) -> Arrival? in
            if !state.pieces.isEmpty { return .text(state.pieces.removeFirst()) }
            guard state.isAtEnd else { return nil }
            if let failure = state.failure { throw .textSourceFailed(failure) }
            return .end
        } ?? .silence
    }

    /// From any thread: a `next` that blocks says that the text ends, and so does each later one.
    func stop() {
        let task = state.update { state in
            state.pieces = []
            return state.task
        }
        end(nil)
        task?.cancel()
    }

    private func isWanted() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.update { state -> Bool? in
                if state.isAtEnd { return false }
                if state.isWanted { return true }
                state.pump = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func deliver(_ piece: String) {
        state.update { state in
            if state.isAtEnd { return }
            state.pieces.append(piece)
            state.isWanted = false
        }
    }

    func end(_ failure: (any Error)?) {
        let pump = state.update { state in
            if !state.isAtEnd { state.failure = failure }
            state.isAtEnd = true
            defer { state.pump = nil }
            return state.pump
        }
        pump?.resume(returning: false)
    }
}

/// Utterances of a text that comes in pieces, in its own time.
package final class TextFeedSource: TextSource {
    private let feed: TextFeed
    private let script = Monitor(LiveScript())

    package init(_ feed: TextFeed) { self.feed = feed }

    package var byteCount: Int? { nil }
    package var file: RegularFile? { nil }

    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        script.update { $0.beginSoon(ifAwaited: isAwaited) }
    }

    package func stop() { feed.stop() }

    package func next() throws(SpeechError) -> ScriptStep? {
        try script.update { script throws(SpeechError) in
            var piece: String?
            return try script.next(
                isLive: true,
                wait: { limit throws(SpeechError) in
                    switch try feed.next(within: limit) {
                    case .text(let text): piece = text
                    case .silence: return .silence
                    case .end: piece = nil
                    }
                    return .text
                },
                read: { () throws(SpeechError) in piece },
                append: { script, text throws(SpeechError) in try script.append(text) })
        }
    }
}

/// Text that comes piece by piece from another thread. Any thread may use it.
package final class LiveText: Sendable {
    let feed = TextFeed()

    package init() {}

    /// The next piece; nothing after the end.
    package func append(_ piece: String) { feed.deliver(piece) }

    /// Nothing more comes.
    package func finish() { feed.end(nil) }

    /// Its utterances, for one speech.
    package var source: any TextSource { TextFeedSource(feed) }
}
