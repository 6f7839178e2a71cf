package import SynthScript
package import SynthSystem

/// Live text for a thread that blocks while it waits for the next chunk. If the text comes from an asynchronous
/// sequence, each chunk is requested on demand, so at most one chunk is buffered. The feed's task retains the feed, so
/// call `stop` when the feed is no longer needed.
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

    /// Appends a chunk. Does nothing after the end of the text.
    package func append(_ piece: String) {
        state.update { state in
            if state.isAtEnd { return }
            state.pieces.append(piece)
            state.isWanted = false
        }
    }

    /// Ends the text.
    ///
    /// - Parameter failure: the error that ended the text, or nil if the text is complete.
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

/// Splits live text into utterances. Complete sentences are returned immediately. If a listener is waiting, the first
/// utterance after an interval without text may be a clause. Not thread-safe.
struct LiveScript {
    enum Arrival<Text> {
        /// The text that arrived, or nil at the end.
        case text(Text?)
        /// No text arrived in time.
        case silence
        /// The consumer has stopped.
        case stopped
    }

    private var script = PlainTextScript()
    private var isAtEnd = false
    /// Whether a wait for text has timed out since the last chunk.
    private var wasSilent = false
    private var isAwaited: @Sendable () -> Bool = { false }
    /// An error in the text source. Thrown after all preceding text has been returned.
    private var failure: SpeechError?

    /// How long to wait before incomplete text is treated as complete.
    private static let timeout = Duration.milliseconds(150)

    mutating func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        script.limits = .early
        self.isAwaited = isAwaited
    }

    /// Returns the next utterance, or nil after the last one. Blocks while `wait` blocks.
    ///
    /// - Parameters:
    ///   - isLive: whether the text may arrive slowly.
    ///   - wait: waits for text until the given timeout, or without a limit if it is nil.
    mutating func next<Text>(
        isLive: Bool, wait: (Duration?) throws(SpeechError) -> Arrival<Text>,
        append: (inout PlainTextScript, Text) throws(SpeechError) -> Void
    ) throws(SpeechError) -> ScriptStep? {
        var isPatient = isLive
        while true {
            if let utterance = script.next() { return .utterance(utterance) }
            if let failure { throw failure }
            if isAtEnd { return nil }
            switch try wait(isPatient ? Self.timeout : nil) {
            case .text(let text):
                if wasSilent, isAwaited() { script.restartFromBeginning() }
                wasSilent = false
                do {
                    if let text {
                        try append(&script, text)
                    } else {
                        isAtEnd = true
                        try script.finish()
                    }
                } catch {
                    failure = error
                }
                isPatient = isLive
            case .silence:
                // Do not delay complete sentences and lines.
                script.flushIdle()
                isPatient = false
                wasSilent = true
            case .stopped:
                isAtEnd = true
                return nil
            }
        }
    }
}
