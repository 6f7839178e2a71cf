package import SynthScript
package import SynthSystem

/// Live text for a thread that blocks while it waits for the next chunk. If the text comes from an asynchronous sequence,
/// each chunk is requested on demand, so at most one chunk is buffered. The feed's task retains the feed, so call `stop`
/// when it is no longer needed.
package final class TextFeed: Sendable {
    private struct State {
        var pieces: [String] = []
        var isWanted = false
        var isAtEnd = false
        var failure: (any Error)?
        /// Resumes the task, which is suspended until another chunk is needed.
        var pump: CheckedContinuation<Bool, Never>?
        var task: Task<Void, Never>?
    }
    private let state = Monitor(State())

    /// Creates a feed that receives chunks through `append`.
    package init() {}

    package init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == String {
        let task = Task {
            do {
                var iterator = pieces.makeAsyncIterator()
                while await isWanted(), let piece = try await iterator.next(isolation: nil) { append(piece) }
                finish()
            } catch {
                finish(error)
            }
        }
        let isStopped = state.update { state in
            state.task = task
            return state.isAtEnd
        }
        if isStopped { task.cancel() }
    }

    /// Blocks until text arrives. Call this from a single thread outside the cooperative pool.
    func next(within limit: Duration? = nil) throws(SpeechError) -> LiveScript.Arrival<String> {
        let pump = state.update { state -> CheckedContinuation<Bool, Never>? in
            if !state.pieces.isEmpty || state.isAtEnd { return nil }
            state.isWanted = true
            defer { state.pump = nil }
            return state.pump
        }
        pump?.resume(returning: true)
        return try state.wait(timeout: limit) { state throws(SpeechError) -> LiveScript.Arrival<String>? in
            if !state.pieces.isEmpty { return .text(state.pieces.removeFirst()) }
            guard state.isAtEnd else { return nil }
            if let failure = state.failure { throw .textSourceFailed(failure) }
            return .text(nil)
        } ?? .silence
    }

    /// Ends the text. The current call and all later calls to `next` report the end. Can be called from any thread.
    func stop() {
        let task = state.update { state in
            state.pieces = []
            return state.task
        }
        finish()
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

    /// Appends a chunk. A no-op after the end of the text.
    package func append(_ piece: String) {
        state.update { state in
            if state.isAtEnd { return }
            state.pieces.append(piece)
            state.isWanted = false
        }
    }

    /// Ends the text.
    ///
    /// - Parameter failure: the error that ended it, or nil if the text is complete.
    package func finish(_ failure: (any Error)? = nil) {
        let pump = state.update { state in
            if !state.isAtEnd { state.failure = failure }
            state.isAtEnd = true
            defer { state.pump = nil }
            return state.pump
        }
        pump?.resume(returning: false)
    }
}

/// A source of utterances from live text.
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
            try script.next(
                isLive: true, wait: { limit throws(SpeechError) in try feed.next(within: limit) },
                append: { script, text throws(SpeechError) in try script.append(text) })
        }
    }
}
